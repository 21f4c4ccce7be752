import type { z } from 'zod';
import type { ErrorCode } from '../../compiler/schema/errors.ts';
import type { Identity } from '../auth/authenticate.ts';
import { requireAdmin } from '../auth/authorize.ts';
import type { Need } from '../auth/permits.ts';
import type { Call } from './call.ts';
import type { ServedDocument } from './documents.ts';
import type { MediaType, Result } from './result.ts';

type Method = 'get' | 'post' | 'put' | 'patch';

/**
 * Who may call: `probe` and `anyone` need no key, and a probe is never rate-limited; `scraper` needs a scraper's or an
 * administrator's key, unless the operator opened it. The operation itself decides which agents a caller may act on.
 */
export type Access = 'probe' | 'anyone' | 'scraper' | 'agents' | 'admins';

/** A success, as the OpenAPI document describes it. */
export interface Success {
  readonly status: 200 | 204;
  readonly description: string;
  readonly type?: MediaType;
  /** Schema of a JSON answer; absent for text. */
  readonly schema?: z.ZodType;
  /** Whether a call that creates something answers 201, with the same schema; said of it. */
  readonly created?: string;
  /** Headers in addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it carries an `ETag` and honours `If-None-Match`. */
  readonly cached?: true;
}

/**
 * The contract of an operation. Express routes and the OpenAPI document are both made from it, so they cannot differ.
 */
export interface Contract {
  readonly method: Method;
  /** An OpenAPI path template. */
  readonly path: string;
  readonly summary: string;
  /** Explanation of the input, where the schema does not give it. */
  readonly description?: string;
  readonly access: Access;
  /** The data that it changes: none, audit rows, sources or capsules. */
  readonly effect: 'read' | 'append' | 'write';
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** A JSON object. */
  readonly body?: z.ZodType;
  readonly bodyMayBeAbsent?: true;
  /** Form in which the body reaches the operation: parsed, or as raw bytes. */
  readonly reads?: 'json' | 'raw';
  /** Timeout in milliseconds; null if the operation has its own. */
  readonly limit?: number | null;
  readonly success: Success;
  /** The answer of a host that is not ready; a full readiness document, not an error. */
  readonly unready?: { readonly status: 503; readonly description: string; readonly schema: z.ZodType };
  /** In addition to the errors of every operation of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** Path parameters by their name in the template; untrusted. */
export type PathNames = Readonly<Record<string, string>>;

/** The input of a call, before any schema has seen it; untrusted. */
export interface SentInput {
  readonly path: PathNames;
  readonly query: unknown;
  /** Undefined where there is none. */
  readonly body: unknown;
}

/** The input of a call, parsed by the schemas of its operation. */
export interface Input<Q = unknown, H = unknown, B = unknown> {
  readonly path: PathNames;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** The raw body, for an operation that parses it itself; untrusted. */
  readonly raw: unknown;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;

/** One operation for agents or administrators, over any transport. */
export interface Operation<
  Q extends z.ZodObject | undefined = z.ZodObject | undefined,
  H extends z.ZodObject | undefined = z.ZodObject | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
> extends Contract {
  readonly access: 'agents' | 'admins';
  readonly query?: NonNullable<Q>;
  readonly headers?: NonNullable<H>;
  readonly body?: NonNullable<B>;
  /** The agent of the call. Default: the one in the path. */
  readonly about?: (path: PathNames, identity: Identity) => string;
  /** The permission that it needs of the key. Default: the scope `instructions`. */
  readonly needs?: Need;
  /** Authorises the call before its input is parsed. @throws instruction_scope_denied and similar */
  readonly permit: (call: Call) => void;
  /** Whether `permit` also runs before the body is read. */
  readonly permitsFirst?: true;
  /** Whether this server does not offer it: it only answers why. */
  readonly isDisabled?: (call: Pick<Call, 'services'>) => boolean;
  /** Checks of the body that have their own error code. */
  readonly requires?: (body: unknown) => void;
  /** Notes a call that is refused before it runs: by a limit, by authorisation, or for its input. */
  readonly refused?: (call: Call, sent: SentInput, error: unknown) => Promise<void>;
  /** The name of its span; no span without one. */
  readonly trace?: string;
  // a method, so that a table may hold operations of any input
  run(call: Call, input: Input<Parsed<Q>, Parsed<H>, Parsed<B>>): Result | Promise<Result>;
}

/** Infers the input types of one operation, separately from the others in its table. */
export function operation<
  Q extends z.ZodObject | undefined = undefined,
  H extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(it: Operation<Q, H, B>): Operation<Q, H, B> {
  return it;
}

/** Members of an operation by which administrators read. */
export const ADMIN_READS = { method: 'get', access: 'admins', effect: 'read', permit: requireAdmin } as const;

/** An operation on the host itself, without an agent and without a bundle. */
export interface HostOperation extends Contract {
  readonly access: 'probe' | 'anyone' | 'scraper';
  readonly answer: (host: Host) => Result | Promise<Result>;
}

/** Information that a host operation can read. */
export interface Host {
  readonly readiness: () => { readonly status: string };
  /** The text format of Prometheus, with its content type. */
  readonly scrape: () => Promise<{ readonly text: string; readonly type: string }>;
  readonly openApi: () => Promise<ServedDocument>;
  readonly discovery: () => Promise<{ readonly tools: ServedDocument; readonly endpoints: ServedDocument }>;
}

/** A JSON answer. */
export function jsonSuccess(description: string, schema: z.ZodType): Success {
  return { status: 200, description, type: 'application/json', schema };
}

/** Timeout of an operation in milliseconds (§21.8: an agent should retry rather than wait). */
export const OPERATION_LIMIT_MS = 10_000;

/** The error codes of an operation: its own and those of its kind. */
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
