import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { measureDiversity } from '../../../compiler/quality/paraphrase/diversity.ts';
import { createParaphraser, paraphrase } from '../../../compiler/quality/paraphrase/paraphrase.ts';
import { stemsOf, triggerFilter } from '../../../compiler/quality/paraphrase/stems.ts';
import { GENERATOR, LEXICON_DIGEST, PARSER_VERSION } from '../../../compiler/schema/bundle/generator-version.ts';
import { GOLDEN } from '../golden.ts';

const { lexicon, digest } = readLexicon();
const generate = createParaphraser(lexicon);

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
  test('paraphrases match a table that a person has reviewed', () => {
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
  ])('an intent of this kind gets five paraphrases: %s', (_, intent) => {
    expect(generate(intent)).toHaveLength(5);
  });

  test.each(['', ' ', '?!', '—', '…\n'])('the text %j without a word gets no paraphrase', (intent) => {
    expect(generate(intent)).toEqual([]);
  });

  test('paraphrases differ from the trigger and from each other after stemming', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        const stems = [intent, ...generate(intent)].map(stemsOf);
        expect(new Set(stems).size).toBe(stems.length);
      }),
    );
  });

  test('every intent gets five paraphrases, the same each time', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        expect(generate(intent)).toHaveLength(5);
        expect(paraphrase(intent, lexicon)).toEqual(generate(intent));
      }),
      { numRuns: 30 },
    );
  });

  test('the generator survives every string; a text with a letter or digit always gets a paraphrase', () => {
    fc.assert(
      fc.property(hostile, (intent) => {
        const made = generate(intent);
        expect(made.length > 0).toBe(/[\p{L}\p{N}]/u.test(intent));
        for (const text of made) expect(text).not.toMatch(/undefined|NaN|\{\}/);
      }),
      { numRuns: 300 },
    );
  });

  test('paraphrases leave out texts with the stems of a trigger', () => {
    const [first = ''] = generate('rotate a leaked credential');
    const isTrigger = triggerFilter([first]);
    const others = generate('rotate a leaked credential', 5, isTrigger);
    expect(others).toHaveLength(5);
    expect(others.map(stemsOf)).not.toContain(stemsOf(first));
  });

  test('the generator makes the requested number of paraphrases', () => {
    for (const n of [0, 1, 3, 8]) expect(generate('route a task to a lead', n)).toHaveLength(n);
  });
});

describe('§21.8.3: diverse in words and in syntax', () => {
  const sets = GOLDEN.map(([intent]) => [intent, generate(intent)] as const);

  test('the paraphrases are diverse in words and in syntax', () => {
    const { words, syntax } = measureDiversity(sets);
    expect(words).toBeGreaterThan(0.4);
    expect(syntax).toBeGreaterThan(0.5);
  });

  test('most triggers get a paraphrase with another word', () => {
    const changed = sets.filter(([intent, made]) => {
      const own = stemsOf(intent).split(' ');
      return made.some((it) => own.some((stem) => !stemsOf(it).split(' ').includes(stem)));
    });
    expect(changed.length).toBeGreaterThan(sets.length / 2);
  });

  test('repetitions and empty sets have a diversity of 0', () => {
    expect(measureDiversity([['route a task', ['route a task', 'route a task']]])).toEqual({ words: 0, syntax: 0 });
    expect(measureDiversity([])).toEqual({ words: 0, syntax: 0 });
    expect(measureDiversity([['route a task', []]])).toEqual({ words: 0, syntax: 0 });
  });

  test('other words in the same sentence change only the words measure, and another sentence changes mostly the syntax measure', () => {
    const words = measureDiversity([['route a task to a lead', ['hand a ticket to a chief']]]);
    const syntax = measureDiversity([['route a task to a lead', ['a task which we route']]]);
    expect(words).toEqual({ words: 1, syntax: 0 });
    expect(syntax.syntax).toBeGreaterThan(syntax.words);
  });
});

describe('the generator’s name', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };

  test('the name of the generator has the parser’s version and the lexicon’s digest', () => {
    expect(PARSER_VERSION).toBe(dependencies['compromise']);
    expect(LEXICON_DIGEST).toBe(digest);
    for (const part of [PARSER_VERSION, digest]) expect(GENERATOR).toContain(part);
  });
});
