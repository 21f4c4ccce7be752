import { UNEXPECTED, type VadeError } from '../../compiler/schema/errors.ts';
import type { ServedDocument } from './documents.ts';

/** Media types of a success. */
export type MediaType =
  | 'application/json'
  | 'application/octet-stream'
  | 'text/markdown'
  | 'text/plain'
  | 'text/html'
  | 'text/javascript'
  | 'text/css';

/** The result of an operation, over any transport; each transport writes it in its own way. */
export type Result =
  | {
      readonly kind: 'value';
      readonly value: unknown;
      /** Set if the host is not ready. */
      readonly unready?: boolean;
      /** Set if the call created something. */
      readonly created?: boolean;
    }
  /** Serialised JSON. */
  | { readonly kind: 'json'; readonly text: string }
  /** A document that clients may cache. */
  | { readonly kind: 'document'; readonly document: ServedDocument; readonly type: MediaType }
  /** `type` includes its parameters */
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'nothing' };

export const NOTHING: Result = { kind: 'nothing' };

export function value(of: unknown): Result {
  return { kind: 'value', value: of };
}

export function document(of: ServedDocument, type: MediaType): Result {
  return { kind: 'document', document: of, type };
}

/** The body of an error (DESIGN §6.12), over any transport; an internal error reveals no details. */
export function errorValue({ code, message, details, entry: { retryable } }: VadeError) {
  return { error: { code, message: code === 'internal' ? UNEXPECTED : message, retryable, details } };
}

/** The value of a result, for a caller that takes values: bytes in base64; null if there is nothing. */
export function valueOf(result: Result): unknown {
  switch (result.kind) {
    case 'value':
      return result.value;
    case 'json':
      return JSON.parse(result.text);
    case 'document':
      return result.document.body.toString(result.type === 'application/octet-stream' ? 'base64' : 'utf8');
    default:
      return null;
  }
}
