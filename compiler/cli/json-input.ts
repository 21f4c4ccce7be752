import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { VadeError } from '../schema/errors.ts';
import { parseExact, readUtf8 } from '../schema/exact-json.ts';
import { asWritten } from '../schema/text-file.ts';
import { type World } from '../world/world.ts';
import { MAX_INPUT_BYTES } from './registry.ts';

/** The JSON of `--input-file`; `-` is standard input. @throws source_not_found, argument_invalid */
export async function readJson(file: string, world: World): Promise<unknown> {
  return parseExact(asWritten(await readInput(file, world)), 'argument_invalid');
}

/** The text of a small file; `-` is standard input. @throws source_not_found, argument_invalid */
export async function readInput(file: string, world: World): Promise<string> {
  return file === '-' ? world.stdin() : readSmall(resolve(world.cwd, file));
}

function readSmall(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new VadeError('source_not_found', `${path} does not exist`);
  if (stat.size > MAX_INPUT_BYTES) throw new VadeError('argument_invalid', `${path} is larger than 64 KiB`);
  return readUtf8(readFileSync(path), 'argument_invalid');
}
