import type { Logger } from 'pino';
import { messageOf } from '../../compiler/schema/errors.ts';
import { repetitions } from '../log.ts';
import type { Ended } from './request-context.ts';

export interface RequestLogOptions {
  /** A line for each request, not only for those that matter. */
  readonly requests: boolean;
}

const REFUSED = new Set([401, 403, 429]);

/**
 * One line for what matters: failures of ours, and refusals. What a line may hold is listed here; nothing that a caller
 * sends is among it but a well-formed request id, and the intent where the operator asked for it.
 */
export function requestLog(log: Logger, { requests }: RequestLogOptions): (ended: Ended) => void {
  const told = repetitions();
  return (ended) => {
    const { status } = ended;
    const failed = status >= 500;
    if (requests) log.info(lineOf(ended), 'request');
    if (!failed && !REFUSED.has(status)) return;
    const times = told(keyOf(ended));
    if (times === null) return;
    if (failed) log.error({ ...lineOf(ended), ...causeOf(ended.thrown), times }, 'request failed');
    else log.warn({ ...lineOf(ended), address: ended.address(), times }, 'request refused');
  };
}

function lineOf({ id, method, route, status, code, identity, milliseconds, intent }: Ended) {
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

/** What is the same thing: a caller who is refused likewise, a defect in the same words. */
function keyOf({ code, route, identity, address, status, thrown }: Ended): string {
  return JSON.stringify(
    status >= 500 ? [code, route, messageOf(thrown).slice(0, 200)] : [code, route, identity?.id ?? address()],
  );
}

/** Of what was thrown, its words and its place; an error may carry more, such as the body it could not read. */
function causeOf(thrown: unknown): { readonly reason: string; readonly at?: readonly string[] } {
  const at = thrown instanceof Error ? (thrown.stack ?? '').split('\n').filter((it) => /^\s+at /.test(it)) : [];
  return { reason: messageOf(thrown).slice(0, 500), at: at.slice(0, 8).map((it) => it.trim()) };
}
