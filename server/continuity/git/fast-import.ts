import { once } from 'node:events';
import { join } from 'node:path';
import { openFolders } from '../../../compiler/io/files/durable.ts';
import { spawnGit } from '../../../compiler/io/git/git-process.ts';
import { commitCommands, type NewCommit } from './commit-stream.ts';
import { createLineReader } from './line-reader.ts';
import { readTip, type StorePlace } from './repository.ts';

/** One running `git fast-import`, which takes many batches of commits. */
export interface ImportStream {
  /**
   * Commits on top of each other, and resolves once all of them survive a loss of power.
   *
   * @param tip the commit that the branch names now; null for none yet
   * @param commits at least one
   * @returns their ids, in order
   * @throws Error if git has ended or the branch was not moved; then it is unknown which of them are there
   */
  readonly append: (tip: string | null, commits: readonly NewCommit[]) => Promise<readonly string[]>;
  /** Number of batches that it took. A long-lived process keeps every pack that it wrote. */
  readonly batches: () => number;
  readonly end: () => Promise<void>;
  /** Ends it at once; what it has not acknowledged is not written. */
  readonly kill: () => void;
}

/** `core.fsync` came with 2.36; before it, git did not sync refs. */
const LEAST = [2, 36] as const;

/** A batch that takes longer is given up, in milliseconds: a disk that hangs must not stop everything. */
const BATCH_MS = 5000;

/**
 * Settings of the stream. `core.fsync=all`: git does not sync refs by default. `unpackLimit=0`: a batch stays one pack,
 * where loose objects would cost a file and a sync each.
 */
const SETTINGS = ['core.fsync=all', 'fastimport.unpackLimit=0', 'pack.compression=1'].flatMap((it) => ['-c', it]);

/**
 * Starts a stream into a repository. With `--done`, input that stops anywhere but at `done` leaves the branch as it
 * was: a server that is killed writes nothing afterwards.
 *
 * @throws git_unavailable
 */
export async function startImport({ folder, avoid }: StorePlace): Promise<ImportStream> {
  const args = [...SETTINGS, 'fast-import', '--quiet', '--done', '--date-format=raw', '--cat-blob-fd=1'];
  const changed = await openFolders(['objects/pack', 'refs/heads'].map((name) => join(folder, name)));
  const child = await spawnGit(args, { own: folder, avoid, least: LEAST }).catch(async (error: unknown) => {
    await changed.close();
    throw error;
  });
  const lines = createLineReader(child);
  child.once('close', () => void changed.close());
  let batches = 0;
  const append: ImportStream['append'] = async (tip, commits) => {
    batches += 1;
    const done = `done-${batches}`;
    for (const [i, it] of commits.entries()) child.stdin.write(commitCommands(it, i + 1, i === 0 ? tip : `:${i}`));
    child.stdin.write(`checkpoint\nprogress ${done}\n`);
    const said = await lines.take(commits.length + 1, BATCH_MS);
    const ids = said.slice(0, -1);
    if (said.at(-1) !== `progress ${done}` || !ids.every((it) => COMMIT_ID.test(it)))
      throw new Error('git gave an unexpected answer');
    // git does not move a branch that somebody else moved meanwhile, and says so only on standard error
    if (readTip(folder) !== ids.at(-1)) throw new Error('the branch was moved by another process');
    await changed.sync();
    return ids;
  };
  const kill = () => void child.kill('SIGKILL');
  const end = async () => {
    if (lines.hasEnded()) return;
    const closed = once(child, 'close');
    child.stdin.end('done\n');
    const timer = setTimeout(kill, BATCH_MS);
    await closed;
    clearTimeout(timer);
  };
  return { append, batches: () => batches, end, kill };
}

const COMMIT_ID = /^[0-9a-f]{40}$/;
