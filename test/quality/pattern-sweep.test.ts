import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { nlp } from '../../compiler/quality/english-parser.ts';

const require = createRequire(import.meta.url);

/** The package once more, as nobody has changed it. */
function untouched(): typeof nlp {
  const file = require.resolve('compromise/two');
  const loaded = require.cache[file];
  require.cache[file] = undefined;
  const fresh = require(file) as typeof nlp;
  require.cache[file] = loaded;
  return fresh;
}

const theirs = untouched();

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** Triggers and utterances that people wrote, and what no person writes. */
const texts = [
  ...['judged-handbook.yaml', 'judged-free.yaml'].flatMap((file) =>
    strings(parse(readFileSync(new URL(`./paraphrase/${file}`, import.meta.url), 'utf8'))),
  ),
  '…',
  'a-b-c, d/e: F! G?',
  "They're gonna've been re-opening Dr. Smith's 2nd P.O. box in New York on Jan 3rd, 1993 at 5pm.",
];

/** Ids are random. */
const written = (it: unknown) => JSON.stringify(it, (key, value: unknown) => (key === 'id' ? undefined : value));

test('the package loaded twice is two packages, and one of them is changed', () => {
  expect(theirs.methods()).not.toBe(nlp.methods());
});

test('a sentence is parsed as the package itself parses it, which looks up all its patterns', () => {
  const parsed = (parser: typeof nlp, text: string) => written(parser(text).json({ terms: { tags: true } }));
  for (const text of texts) expect(parsed(nlp, text), text).toBe(parsed(theirs, text));
});

test('patterns with every kind of condition match as in the package, in the same order', () => {
  const patterns = [
    { match: 'a #Noun', ifNo: 'dog' },
    { match: '(cat|dog) #Verb' },
    { match: '(cat|bird) (sees|hears)' },
    { match: 'the? #Adjective (cat|bird)', ifNo: ['old', 'dead'] },
    { match: '#Verb .' },
    { match: '. . . . .' },
    { match: '^a' },
    { match: '(cat|dog) #Verb', tag: 'Again' },
  ];
  const found = (parser: typeof nlp, text: string) => {
    const all = parser(text).sweep(parser.buildNet(structuredClone(patterns)), { tagger: false }).found;
    return all.map((it) => {
      const { match, tag, view } = it as { match: string; tag?: string; view: ReturnType<typeof nlp> };
      return [match, tag, view.text()];
    });
  };
  const sentences = [
    'a cat sees a dog',
    'a bird hears the old cat. The dog sees',
    'the young bird',
    'dogs',
    'a cat sees the dead bird',
  ];
  for (const text of sentences) expect(found(nlp, text), text).toEqual(found(theirs, text));
});
