import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import type { FileChange } from '../schema/snapshot.ts';
import type { PrivateGit } from './private-git.ts';
import { shownPath } from './raw-path.ts';

/** Main and a snapshot merged: one tree, or the files that both changed. */
export type Merged = { readonly tree: string } | { readonly conflicts: readonly string[] };

/** Merges two commits without a working tree; no reference moves. @throws repository_unreadable */
export async function mergeCommits(git: PrivateGit, main: string, snapshot: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', main, snapshot];
  const output = (await git.run(args, { accept: [0, 1] })).toString('latin1');
  const [tree = '', ...names] = output.split('\0');
  if (!/^[0-9a-f]{40,64}$/.test(tree))
    throw new VadeError('repository_unreadable', 'the output of git merge-tree has an unknown format');
  const conflicts = [...new Set(names.filter((it) => it !== ''))].map(shownPath).sort();
  return conflicts.length === 0 ? { tree } : { conflicts };
}

const LINE = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;
const NONE = /^0+$/;

/** The files that differ between two trees; a file that was moved is one that is gone and one that is new. */
export async function changedFiles(git: PrivateGit, from: string, to: string): Promise<FileChange[]> {
  const output = await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to]);
  const parts = output.toString('latin1').split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, , mode = '', before = '', after = ''] = LINE.exec(parts[at] ?? '') ?? [];
    if (mode === '') throw new VadeError('repository_unreadable', 'the output of git diff-tree has an unknown format');
    const idOf = (id: string) => (NONE.test(id) ? null : id);
    changes.push({
      path: shownPath(parts[at + 1] ?? ''),
      before: idOf(before),
      after: idOf(after),
      mode: NONE.test(mode) ? null : mode,
    });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Writes the files of a tree into a new folder, exactly as they are stored: no filter runs and no line end changes. */
export async function checkOut(git: PrivateGit, tree: string, folder: string): Promise<void> {
  mkdirSync(folder);
  // an index that knows the files of another folder would take those of this one for written
  const env = {
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(git.objects, `../index-${basename(dirname(folder))}-${basename(folder)}`),
  };
  await git.run(['read-tree', '-m', '-u', tree], { env });
}
