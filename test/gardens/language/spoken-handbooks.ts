import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Language } from '../../../compiler/schema/source/language.ts';
import type { Planted } from '../../recall/garden.ts';

/** A small handbook in one language, with questions that were written before any of them was asked. */
export interface SpokenHandbook {
  readonly language: Language;
  readonly units: readonly Planted[];
  /** Questions, each with the unit that answers it. */
  readonly questions: readonly (readonly [question: string, unit: string])[];
  /** Questions that no unit answers. */
  readonly offTopic: readonly string[];
  /** More of both, written after the constants of low confidence had been chosen by the ones above. */
  readonly later: Pick<SpokenHandbook, 'questions' | 'offTopic'>;
}

export const CHINESE = read('chinese');
export const GERMAN = read('german');
export const JAPANESE = read('japanese');

function read(name: string): SpokenHandbook {
  return parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as SpokenHandbook;
}
