import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { gather } from '../../compiler/encoder/gather/gather.ts';
import type { Group } from '../../compiler/encoder/gather/groups.ts';
import type { Pair, Text } from '../../compiler/encoder/gather/texts.ts';
import { isHeldOut } from '../../compiler/quality/paraphrase/held-out.ts';
import { tempFolder } from '../support/folder.ts';
import { DOMAIN, frames, groups, LISTED, synsets, TEACHER, words, writeInputs, type Planted } from './inputs.ts';

const FILES = ['texts.jsonl', 'pairs.jsonl', 'tokenizer.json'];

/** Both sides of a resource. */
function split<T>(all: readonly T[], isKept: (one: T) => boolean): { given: T[]; heldOut: T[] } {
  return { given: all.filter((it) => !isKept(it)), heldOut: all.filter((it) => isKept(it)) };
}
const synset = split(synsets, ({ id }) => isHeldOut('synset', id.replace('s', 'a')));
const group = split(groups, ({ id }) => isHeldOut('group', id));
const frame = split(frames, (it) => isHeldOut('frame', it));

const saidBy = ({ definition, examples }: Planted) => [definition, ...examples];
const saidIn = ({ means, words: own, examples }: Group) => [means, ...own, ...examples];
const wordsOf = (texts: readonly string[]) => texts.flatMap((it) => it.toLowerCase().match(/[a-z]{2,}/g) ?? []);

const { modules, teacher } = writeInputs();

function gathered(): string {
  const out = join(tempFolder(), 'out');
  gather(modules, DOMAIN, teacher, out);
  return out;
}

describe('training texts and the coverage gate’s paraphrases', () => {
  let texts: Text[];
  let pairs: Pair[];
  /** Everything that was gathered, in lower case. */
  let said: Set<string>;
  beforeAll(() => {
    const out = gathered();
    const rows = (file: string) =>
      readFileSync(join(out, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as string[]);
    texts = rows('texts.jsonl') as unknown as Text[];
    pairs = rows('pairs.jsonl') as unknown as Pair[];
    said = new Set([...texts, ...pairs].flatMap(([, ...own]) => own).map((it) => it.toLowerCase()));
  });

  test('the test inputs have given and held-out synsets, groups and frames', () => {
    for (const { given, heldOut } of [synset, group, frame]) {
      expect(Math.min(given.length, heldOut.length)).toBeGreaterThanOrEqual(5);
    }
    for (const list of [synset.given, synset.heldOut]) {
      expect(list.filter(({ examples }) => examples.length > 0).length).toBeGreaterThan(1);
    }
  });

  test('the texts of every given synset are gathered, and paired with its lemmas', () => {
    expect(synset.given.flatMap(saidBy).filter((it) => !said.has(it))).toEqual([]);
    for (const { lemmas, definition } of synset.given) expect(pairs).toContainEqual(['defined', lemmas[0], definition]);
  });

  test('no text of a held-out synset is gathered, and none of its lemmas is paired', () => {
    expect(synset.heldOut.flatMap(saidBy).filter((it) => said.has(it))).toEqual([]);
    const lemmas = new Set(synset.heldOut.flatMap((it) => it.lemmas));
    expect(pairs.filter((pair) => pair.some((it) => lemmas.has(it)))).toEqual([]);
    expect(texts.filter(([source, text]) => source === 'lemma' && lemmas.has(text))).toEqual([]);
  });

  test('the texts of every given group are gathered, and its words are paired with its meaning', () => {
    expect(group.given.flatMap(saidIn).filter((it) => !said.has(it.toLowerCase()))).toEqual([]);
    const paired = new Set(pairs.map((it) => it.join('\0')));
    const wanted = group.given.flatMap(({ means, words: own }) => own.map((it) => ['group', it, means].join('\0')));
    expect(wanted.filter((it) => !paired.has(it))).toEqual([]);
  });

  test('a held-out group gives nothing but single words that a given resource also has', () => {
    const elsewhere = new Set([
      ...words,
      ...LISTED,
      ...TEACHER,
      ...wordsOf(group.given.flatMap(({ words: own, examples }) => [...own, ...examples])),
      ...synset.given.flatMap(({ lemmas }) => lemmas),
    ]);
    const own = group.heldOut.flatMap(saidIn).map((it) => it.toLowerCase());
    expect(own.filter((it) => said.has(it) && !elsewhere.has(it))).toEqual([]);
    expect(own.filter((it) => said.has(it)).length).toBeLessThan(0.2 * own.length);
    const paired = new Set(pairs.flatMap(([, ...both]) => both.map((it) => it.toLowerCase())));
    expect(own.filter((it) => paired.has(it))).toEqual([]);
  });

  test('every sentence has the form of a given frame', () => {
    const lemmas = (kind: string) => synset.given.filter(({ id }) => id.startsWith(kind)).flatMap((it) => it.lemmas);
    const slots = { noun: lemmas('n').join('|'), verb: lemmas('v').join('|'), word: '[a-z]{2,}' };
    const shape = (it: string) =>
      `^${it.replace(/\{(noun|verb|word)\}/g, (_, slot: keyof typeof slots) => `(?:${slots[slot]})`)}$`;
    const given = new RegExp(frame.given.map(shape).join('|'));
    const sentences = texts.filter(([source]) => source === 'sentence').map(([, text]) => text);
    expect(sentences.length).toBeGreaterThan(1000);
    expect(sentences.filter((it) => !given.test(it))).toEqual([]);
    // the check would see a frame of the gate's
    const [noun = '', verb = ''] = [lemmas('n')[0], lemmas('v')[0]];
    const filled = frame.heldOut.map((it) => it.replaceAll('{noun}', noun).replace(/\{(verb|word)\}/g, verb));
    expect(filled.filter((it) => !given.test(it)).length).toBeGreaterThan(0.9 * filled.length);
  });

  test('comments of all packages but the dictionaries are gathered, without changelogs', () => {
    expect(pairs).toContainEqual([...['named', 'parcel keeper', 'The person who looks after the parcel office.']]);
    expect(said).toContain('a room is where people talk to each other.');
    expect([...said].filter((it) => /was packed|line of the history/.test(it))).toEqual([]);
  });

  test('every text is gathered once, and has at most forty words', () => {
    expect(new Set(texts.map(([, text]) => text.toLowerCase())).size).toBe(texts.length);
    expect(texts.filter(([, text]) => text.split(' ').length > 40)).toEqual([]);
  });

  test('a lemma that is not in the vocabulary is not gathered', () => {
    expect(synset.given.flatMap((it) => it.lemmas)).toContain('gleamwick');
    expect(said.has('trellis')).toBe(true);
    expect(texts.filter(([, text]) => text.includes('gleamwick'))).toEqual([]);
  });
});

test('the same inputs give the same files, and the tokenizer has every word to keep', () => {
  const [a, b] = [gathered(), gathered()];
  for (const file of FILES) expect(readFileSync(join(a, file)).equals(readFileSync(join(b, file)))).toBe(true);
  const tokenizer = JSON.parse(readFileSync(join(a, 'tokenizer.json'), 'utf8')) as { model: { vocab: [string][] } };
  const tokens = new Set(tokenizer.model.vocab.map(([token]) => token));
  expect([...words, ...TEACHER, ...LISTED].filter((it) => !tokens.has(it))).toEqual([]);
});
