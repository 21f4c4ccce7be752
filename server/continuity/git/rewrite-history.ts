import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { inOwnFolder, runGit } from '../../../compiler/io/git/git-process.ts';
import { BRANCH } from './commit-stream.ts';
import { filterExport, type Erasure, type FilteredExport } from './filter-export.ts';
import { git } from './read-history.ts';
import type { StorePlace } from './repository.ts';

/** Branch of the new history until it replaces the old one. */
export const REWRITTEN_REF = 'refs/heads/rewritten';

/** A history without some versions of its files. */
export interface Rewritten extends Omit<FilteredExport, 'stream'> {
  readonly tip: string;
}

/**
 * The commits of the branch and what each changed, without the bytes of its files.
 *
 * @throws repository_unreadable, git_unavailable
 */
export function exportHistory(place: StorePlace, tip = BRANCH): Promise<Buffer> {
  return git(place, ['fast-export', '--no-data', '--signed-tags=strip', tip]);
}

/**
 * Writes the history again without some versions, as another branch. The new commits name the blobs that stay.
 *
 * @returns null if there is nothing to erase
 * @throws repository_unreadable, git_unavailable
 */
export async function rewriteWithout(place: StorePlace, exported: Buffer, erasure: Erasure): Promise<Rewritten | null> {
  const { stream, ...erased } = filterExport(exported, REWRITTEN_REF, erasure);
  if (erased.blobs.length === 0) return null;
  await git(place, ['-c', 'core.fsync=all', 'fast-import', '--quiet', '--force'], [0], stream);
  const tip = (await git(place, ['rev-parse', '--verify', REWRITTEN_REF])).toString('utf8').trim();
  return { ...erased, tip };
}

/**
 * Lets the branch name the rewritten history, and removes every object that only the old one has. Packs of other
 * processes go too: the caller has made them begin anew. Killed at any point, it is found by `halfReplaced`, and
 * finished by `finishReplacing`.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function replaceHistory(place: StorePlace, to: string, from: string): Promise<void> {
  replaceFile(join(place.folder, REPLACED), `${from}\n`, { mode: 0o600 });
  await git(place, ['-c', 'core.fsync=all', 'update-ref', BRANCH, to, from]);
  await finishReplacing(place);
}

/** Names the commit that the branch named before, for as long as objects or processes may be there that only it has. */
const REPLACED = 'vade-replaced';

/** The tip of a history that a killed process had replaced, or was about to, with objects left; null without one. */
export function halfReplaced({ folder }: StorePlace): string | null {
  return readIfThere(join(folder, REPLACED), 1024, 'refuse')?.toString('utf8').trim() ?? null;
}

/** Removes every object that the branch does not need. @throws repository_unreadable, git_unavailable */
export async function finishReplacing(place: StorePlace): Promise<void> {
  await git(place, ['update-ref', '-d', REWRITTEN_REF]);
  const packs = join(place.folder, 'objects/pack');
  for (const name of readdirSync(packs).filter((it) => it.endsWith('.keep')))
    rmSync(join(packs, name), { force: true });
  await git(place, ['-c', 'core.fsync=all', 'repack', '-a', '-d', '-q']);
  await git(place, ['prune', '--expire=now']);
}

/** When nothing remembers the old history any more. */
export function forgetReplaced({ folder }: StorePlace): void {
  rmSync(join(folder, REPLACED), { force: true });
}

/**
 * Whether a folder of objects, such as that of a backup, has one of some blobs. Nothing else of it is read, so that no
 * configuration that lies beside it counts.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function hasBlob(objects: string, blobs: readonly string[]): Promise<boolean> {
  if (!existsSync(objects)) return false;
  const input = blobs.map((it) => `${it}\n`).join('');
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const known = await inOwnFolder((own) => runGit(['cat-file', '--batch-check'], { own, input, env }));
  return / blob \d+\n/.test(known.toString('utf8'));
}
