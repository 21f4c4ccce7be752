import type { Word } from 'unbash';
import type { Reading } from './reading.ts';
import type { Field } from './words/field.ts';
import { combine } from './words/word-building.ts';

/** Expands a word that stays one word, such as the value of an assignment or the target of a redirection. */
export function expandOne(word: Word, reading: Reading): Field[] {
  return [...new Set(reading.shell.expand(word, reading).map((words) => words.join(' ')))];
}

/** Expands several words one after the other; null if there are too many ways to do so. */
export function expandAll(words: readonly Word[], reading: Reading): Field[][] | null {
  const all = combine(words.map((it) => reading.shell.expand(it, reading)));
  return all === null ? null : all.map((fields) => fields.flat());
}
