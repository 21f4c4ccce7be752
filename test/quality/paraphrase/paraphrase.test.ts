import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { measureDiversity } from '../../../compiler/quality/paraphrase/diversity.ts';
import { createParaphraser } from '../../../compiler/quality/paraphrase/paraphrase.ts';
import { stemsOf, triggerFilter } from '../../../compiler/quality/paraphrase/stems.ts';
import { GENERATOR, LEXICON_DIGEST, PARSER_VERSION } from '../../../compiler/schema/bundle/generator-version.ts';
import { anyCharacter } from '../../support/any-character.ts';

const { lexicon, digest } = readLexicon();
const generate = createParaphraser(lexicon);

const SAID =
  'deploy the service to a production team review an urgent request customers are waiting who may approve my budget report it';
const WORDS = SAID.split(' ');
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((it) => it.join(' '));
const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
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

const texts = (intent: string, n?: number) => generate(intent, n).map(({ text }) => text);

describe('§21.8.3: five paraphrases of every trigger', () => {
  test.each([
    ['one word', 'rollback'],
    ['function words alone', 'what can I do for you'],
    ['200 characters', 'review the quarterly report '.repeat(8).slice(0, 200)],
    ['a capital and a full stop', 'Rotate the keys.'],
    ['an abbreviation alone', 'TLS'],
    ['a question', 'who owns this?'],
    ['a situation', 'a lead missed the deadline'],
    ['a condition', 'before deploying to production'],
    ['a gerund', 'writing a commit message'],
    ['a prohibition', 'do not delete old files'],
  ])('an intent of this kind gets five paraphrases: %s', (_, intent) => {
    expect(generate(intent)).toHaveLength(5);
  });

  test.each(['', ' ', '?!', '—', '…\n'])('the text %j without a word gets no paraphrase', (intent) => {
    expect(generate(intent)).toEqual([]);
  });

  test.each([
    ['Chinese', '如何请假'],
    ['Japanese with spaces', '休暇 申請'],
    ['German', 'Berechtigungen prüfen'],
    ['German in one word', 'Kündigung'],
    ['German with small words', 'wie beantrage ich Urlaub'],
    ['French', 'demander un congé'],
    ['French with a word that English has', 'comment faire un backup'],
    ['German with an English noun', 'das Meeting nicht absagen'],
    ['Spanish', 'crear una factura para el cliente'],
  ])('an intent in another language than English gets no paraphrase: %s', (_, intent) => {
    expect(generate(intent)).toEqual([]);
  });

  test.each([
    ['a command', 'kubectl rollout undo deployment/api'],
    ['a flag', 'git rebase -i main'],
    ['an identifier', 'useEffect'],
    ['the name of a product', 'PostgreSQL'],
    ['a small word that another language has too', 'test one thing per file'],
    ['a verb that is a small word elsewhere', 'comment code'],
    ['a place', 'a flight to los angeles'],
    ['letters with marks', 'résumé review'],
    ['a person', 'the Müller account'],
    ['unknown words alone', 'Urlaub beantragen'],
    ['one small word of another language', 'das Meeting absagen'],
    ['a number', '404'],
  ])('an English intent with what looks foreign gets paraphrases: %s', (_, intent) => {
    expect(generate(intent)).toHaveLength(5);
  });

  test('paraphrases differ from the trigger and from each other after stemming', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        const stems = [intent, ...texts(intent)].map(stemsOf);
        expect(new Set(stems).size).toBe(stems.length);
      }),
    );
  });

  test('every intent gets five paraphrases, the same each time', () => {
    fc.assert(
      fc.property(sentence, (intent) => {
        expect(generate(intent)).toHaveLength(5);
        expect(createParaphraser(lexicon)(intent)).toEqual(generate(intent));
      }),
      { numRuns: 30 },
    );
  });

  test('the generator survives every string', () => {
    fc.assert(
      fc.property(hostile, (intent) => {
        for (const text of texts(intent)) expect(text).not.toMatch(/undefined|NaN/);
      }),
      { numRuns: 300 },
    );
  });

  test('paraphrases leave out texts with the stems of a trigger', () => {
    const [first = ''] = texts('rotate a leaked credential');
    const isTrigger = triggerFilter([first]);
    const others = generate('rotate a leaked credential', 5, isTrigger).map(({ text }) => text);
    expect(others).toHaveLength(5);
    expect(others.map(stemsOf)).not.toContain(stemsOf(first));
  });

  test('the generator makes the requested number of paraphrases', () => {
    for (const n of [0, 1, 3, 8]) expect(generate('route a task to a lead', n)).toHaveLength(n);
  });
});

