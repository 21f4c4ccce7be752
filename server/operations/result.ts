import type { ServedDocument } from './documents.ts';

/** What a success is, by its media type. */
export type MediaType =
  'application/json' | 'text/markdown' | 'text/plain' | 'text/html' | 'text/javascript' | 'text/css';

/** What an operation answers, whatever door it was asked through; each door writes it in its own way. */
export type Result =
  | {
      readonly kind: 'value';
      readonly value: unknown;
      /** Of a readiness that is none. */
      readonly unready?: boolean;
    }
  /** JSON that is written already. */
  | { readonly kind: 'json'; readonly bytes: Buffer }
  /** What its reader may keep. */
  | { readonly kind: 'document'; readonly document: ServedDocument; readonly type: MediaType }
  /** @param type with its parameters */
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'nothing' };

export const NOTHING: Result = { kind: 'nothing' };

export function value(of: unknown): Result {
  return { kind: 'value', value: of };
}

export function document(of: ServedDocument, type: MediaType): Result {
  return { kind: 'document', document: of, type };
}
