import { describe, expect, test } from 'vitest';
import type { FiledConsent } from '../../../compiler/gardens/approvals/read-decisions.ts';
import { unsettled, type Approvable } from '../../../compiler/gardens/approvals/unsettled.ts';

const [ANN, BOB, EVE] = ['acme/human/ann', 'acme/human/bob', 'acme/human/eve'] as const;
const ONE = { threshold: 1, unproven: 1 };

/** A text that is known by its name, and an approval of it. */
const text = (name: string, writers: readonly string[], proven = true): Approvable & { readonly name: string } => ({
  name,
  writers,
  proven,
  isMeant: ({ unit }) => unit === name,
});
const approval = (unit: string, ...by: readonly string[]) => ({ approval: { unit }, by }) as unknown as FiledConsent;

const open = (texts: readonly Approvable[], given: readonly FiledConsent[], needed = ONE) =>
  unsettled(texts, given, needed).map((it) => (it as ReturnType<typeof text>).name);

describe('whose earlier texts are part of what is approved', () => {
  test('the last text is open, and told once, even where it is approved', () => {
    const texts = [text('first', [ANN]), text('last', [ANN])];
    expect(open(texts, [approval('first', BOB), approval('last', BOB)])).toEqual(['last']);
    expect(open(texts, [approval('last', BOB)])).toEqual(['first', 'last']);
    expect(open([], [])).toEqual([]);
  });

  test('an approval settles the text and all before it, and none after', () => {
    const texts = ['1', '2', '3', '4'].map((it) => text(it, [ANN]));
    expect(open(texts, [approval('2', BOB)])).toEqual(['3', '4']);
  });

  test('who wrote an open text cannot settle a later one, by whatever spelling of the name', () => {
    const texts = [text('1', ['acme/human/Ann']), text('2', [BOB]), text('3', [EVE])];
    expect(open(texts, [approval('2', ANN)])).toEqual(['1', '2', '3']);
    expect(open(texts, [approval('2', ANN, EVE)])).toEqual(['3']);
  });

  test('who wrote a text that is settled can settle what others write afterwards', () => {
    const texts = [text('1', [ANN]), text('2', [BOB]), text('3', [EVE])];
    expect(open(texts, [approval('1', BOB), approval('2', ANN)])).toEqual(['3']);
  });

  test('a text needs as many others as the root says, and an administrator counts once', () => {
    const texts = [text('1', [ANN]), text('2', [ANN])];
    const two = { threshold: 2, unproven: 1 };
    expect(open(texts, [approval('1', BOB), approval('1', BOB)], two)).toEqual(['1', '2']);
    expect(open(texts, [approval('1', BOB), approval('1', EVE)], two)).toEqual(['2']);
  });

  test('a text from an unsigned commit needs as many as the root says of unproven authors, with signed ones on it too', () => {
    const cautious = { threshold: 1, unproven: 2 };
    const [signed, unsigned] = [text('1', [ANN]), text('1', [ANN], false)];
    const [next, last] = [text('2', [ANN]), text('3', [ANN])];
    expect(open([signed, next, last], [approval('2', BOB)], cautious)).toEqual(['3']);
    expect(open([unsigned, next, last], [approval('2', BOB)], cautious)).toEqual(['1', '2', '3']);
    expect(open([unsigned, next, last], [approval('2', BOB, EVE)], cautious)).toEqual(['3']);
  });

  test('a text that nobody else approved stays open, even if no number of approvers is asked for', () => {
    const texts = [text('1', [ANN]), text('2', [ANN])];
    expect(open(texts, [approval('1', ANN)], { threshold: 0, unproven: 0 })).toEqual(['1', '2']);
  });
});
