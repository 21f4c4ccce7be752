import { VadeError, type ErrorCode } from './errors.ts';
import { textOfFile } from './text-file.ts';

/** The text of a caller's bytes, without a byte order mark. @throws an error of `code` for bytes that are not UTF-8 */
export function readUtf8(bytes: Uint8Array, code: ErrorCode = 'request_invalid'): string {
  try {
    return textOfFile(bytes);
  } catch {
    throw new VadeError(code, 'the input is not UTF-8');
  }
}

/**
 * Parses JSON of a caller (RFC 8259 §8.1: UTF-8 alone), whose numbers may be data that is stored, compared and hashed.
 *
 * @throws an error of `code` for what is not UTF-8 or JSON, and for a number that a reader of JSON would change
 */
export function parseJson(bytes: Uint8Array, code: ErrorCode = 'request_invalid'): unknown {
  return parseExact(readUtf8(bytes, code), code);
}

/** The same for a text. @throws as `parseJson` */
export function parseExact(text: string, code: ErrorCode = 'request_invalid'): unknown {
  const inexact = inexactIn(text);
  if (inexact !== null) {
    const number = inexact.slice(0, MOST_SHOWN);
    throw new VadeError(code, `the number ${number} would be rounded: send it as text`, { number });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new VadeError(code, 'the input is not JSON');
  }
}

const MOST_SHOWN = 40;

/** Whether any number may be large; most texts have none. */
const MAY_BE_LARGE = /\d{16}|\d[eE]/;

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The first number beyond 2^53 that a double does not hold; null without one. One beyond a double is not JSON's. */
function inexactIn(text: string): string | null {
  if (!MAY_BE_LARGE.test(text)) return null;
  for (const [token] of text.matchAll(STRING_OR_NUMBER)) if (!token.startsWith('"') && isRounded(token)) return token;
  return null;
}

function isRounded(token: string): boolean {
  const value = Math.abs(Number(token));
  if (!Number.isFinite(value) || value <= Number.MAX_SAFE_INTEGER) return false;
  return /^-?\d+$/.test(token) || significant(token) !== significant(String(value));
}

/** The digits of a number without sign, point, exponent, and zeros at both ends: equal for equal values of one size. */
function significant(token: string): string {
  const [mantissa = ''] = token.split(/[eE]/);
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}
