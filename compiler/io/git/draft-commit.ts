import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { Person } from '../../schema/source/sources.ts';
import { openGit, type Git } from './git.ts';
import { commitAt } from './objects.ts';
import { findRepository } from './repository.ts';

/** A commit that no branch contains yet; times are seconds since 1970. */
export interface CommitDraft {
  readonly parent: string;
  /** New contents of files, by their path in the repository. */
  readonly files: ReadonlyMap<string, { readonly text: string; readonly mode: string }>;
  readonly author: Person;
  readonly at: number;
  readonly message: string;
}

/** A branch, by its full name, and its commit. */
export interface Branch {
  readonly ref: string;
  readonly commit: string;
  readonly committed: number;
}

/** Reads the commit of a branch. @throws ref_not_found, source_not_found */
export async function readBranch(repo: string, name: string): Promise<Branch> {
  const ref = name.startsWith('refs/heads/') ? name : `refs/heads/${name}`;
  const git = await open(repo);
  const commit = await commitAt(git, ref);
  if (commit === null) throw new VadeError('ref_not_found', `${name} is not a branch of this repository`);
  const committed = Number(await git.text(['log', '-1', '--format=%ct', commit]));
  return { ref, commit, committed };
}

/**
 * Writes a commit without a working tree: blobs, a tree from a temporary index, the commit. The same draft gives the
 * same commit; it is unreachable until a branch is moved to it.
 *
 * @throws output_failed
 */
export async function draftCommit(repo: string, { parent, files, author, at, message }: CommitDraft): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'vade-index-'));
  const when = `${at} +0000`;
  const git = await open(repo, {
    GIT_INDEX_FILE: join(scratch, 'index'),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: when,
  });
  try {
    await git.text(['read-tree', parent]);
    let lines = '';
    for (const [path, { text, mode }] of files) {
      const blob = (await git.text(['hash-object', '-w', '--no-filters', '--stdin'], text)).trim();
      lines += `${mode} ${blob}\t${path}\0`;
    }
    await git.text(['update-index', '-z', '--index-info'], lines);
    const tree = (await git.text(['write-tree'])).trim();
    return (await git.text(['commit-tree', tree, '-p', parent], `${message}\n`)).trim();
  } catch (error) {
    throw new VadeError('output_failed', `${repo} cannot be written: ${messageOf(error)}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const TRIES = 40;
const WAIT_MS = 50;

/**
 * Moves a branch to a drafted commit if it still is at the draft's parent: the commit point of a publication.
 *
 * @returns whether it was moved; false if another process moved it first
 * @throws output_failed
 */
export async function advanceBranch(repo: string, branch: Branch, to: string): Promise<boolean> {
  const git = await open(repo);
  for (let tries = 1; ; tries++) {
    try {
      await git.text(['update-ref', branch.ref, to, branch.commit]);
      return true;
    } catch (error) {
      const now = await commitAt(git, branch.ref);
      if (now !== branch.commit) return now === to;
      // another process has locked the branch, and may be about to move it
      if (tries === TRIES) throw new VadeError('output_failed', `${branch.ref} cannot be moved: ${messageOf(error)}`);
      await setTimeout(WAIT_MS);
    }
  }
}

/** Whether a working tree of the repository has this branch checked out. */
export async function isCheckedOut(repo: string, { ref }: Branch): Promise<boolean> {
  const worktrees = await (await open(repo)).text(['worktree', 'list', '--porcelain', '-z']);
  const blocks = worktrees.split('\0\0').map((it) => it.split('\0'));
  return blocks.some((lines) => lines.includes(`branch ${ref}`) && !lines.includes('bare'));
}

/** @throws source_not_found, repository_refused */
async function open(repo: string, environment: Readonly<Record<string, string>> = {}): Promise<Git> {
  const place = existsSync(repo) ? await findRepository(repo) : null;
  if (!place) throw new VadeError('source_not_found', `${repo} is not a git repository`);
  return openGit(place, environment);
}
