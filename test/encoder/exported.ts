import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportModel } from '../../compiler/encoder/export.ts';
import { tokenizerOf } from '../../compiler/encoder/gather/tokenizer.ts';
import { tempFolder } from '../support/folder.ts';

/** A token's row before it is exported. */
export type RowOf = (token: string, place: number) => readonly number[];

export interface Exported {
  /** Holds the folder of the model `made`. */
  readonly models: string;
  readonly folder: string;
  readonly tokens: readonly string[];
}

/** Exports a model of these words (the endings first) as the training would leave it. */
export function exported(words: readonly string[], dims: number, rowOf: RowOf): Exported {
  const models = tempFolder();
  const [work, folder] = [join(models, 'work'), join(models, 'made')];
  mkdirSync(work);
  const tokenizer = tokenizerOf(words);
  const tokens = tokenizer.model.vocab.map(([token]) => token);
  const table = Float32Array.from(tokens.flatMap((token, place) => rowOf(token, place)));
  writeFileSync(join(work, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(work, 'table.f32'), new Uint8Array(table.buffer));
  exportModel(work, folder, dims);
  return { models, folder, tokens };
}
