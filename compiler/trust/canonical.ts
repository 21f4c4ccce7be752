import { createHash, hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Half a surrogate pair as `JSON.stringify` writes it; after a backslash that is escaped itself, it is plain text. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * RFC 8785 text of a JSON value: the same bytes, in whatever order keys were added. The library writes a character at a
 * time, so it writes only unusual values, and refuses a value that is not JSON.
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

/** Whether JavaScript itself chooses the place of a key in an object, or whether it is no key of its own. */
function isOdd(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || key === '__proto__';
}

/**
 * The same JSON value with the keys of every object in the order of RFC 8785, so that `JSON.stringify`, which is native
 * code, writes it at once. A part that is in order already is not copied.
 *
 * @returns undefined for values that only the library judges: keys that no object holds in that order, values that JSON
 * has not
 */
export function inKeyOrder(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return eachInOrder(value);
  return typeof value === 'object' && isPlain(value) ? membersInOrder(value) : undefined;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

function eachInOrder(values: readonly unknown[]): readonly unknown[] | undefined {
  if ('toJSON' in values) return undefined;
  let copy: unknown[] | null = null;
  for (let at = 0; at < values.length; at++) {
    const ordered = inKeyOrder(values[at]);
    if (ordered === undefined) return undefined;
    if (ordered !== values[at]) (copy ??= [...values])[at] = ordered;
  }
  return copy ?? values;
}

function membersInOrder(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const keys = Object.keys(value);
  let isSame = keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
  const copy: Record<string, unknown> = {};
  for (const key of isSame ? keys : keys.sort()) {
    if (isOdd(key)) return undefined;
    const member = value[key];
    if (member === undefined) continue;
    const ordered = inKeyOrder(member);
    if (ordered === undefined) return undefined;
    isSame &&= ordered === member;
    copy[key] = ordered;
  }
  return isSame ? value : copy;
}

/** The canonical text as UTF-8 with a newline at the end, as every JSON file of a bundle is written. */
export function canonicalBytes(value: unknown): Buffer {
  return Buffer.from(`${canonicalJson(value)}\n`);
}

/** sha256 in lower-case hex of bytes, or of a string's UTF-8 bytes. */
export function sha256(data: Buffer | string): string {
  return hash('sha256', data, 'hex');
}

/** One digest of the texts of an answer. @param digests of each text, in the order of the answer */
export function digestOfTexts(digests: readonly string[]): string {
  return sha256(digests.join('\n'));
}

/** The id that git gives a blob, by the hash of its repository. */
export function blobId(bytes: Buffer, algorithm = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The id of a blob, by the hash that made another id. */
export function blobIdLike(bytes: Buffer, id = ''): string {
  return blobId(bytes, id.length === 64 ? 'sha256' : 'sha1');
}

/** Orders strings by UTF-16 code unit, which no locale changes. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
