import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fit, type TrimStep } from '../../compiler/budget/fit-by-steps.ts';

type Parts = Readonly<Record<string, string>>;

/** A step that leaves out one part. */
const without = (field: string): TrimStep<Parts> => ({ field, trim: ({ [field]: _, ...rest }) => rest });

/** The length of all parts. */
const lengthOf = (parts: Parts) => Object.values(parts).join('').length;

const TEXT: Parts = { head: 'hhhh', body: 'bbbbbbbb', foot: 'ff' };
const STEPS = ['foot', 'body'].map(without);

describe('fit', () => {
  test('a value that fits is returned as it is, and nothing is omitted', () => {
    expect(fit(TEXT, STEPS, 14, lengthOf)).toEqual({ value: TEXT, size: 14, trimmed_fields: [] });
  });

  test('a field that several steps trim is named once', () => {
    const shorter = { field: 'body', trim: (it: Parts) => ({ ...it, body: it['body']?.slice(1) ?? '' }) };
    const { value, trimmed_fields } = fit(TEXT, [shorter, shorter, shorter], 11, lengthOf);
    expect(value['body']).toBe('bbbbb');
    expect(trimmed_fields).toEqual(['body']);
  });

  test('the measure is given the omitted fields, which a value may have to name', () => {
    const named = (it: Parts, omitted: readonly string[]) => lengthOf(it) + omitted.length;
    expect(fit(TEXT, STEPS, 13, named)).toMatchObject({ size: 13, trimmed_fields: ['foot'] });
  });

  test('the result fits whenever all steps together suffice, and it is that of the earliest step that fits', () => {
    const sizes = fc.array(fc.nat({ max: 20 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 20 }), fc.nat({ max: 260 }), (parts, kept, budget) => {
        const steps = parts.map((size, at) => ({ field: `part ${at}`, trim: (it: number) => it - size }));
        const whole = parts.reduce((sum, it) => sum + it, kept);
        const after = [whole, ...steps.map((_, at) => whole - parts.slice(0, at + 1).reduce((sum, it) => sum + it, 0))];
        const earliest = after.findIndex((size) => size <= budget);
        const taken = earliest === -1 ? steps.length : earliest;
        const fitted = fit(whole, steps, budget, (it) => it);
        expect(fitted.size <= budget).toBe(kept <= budget);
        expect(fitted.value).toBe(after[taken]);
        expect(fitted.trimmed_fields).toEqual(steps.slice(0, taken).map(({ field }) => field));
      }),
    );
  });
});
