import type { z } from 'zod';
import type { ErrorCode } from '../../compiler/schema/errors.ts';
import type { Identity } from '../auth/authenticate.ts';
import type { Call } from './call.ts';
import type { ServedDocument } from './documents.ts';
import type { MediaType, Result } from './result.ts';

type Method = 'get' | 'post' | 'put';

/**
 * Who may ask: `probe` and `anyone` need no key, and a probe is never limited; `scraper` needs a
 * scraper's or administrator's key unless the operator opened it; which agent may ask for which is judged by the operation.
 */
export type Access = 'probe' | 'anyone' | 'scraper' | 'agents' | 'admins';

/** What a success is, as the OpenAPI document tells it. */
export interface Success {
  readonly status: 200 | 204;
  readonly description: string;
  readonly type?: MediaType;
  /** Of a JSON answer; any other is text. */
  readonly schema?: z.ZodType;
  /** Answer headers besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it carries an `ETag` and honours `If-None-Match`. */
  readonly cached?: true;
}

/**
 * What is promised of an operation. Express routes and the OpenAPI document are both made from this, so that neither can
 * say what the other doesn't.
 */
export interface Contract {
  readonly method: Method;
  /** An OpenAPI path template. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** What it does to what is kept: nothing, rows of the audit, sources. */
  readonly effect: 'read' | 'append' | 'write';
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** A JSON object. */
  readonly body?: z.ZodType;
  readonly bodyMayBeAbsent?: true;
  /** How the body reaches the operation: parsed, or as the bytes that came. */
  readonly reads?: 'json' | 'raw';
  /** Milliseconds until it is given up; null where it has a limit of its own. */
  readonly limit?: number | null;
  readonly success: Success;
  /** What a readiness that is none answers; it is told in full, not as an error. */
  readonly unready?: { readonly status: 503; readonly description: string; readonly schema: z.ZodType };
  /** Besides those of every operation of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** Names in a path, by the name that its template gives them; untrusted. */
export type PathNames = Readonly<Record<string, string>>;

/** What came with a call, checked against the schemas of its operation. */
export interface Input<Q = unknown, H = unknown, B = unknown> {
  readonly path: PathNames;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** The body as it came, for an operation that reads it itself; untrusted. */
  readonly raw: unknown;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;

/** One thing that agents and administrators can ask for, through any door. */
export interface Operation<
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  H extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> extends Contract {
  readonly access: 'agents' | 'admins';
  readonly query?: Q & z.ZodObject;
  readonly headers?: H & z.ZodObject;
  readonly body?: B & z.ZodType;
  /** The agent that it is about. Default: the one that the path names. */
  readonly about?: (path: PathNames, identity: Identity) => string;
  /** Who may, asked before anything that came with the call is looked at. @throws instruction_scope_denied and its like */
  readonly permit: (call: Call) => void;
  /** Whether it is asked who may before the body is even read. */
  readonly permitsFirst?: true;
  /** Whether nothing does it here: it only says why. */
  readonly isDisabled?: (call: Pick<Call, 'services'>) => boolean;
  /** What a body lacks that has an error code of its own. */
  readonly requires?: (body: unknown) => void;
  /** The name of its stretch of a trace; without one it has none. */
  readonly trace?: string;
  // a method, so that a table may hold operations of any input
  run(call: Call, input: Input<Parsed<Q>, Parsed<H>, Parsed<B>>): Result | Promise<Result>;
}

/** Keeps the types of an operation's input apart from those of the others in its table. */
export function operation<
  Q extends z.ZodObject | undefined = undefined,
  H extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(it: Operation<Q, H, B>): Operation<Q, H, B> {
  return it;
}

/** What a host answers of itself: no agent is asked about, and no bundle is answered from. */
export interface HostOperation extends Contract {
  readonly access: 'probe' | 'anyone' | 'scraper';
  readonly answer: (host: Host) => Result | Promise<Result>;
}

/** What a host can say of itself. */
export interface Host {
  readonly readiness: () => { readonly status: string };
  /** The text format of Prometheus, with its content type. */
  readonly scrape: () => Promise<{ readonly text: string; readonly type: string }>;
  readonly openApi: () => Promise<ServedDocument>;
}

/** A JSON answer. */
export function jsonSuccess(description: string, schema: z.ZodType): Success {
  return { status: 200, description, type: 'application/json', schema };
}

/** Milliseconds after which an operation is given up (§21.8: an agent rather asks again than waits). */
export const OPERATION_LIMIT_MS = 10_000;

/** What may go wrong with every operation of a kind, whatever it does. */
export function errorsOf({ access, body, errors }: Contract): readonly ErrorCode[] {
  const open = access === 'probe' || access === 'anyone';
  const served = access === 'agents' || access === 'admins';
  return [
    ...errors,
    ...(open ? [] : (['unauthenticated', 'instruction_scope_denied'] as const)),
    ...(served ? (['recall_backend_unavailable'] as const) : []),
    ...(access === 'probe' ? [] : (['rate_limited'] as const)),
    ...(body === undefined ? [] : (['payload_too_large'] as const)),
    ...(['request_invalid', 'internal'] as const),
  ];
}
