import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byText, canonicalBytes, canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import { anyCharacter } from '../support/any-character.ts';

/** The same value with the keys of every object added in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, it]) => [key, reordered(it)]),
  );
}

// keys that JSON keeps apart from the prototype
const json = fc.jsonValue().filter((it) => !JSON.stringify(it).includes('__proto__'));

describe('DESIGN §6.3 JSON is canonical (RFC 8785)', () => {
  test('canonical JSON does not depend on the order in which keys were added', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('canonical JSON parses to the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('canonical JSON has no whitespace between tokens, and a file of it ends with one newline', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x y' }], a: 1e21 })).toBe('{"a":1e+21,"b":[1,{"c":"x y","d":null}]}');
    expect(canonicalBytes({ a: 1 }).toString()).toBe('{"a":1}\n');
  });

  test('canonical JSON orders the keys of what an object or a list says it is in JSON', () => {
    const toJSON = () => ({ b: 1, a: 2 });
    expect(canonicalJson({ toJSON })).toBe('{"a":2,"b":1}');
    expect(canonicalJson(Object.assign([3], { toJSON }))).toBe('{"a":2,"b":1}');
  });

  test.each([undefined, () => 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'canonicalJson refuses %s, which is no JSON value',
    (value) => {
      expect(() => canonicalJson(value)).toThrow();
    },
  );
});

describe('DESIGN §6.3 no locale', () => {
  test('byText orders strings by UTF-16 code unit, like sort()', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), (texts) => {
        expect([...texts].sort(byText)).toEqual([...texts].sort());
      }),
    );
  });

  test('byText says which string comes first: -1, 0 for equal ones, or 1', () => {
    expect([byText('a', 'b'), byText('a', 'a'), byText('b', 'a')]).toEqual([-1, 0, 1]);
  });

  test('the digest of a string is the sha256 of its UTF-8 bytes', () => {
    expect(sha256('é')).toBe(sha256(Buffer.from([0xc3, 0xa9])));
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
