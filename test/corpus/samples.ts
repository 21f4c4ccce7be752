import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { corpusOf } from '../support/corpus.ts';

/** An intent with words of the texts any of which answers it. */
const Question = z.strictObject({ intent: z.string(), wants: z.array(z.string()).min(1) });

const Questions = z.record(z.string(), z.strictObject({ ask: z.array(Question), rules: z.array(z.string()) }));

/** A file or folder of other people's shape, with the questions that were written from it alone. */
export interface Sample {
  readonly name: string;
  /** Where it is; for the shared corpus outside this repository. */
  readonly path: string;
  readonly ask: readonly z.infer<typeof Question>[];
  /** Words of each rule that holds in every task. */
  readonly rules: readonly string[];
}

/** The samples of one set: `styles`, which are here, or `shapes`, which the shared corpus has. */
export function samplesOf(set: 'styles' | 'shapes'): Sample[] {
  const folder = set === 'styles' ? join(import.meta.dirname, set) : corpusOf(set).path;
  if (!existsSync(folder)) return [];
  const all = Questions.parse(parse(readFileSync(join(import.meta.dirname, 'questions.yaml'), 'utf8')));
  return Object.entries(all).flatMap(([key, { ask, rules }]) => {
    const [of, ...rest] = key.split('/');
    const name = rest.join('/');
    return of === set ? [{ name, path: join(folder, name), ask, rules }] : [];
  });
}
