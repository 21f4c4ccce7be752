import { describe, expect, test } from 'vitest';
import { parseExact, parseJson, readUtf8 } from '../../compiler/schema/exact-json.ts';

const refused = expect.objectContaining({ code: 'request_invalid' }) as Error;
const parse = (text: string) => parseJson(Buffer.from(text));

describe('RFC 8259 §8.1 text that others sent', () => {
  test.each([
    ['Latin-1', Buffer.from('{"a":"caf\xe9"}', 'latin1')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['half of a character', Buffer.from('{"a":"é"}').subarray(0, 7)],
    ['a surrogate in three bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['more bytes than needed', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ])('%s is refused', (_, bytes) => {
    expect(() => parseJson(bytes)).toThrow(refused);
  });

  test('a byte order mark is no part of a text, and U+FFFD that somebody sent is', () => {
    expect(parse('\ufeff{"a":"\ufffd é"}')).toEqual({ a: '\ufffd é' });
    expect(readUtf8(Buffer.from('\ufeffa'))).toBe('a');
  });

  test('a text that is not JSON has the code of its door', () => {
    const code = expect.objectContaining({ code: 'argument_invalid' }) as Error;
    expect(() => parseExact('{', 'argument_invalid')).toThrow(code);
  });
});

describe('a number that a double does not hold', () => {
  test.each([
    '9007199254740992',
    '-9007199254740993',
    '1546130668394913822',
    '12345678901234567890',
    '1546130668394913822.0',
    '1.546130668394913822e18',
    '9007199254740993.5',
    '9'.repeat(300),
  ])('%s is refused wherever it stands', (number) => {
    for (const text of [number, `[${number}]`, `{"a":{"b":[1,${number}]}}`, `{"x\\"":"\\\\","a": ${number} }`])
      expect(() => parse(text)).toThrow(refused);
  });

  test.each([
    '9007199254740991',
    '-9007199254740991',
    '1e20',
    '1E+20',
    '100e18',
    '0.1234567890123456789',
    '3.141592653589793238462643',
    '1.7976931348623157e308',
    '1e-400',
    '-0',
    '"9007199254740993"',
    '{"9007199254740993":"1546130668394913822e5"}',
    '"a\\"1546130668394913822"',
  ])('%s is read', (text) => {
    expect(parse(`[${text}]`)).toEqual([JSON.parse(text)]);
  });

  test('one beyond a double is left to whoever reads the value, and names its place', () => {
    expect(parse('[1e400]')).toEqual([Infinity]);
  });
});
