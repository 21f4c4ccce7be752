import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, inKeyOrder } from '../../compiler/trust/canonical.ts';
import { anyCharacter } from '../support/any-character.ts';

/** Text that the library writes of a value, or its refusal. */
function written(write: (value: unknown) => string | undefined, value: unknown): string {
  try {
    return write(value) ?? 'refused';
  } catch {
    return 'refused';
  }
}

const odd = fc.anything({
  key: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('10', '9', '0', 'a', 'toJSON', '__proto__', 'é', '😀')),
  values: [
    fc.string({ unit: anyCharacter, maxLength: 4 }),
    fc.constantFrom('\ud800', 'x\udc00', '\\ud800', undefined, Number.NaN, -0, 1e21, Number.POSITIVE_INFINITY),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  ],
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
});

test('DESIGN §6.3 canonical JSON is what the library of RFC 8785 writes, whatever the value is', () => {
  fc.assert(
    fc.property(odd, (value) => {
      expect(written(canonicalJson, value)).toBe(written(canonicalize, value));
    }),
    { numRuns: 3000 },
  );
});

test('a value whose keys are in order is written as it is, and any other is not changed', () => {
  const ordered = { a: [{ b: 1, c: 'x' }], d: null };
  expect(inKeyOrder(ordered)).toBe(ordered);
  const other = { d: null, a: [{ c: 'x', b: 1 }] };
  expect(JSON.stringify(inKeyOrder(other))).toBe('{"a":[{"b":1,"c":"x"}],"d":null}');
  expect(Object.keys(other)).toEqual(['d', 'a']);
});

test('what only the library judges is left to it', () => {
  class Own {
    readonly a = 1;
  }
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const dated = new Date(0);
  for (const value of [
    undefined,
    Number.NaN,
    { 10: 1, 9: 2 },
    [undefined],
    new Own(),
    dated,
    Buffer.from('a'),
    () => 1,
  ])
    expect(inKeyOrder(value)).toBeUndefined();
  expect(() => canonicalJson(cycle)).toThrow();
  expect(() => canonicalJson({ a: '\ud800' })).toThrow();
});
