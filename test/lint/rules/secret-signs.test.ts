import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayHaveSecret, NAME_ENDS, NAMED, PRESET_RULES, TOKENS } from '../../../compiler/lint/rules/secret.ts';

/** The patterns that a rule of the preset searches a text for. */
async function patternsOf(rule: (typeof PRESET_RULES)[number]): Promise<RegExp[]> {
  const patterns: RegExp[] = [];
  const content = {
    matchAll: (pattern: RegExp) => {
      patterns.push(pattern);
      return [];
    },
  };
  const context = { sharedOptions: {}, createTranslator: () => () => ({}), ignore: () => undefined };
  await rule.create(context, {}).file?.({ content, filePath: 'text', ext: '', contentType: 'text', hasBOM: false });
  return patterns;
}

const SEARCHED = await Promise.all(
  PRESET_RULES.map(async (rule) => [rule.meta.id.split('rule-').at(-1), await patternsOf(rule)] as const),
);
const PRESET = SEARCHED.flatMap(([, patterns]) => patterns);

/** Texts around matches of a pattern. They are made without its lookarounds, since only the real pattern decides. */
function matchesOf(pattern: RegExp): fc.Arbitrary<string> {
  const source = pattern.source
    .replace(/\(\?<?[!=][^)]*\)/g, '')
    .replace(/\\b/g, '')
    .replace(/\(\?<\w+>/g, '(');
  const made = fc
    .tuple(fc.stringMatching(new RegExp(`^(?:${source})$`, pattern.flags.replace(/[gim]/g, ''))), fc.boolean())
    .map(([text, isUpper]) => (isUpper && pattern.ignoreCase ? text.toUpperCase() : text));
  const around = fc.constantFrom('', ' ', '\n', '"', '.', 'a', 'é');
  return fc.tuple(around, made, around).map((parts) => parts.join(''));
}

/** How many texts with a match were made, and those without the sign. */
function missed(pattern: RegExp, sign: (text: string) => boolean): { matched: number; missed: string[] } {
  const texts = fc.sample(matchesOf(pattern), { numRuns: 200 }).filter((text) => text.search(pattern) !== -1);
  return { matched: texts.length, missed: texts.filter((text) => !sign(text)) };
}

describe('a sign that is looked for first is in every text that a pattern matches', () => {
  test('every rule of the preset that reads a text is known', () => {
    expect(Object.fromEntries(SEARCHED.map(([name, patterns]) => [name, patterns.length]))).toEqual({
      '1password': 1,
      anthropic: 1,
      aws: 1,
      basicauth: 1,
      'database-connection-string': 3,
      // it reads files that are JSON or certificates, and every text is given to it as neither
      gcp: 0,
      github: 2,
      linear: 1,
      npm: 1,
      openai: 1,
      privatekey: 1,
      sendgrid: 1,
      shopify: 1,
      slack: 2,
    });
  });

  test.each(PRESET.map((it) => [it.source.slice(0, 60), it] as const))('of the preset: %s', (_, pattern) => {
    const { matched, missed: unseen } = missed(pattern, mayHaveSecret);
    expect(unseen).toEqual([]);
    expect(matched).toBeGreaterThan(20);
  });

  test.each(TOKENS.map(([, it]) => [it.source.slice(0, 60), it] as const))('of a token: %s', (_, pattern) => {
    const { matched, missed: unseen } = missed(pattern, mayHaveSecret);
    expect(unseen).toEqual([]);
    expect(matched).toBeGreaterThan(20);
  });

  test('of a name with its value', () => {
    const { matched, missed: unseen } = missed(NAMED[1], (text) => NAME_ENDS.test(text));
    expect(unseen).toEqual([]);
    expect(matched).toBeGreaterThan(20);
  });
});
