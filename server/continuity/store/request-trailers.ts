import { orNull } from '../../../compiler/schema/or-null.ts';
import type { Answered, RequestKey } from '../state/requests.ts';

/** The record of a request with an idempotency key in its commit, so that git alone can answer it again. */
export interface KeptRequest extends RequestKey, Pick<Answered, 'answer'> {
  /** The file that it changed. */
  readonly path: string;
}

const REQUEST = 'Vade-Request: ';
const ANSWER = 'Vade-Answer: ';

/** A commit's message: one line, which an agent may have written, and trailers, which only a store writes. */
export function messageWith(line: string, request: KeptRequest | null): string {
  const subject = line.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'continuity';
  if (request === null) return `${subject}\n`;
  const { key, digest, path, answer } = request;
  return `${subject}\n\n${REQUEST}${key} ${digest} ${path}\n${ANSWER}${JSON.stringify(answer)}\n`;
}

const DIGESTS = /^([0-9a-f]{64}) ([0-9a-f]{64}) (\S{1,500})$/;

/** The request that a message keeps; null without one. */
export function requestIn(message: string): KeptRequest | null {
  const [, blank, request = '', answer = ''] = message.split('\n');
  if (blank !== '' || !request.startsWith(REQUEST) || !answer.startsWith(ANSWER)) return null;
  const [, key, digest, path] = DIGESTS.exec(request.slice(REQUEST.length)) ?? [];
  if (key === undefined || digest === undefined || path === undefined) return null;
  return orNull(() => ({ key, digest, path, answer: JSON.parse(answer.slice(ANSWER.length)) as unknown }));
}