describe('what a paraphrase keeps', () => {
  const said = fc.constantFrom(...WORDS, 'task', 'customer', 'fix', 'cancel', 'error', 'goal', 'is', 'and', 'my');
  const kept = fc.constantFrom(
    'BigQuery',
    'v2.1.0',
    '42',
    '$500',
    '`npm run build`',
    'config.yaml',
    'feature/login',
    'ACME-17',
    '--force',
    'O’Neill',
    'iOS',
    '2FA',
    '“ticket”',
  );
  const denial = fc.constantFrom('not', "don't", 'never', "can't", 'without', 'no');
  const around = (inner: fc.Arbitrary<string>) =>
    fc.tuple(fc.array(said, { minLength: 1, maxLength: 4 }), inner, fc.array(said, { minLength: 1, maxLength: 4 }));

  test('names, numbers and code stay as they are', () => {
    fc.assert(
      fc.property(around(kept), ([before, name, after]) => {
        for (const text of texts([...before, name, ...after].join(' '))) expect(text).toContain(name.normalize('NFKC'));
      }),
      { numRuns: 200 },
    );
  });

  test('what an intent denies, its paraphrases deny, and nothing else', () => {
    const DENIAL = /\b(?:not|never|without|no|cannot)\b|n['’]t\b/gi;
    fc.assert(
      fc.property(around(fc.oneof(denial, said)), ([before, word, after]) => {
        const intent = [...before, word, ...after].join(' ');
        for (const text of texts(intent)) expect(text.match(DENIAL) ?? []).toEqual(intent.match(DENIAL) ?? []);
      }),
      { numRuns: 200 },
    );
  });

  test('words are replaced as wholes only', () => {
    for (const text of texts('the préprod issues of subtasks')) expect(text).toContain('préprod issues of subtasks');
  });

  test('a word that could mean something else is not replaced: a task force is no job force', () => {
    for (const text of texts('join the task force')) expect(text).toContain('task force');
    for (const text of texts('what do you call this')) expect(text).not.toMatch(/phone|ring/);
  });

  test('a word is replaced where the words around it say what it means', () => {
    expect(texts('restore the database from a backup').join()).toContain('recover');
    expect(texts('restore trust in the team').join()).not.toContain('recover');
  });

  test('a text that no frame fits gets mechanical paraphrases, and says so', () => {
    expect(new Set(generate('do not delete old files').map(({ kind }) => kind))).toEqual(new Set(['mechanical']));
    expect(new Set(generate('route a task to a lead').map(({ kind }) => kind))).toEqual(new Set(['sound']));
  });
});

describe('§21.8.3: diverse in words and in syntax', () => {
  const sets = [
    'route a task to a lead',
    'turn down a low-priority request',
    'settle a dispute between teams',
    'calm down an angry customer',
    "review an engineer's pull request",
    'a lead missed the deadline',
    'company budget is running out',
    'customer is locked out of account',
    'am I allowed to decide alone',
    'how urgent is this weakness',
    'how do I restore a deleted database?',
    'Please buy a new licence',
    'last checks before I exit',
    'need permission for a risky step',
    'I am blocked and cannot continue',
    'change production data by hand',
  ].map((intent) => [intent, texts(intent)] as const);

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
