import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { sourcesMissing } from '../../schema/source/sources.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { CAPABILITY_ADD } from './flags.ts';
import { filesOf, openLibrary } from './library.ts';

type AddFlags = Arguments<typeof CAPABILITY_ADD>;

/** Files that were copied into a handbook, by path below its sources. */
export interface AddedFiles {
  readonly written: readonly string[];
  /** Files that were there already, with the same bytes. */
  readonly kept: readonly string[];
}

/**
 * Copies atoms and roles of the library into a handbook; nothing that is there is replaced.
 *
 * @throws argument_invalid, source_not_found, already_exists, output_failed
 */
export function addCapabilities(flags: AddFlags, world: World): AddedFiles {
  const { atom, role, repo, source } = flags;
  if (atom.length + role.length === 0) throw new VadeError('argument_invalid', 'name an --atom or a --role to add');
  const folder = resolve(world.cwd, repo, source);
  if (!existsSync(folder)) throw sourcesMissing(source, repo);
  const files = [...filesOf(openLibrary(), atom, role)];
  const kept = files.filter(([path, bytes]) => isSame(folder, path, bytes));
  const missing = files.filter((it) => !kept.includes(it));
  if (!flags['dry-run']) for (const [path, bytes] of missing) createFile(join(folder, path), bytes, { folders: true });
  return { written: missing.map(([path]) => path), kept: kept.map(([path]) => path) };
}

/** Whether a file is there with these bytes. Untrusted tree: no link is followed. @throws already_exists */
function isSame(folder: string, path: string, bytes: Buffer): boolean {
  const place = join(folder, path);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) {
    assertNoLink(folder, path);
    return false;
  }
  assertNoLink(folder, path);
  if (found.isFile() && readFileSync(place).equals(bytes)) return true;
  throw new VadeError('already_exists', `${path} already exists and differs from the library; nothing was copied`);
}

/** The nearest folder that exists must really lie below the sources. */
function assertNoLink(folder: string, path: string): void {
  let at = dirname(join(folder, path));
  while (!existsSync(at)) at = dirname(at);
  const real = realpathSync(at);
  if (real === join(realpathSync(folder), at.slice(folder.length))) return;
  throw new VadeError('already_exists', `the folder of ${path} is a symbolic link; nothing was copied`);
}
