import type { z } from 'zod';
import type { ErrorCode } from '../compiler/model/errors.ts';

export type Method = 'get' | 'post' | 'put';

/**
 * Who may ask: `probe` and `anyone` need no key, and a probe is never limited; `scraper` needs a
 * scraper's or administrator's key unless the operator opened it; which agent may ask for which is judged by the operation.
 */
export type Access = 'probe' | 'anyone' | 'scraper' | 'agents' | 'admins';

/** What a success is, as the OpenAPI document tells it. */
export interface Success {
  readonly status: 200 | 204;
  readonly description: string;
  readonly type?: 'application/json' | 'text/markdown' | 'text/plain' | 'text/html' | 'text/javascript' | 'text/css';
  /** Of a JSON answer; any other is text. */
  readonly schema?: z.ZodType;
  /** Answer headers besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it carries an `ETag` and honours `If-None-Match`. */
  readonly cached?: true;
}

/**
 * One operation of the HTTP interface, as it is promised. Express routes and the OpenAPI document are both made from
 * this, so that neither can say what the other doesn't.
 */
export interface Operation {
  readonly method: Method;
  /** An OpenAPI path template. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** A JSON object. */
  readonly body?: z.ZodType;
  readonly bodyMayBeAbsent?: true;
  /** How the body reaches the handler: parsed, or as the bytes that came. */
  readonly reads?: 'json' | 'raw';
  /** Milliseconds until it is given up; null where it has a limit of its own. */
  readonly limit?: number | null;
  readonly success: Success;
  /** What a readiness that is none answers; it is told in full, not as an error. */
  readonly unready?: { readonly status: 503; readonly description: string; readonly schema: z.ZodType };
  /** Besides those of every operation of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** Milliseconds after which an operation is given up (§21.8: an agent rather asks again than waits). */
export const OPERATION_LIMIT_MS = 10_000;

/** What may go wrong with every operation of a kind, whatever it does. */
export function errorsOf({ access, body, errors }: Operation): readonly ErrorCode[] {
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
