import type { Response } from 'express';
import type { Operation } from '../operations/operation.ts';
import { requestContextOf } from '../telemetry/request-context.ts';

/** Notes the intent of a recall, for operators who log intents. Untrusted input. */
export function noteIntent({ trace }: Pick<Operation, 'trace'>, body: unknown, response: Response): void {
  const intent = trace === 'recall' ? (body as { intent?: unknown } | null | undefined)?.intent : null;
  requestContextOf(response).intent = typeof intent === 'string' ? intent : null;
}
