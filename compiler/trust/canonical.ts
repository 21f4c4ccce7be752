import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785 text of a JSON value: the same bytes, in whatever order keys were added. */
export function canonicalJson(value: unknown): string {
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
