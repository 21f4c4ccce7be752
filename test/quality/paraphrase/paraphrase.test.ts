import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { measureDiversity } from '../../../compiler/quality/paraphrase/diversity.ts';
import { openParaphraser, paraphrase } from '../../../compiler/quality/paraphrase/paraphrase.ts';
import { stemsOf, triggerFilter } from '../../../compiler/quality/paraphrase/stems.ts';
import { GENERATOR, LEXICON_DIGEST, PARSER_VERSION } from '../../../compiler/schema/bundle/generator-version.ts';
import { GOLDEN } from '../golden.ts';

const { lexicon, digest } = readLexicon();
const generate = openParaphraser(lexicon);

const WORDS =
  'deploy the service to a production team review an urgent request customers are waiting who may approve my budget report it'.split(
    ' ',
  );
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((it) => it.join(' '));
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '{}',
    '$&',
    '$1 $$',
    '{verb}',
    'a\u0000b',
    '\ud800',
    "it's",
    '...',
    'to',
    '(',
    '-',
  ),
);

describe('§21.8.3: five paraphrases of every trigger', () => {
  test('read as people write: a table that a reader went through', () => {
    for (const [intent, ...paraphrases] of GOLDEN)
      expect([intent, ...generate(intent)]).toEqual([intent, ...paraphrases]);
  });

  test.each([
    ['one word', 'rollback'],
    ['function words alone', 'what can I do for you'],
    ['Chinese', '如何请假'],
    ['Japanese with spaces', '休暇 申請'],
    ['200 characters', 'review the quarterly report '.repeat(8).slice(0, 200)],
    ['a capital and a full stop', 'Rotate the keys.'],
    ['an abbreviation alone', 'TLS'],
    ['a question', 'who owns this?'],
  ])('are made of %s', (_, intent) => {
    expect(generate(intent)).toHaveLength(5);
  });

  test.each(['', ' ', '?!', '—', '…\n'])('are none of %j, which has no word', (intent) => {
    expect(generate(intent)).toEqual([]);
  });

  test('say neither what the trigger says nor what another of them says, after stemming', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        const stems = [intent, ...generate(intent)].map(stemsOf);
        expect(new Set(stems).size).toBe(stems.length);
      }),
    );
  });

  test('are five for anything with a word in it, and the same each time', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        expect(generate(intent)).toHaveLength(5);
        expect(paraphrase(intent, lexicon)).toEqual(generate(intent));
      }),
      { numRuns: 30 },
    );
  });

  test('survive every string; one with a letter always has some', () => {
    fc.assert(
      fc.property(hostile, (intent) => {
        const made = generate(intent);
        expect(made.length > 0).toBe(/[\p{L}\p{N}]/u.test(intent));
        for (const text of made) expect(text).not.toMatch(/undefined|NaN|\{\}/);
      }),
      { numRuns: 300 },
    );
  });

  test('leave out what says the same as any trigger of the index', () => {
    const [first = ''] = generate('rotate a leaked credential');
    const isTrigger = triggerFilter([first]);
    const others = generate('rotate a leaked credential', 5, isTrigger);
    expect(others).toHaveLength(5);
    expect(others.map(stemsOf)).not.toContain(stemsOf(first));
  });

  test('are as many as are asked for', () => {
    for (const n of [0, 1, 3, 8]) expect(generate('route a task to a lead', n)).toHaveLength(n);
  });
});

describe('§21.8.3: diverse in words and in syntax', () => {
  const sets = GOLDEN.map(([intent]) => [intent, generate(intent)] as const);

  test('by both measures', () => {
    const { words, syntax } = measureDiversity(sets);
    expect(words).toBeGreaterThan(0.4);
    expect(syntax).toBeGreaterThan(0.5);
  });

  test('most triggers of things to do get another word for something in them', () => {
    const changed = sets.filter(([intent, made]) => {
      const own = stemsOf(intent).split(' ');
      return made.some((it) => own.some((stem) => !stemsOf(it).split(' ').includes(stem)));
    });
    expect(changed.length).toBeGreaterThan(sets.length / 2);
  });

  test('what only repeats is not diverse, and nothing at all has no measure', () => {
    expect(measureDiversity([['route a task', ['route a task', 'route a task']]])).toEqual({ words: 0, syntax: 0 });
    expect(measureDiversity([])).toEqual({ words: 0, syntax: 0 });
    expect(measureDiversity([['route a task', []]])).toEqual({ words: 0, syntax: 0 });
  });

  test('other words in the same sentence differ in words alone, the same words in another sentence in syntax more', () => {
    const words = measureDiversity([['route a task to a lead', ['hand a ticket to a chief']]]);
    const syntax = measureDiversity([['route a task to a lead', ['a task which we route']]]);
    expect(words).toEqual({ words: 1, syntax: 0 });
    expect(syntax.syntax).toBeGreaterThan(syntax.words);
  });
});

describe('the generator’s name', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };

  test('says the parser’s release and the lexicon that is there', () => {
    expect(PARSER_VERSION).toBe(dependencies['compromise']);
    expect(LEXICON_DIGEST).toBe(digest);
    for (const part of [PARSER_VERSION, digest]) expect(GENERATOR).toContain(part);
  });
});
