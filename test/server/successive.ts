import { cpSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileToFolder, type TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { unitFile } from '../support/repository.ts';
import { peers } from './deployment.ts';

/** Bundles of one deployment, each newer than the one before. */
export interface Successive {
  /** Every bundle in a folder of its own, and all of them together in the last one. */
  readonly folders: readonly string[];
  readonly revisions: readonly string[];
}

/** The text of `wrap-up` in the n-th bundle; it shows from which bundle an answer comes. */
export const wordsOf = (n: number): string => `Words of bundle ${n}.`;

/**
 * Compiles the peers `count` times; from one bundle to the next only `wrap-up` of `cto` changes, so that the gardens of
 * `cto2` and `ct`, and the shared one, stay as they are.
 */
export async function successive(trust: TestTrust, count: number): Promise<Successive> {
  const repo = peers();
  const folders: string[] = [];
  for (let n = 0; n < count; n++) {
    const unit = unitFile('How to leave work', ['done for today', 'hand over'], '', wordsOf(n));
    repo.write('instructions/agents/cto/wrap-up.md', unit).commit(`bundle ${n}`);
    const before = folders.at(-1);
    const { out } = await compileToFolder(repo.path, { trust, ...(before !== undefined && { previous: before }) });
    folders.push(out);
  }
  return { folders, revisions: folders.map(revisionOf) };
}

/** The current revision of a bundle directory. */
export function revisionOf(folder: string): string {
  return readFileSync(join(folder, 'current'), 'utf8').trim();
}

/** A folder with the roots and gardens of all these bundles, the first of them current. */
export function together({ folders, revisions }: Successive): string {
  const at = tempFolder();
  for (const folder of folders) cpSync(folder, at, { recursive: true });
  announce(at, revisions[0] ?? '');
  return at;
}

/** Replaces `current` as a writer does: by one rename. */
export function announce(folder: string, revision: string): void {
  writeFileSync(join(folder, '.tmp-current'), `${revision}\n`);
  renameSync(join(folder, '.tmp-current'), join(folder, 'current'));
}

/** The digest of the version of a garden that a bundle in a folder of its own has. */
export function versionOf(folder: string, garden: string): string {
  return readdirSync(join(folder, 'gardens', garden))[0] ?? '';
}
