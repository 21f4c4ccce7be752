import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { inKeyOrder } from './key-order.ts';

/** How `JSON.stringify` writes half a surrogate pair; after a backslash that is escaped itself, it is plain text. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * RFC 8785 text of a JSON value: the same bytes, in whatever order keys were added. The library writes a character at a
 * time, so it writes only what is out of the ordinary, and refuses what is no JSON.
 */
export function canonicalJson(value: unknown): string {
  const ordered = inKeyOrder(value);
  const plain = ordered === undefined ? undefined : JSON.stringify(ordered);
  return plain === undefined || LONE_SURROGATE.test(plain) ? byLibrary(value) : plain;
}

function byLibrary(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** The canonical text as UTF-8 with a newline at the end, as every JSON file of a bundle is written. */
export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(`${canonicalJson(value)}\n`);
}

/** sha256 in lower-case hex of bytes, or of a string's UTF-8 bytes. */
export function sha256(data: Buffer | string): string {
  return hash('sha256', data, 'hex');
}

/** Orders strings by UTF-16 code unit, which no locale changes. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
