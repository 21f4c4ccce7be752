import type { Logger } from 'pino';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { repetitions } from '../log.ts';
import type { FinishedRequest } from './request-context.ts';

export interface RequestLogOptions {
  /** Also logs successful requests. */
  readonly requests: boolean;
}

const REFUSED = new Set([401, 403, 429]);

/**
 * Logs failures and refusals, one line each. The fields are listed here; of what a caller sends, only a well-formed
 * request id is logged, and the intent if the operator logs intents.
 */
export function requestLog(log: Logger, { requests }: RequestLogOptions): (ended: FinishedRequest) => void {
  const countRepeated = repetitions();
  return (ended) => {
    const { status } = ended;
    const failed = status >= 500;
    if (requests) log.info(lineOf(ended), 'request');
    if (!failed && !REFUSED.has(status)) return;
    const times = countRepeated(keyOf(ended));
    if (times === null) return;
    if (failed) log.error({ ...lineOf(ended), ...causeOf(ended.thrown), times }, 'request failed');
    else log.warn({ ...lineOf(ended), ...refusalOf(ended.thrown), address: ended.address(), times }, 'request refused');
  };
}

function lineOf({ id, method, route, status, code, identity, milliseconds, intent }: FinishedRequest) {
  return {
    request_id: id,
    method,
    route,
    status,
    code,
    caller: identity?.id ?? null,
    ms: Math.round(milliseconds * 1000) / 1000,
    ...(intent === null ? {} : { intent }),
  };
}

/** Groups repetitions: the same refusal of the same caller, or the same error message. */
function keyOf({ code, route, identity, address, status, thrown }: FinishedRequest): string {
  return JSON.stringify(
    status >= 500
      ? [code, route, messageOf(thrown).slice(0, 200)]
      : [code, route, identity?.id ?? address(), refusalOf(thrown)],
  );
}

/** Why a caller was not authenticated, which the answer does not say. */
function refusalOf(thrown: unknown): { readonly reason?: string } {
  const reason = thrown instanceof VadeError ? thrown.cause : undefined;
  return typeof reason === 'string' ? { reason } : {};
}

/** The message and stack of an error, or of its cause, only; it may carry more, such as a malformed body. */
function causeOf(error: unknown): { readonly reason: string; readonly at?: readonly string[] } {
  const thrown = error instanceof Error ? (error.cause ?? error) : error;
  const at = thrown instanceof Error ? (thrown.stack ?? '').split('\n').filter((it) => /^\s+at /.test(it)) : [];
  return { reason: messageOf(thrown).slice(0, 500), at: at.slice(0, 8).map((it) => it.trim()) };
}
