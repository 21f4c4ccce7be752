import type { NewCommit } from '../git/commit-stream.ts';
import { startImport, type ImportStream } from '../git/fast-import.ts';
import { freeLocks } from '../git/leftovers.ts';
import { hasManyPacks, joinPacks } from '../git/packs.ts';
import { readTip, type StorePlace } from '../git/repository.ts';
import { FORMAT_PATH, formatFile, requireKnown } from '../state/store-format.ts';
import { batchOf, type WriteOutcome } from './batch.ts';
import type { StateCopy } from './mirror.ts';
import type { ApplyMutation, Mutation } from './mutation.ts';

/** Writes batches of mutations to git; its caller is the only writer of all processes meanwhile. */
export interface Writer {
  /** @throws Error if it is not known what git has; continuity_unavailable for a store of another format */
  readonly write: (batch: readonly Mutation[]) => Promise<readonly WriteOutcome[]>;
  /** Ends git, and joins its packs if there are many. */
  readonly rest: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface WriterOptions {
  readonly owner: string;
  readonly apply: ApplyMutation;
  /** Called with what went wrong and was survived. */
  readonly onTrouble: (error: unknown) => void;
}

/** A stream keeps every pack that it wrote; it ends after so many batches. */
const BATCHES = 100;

export function createWriter(place: StorePlace, mirror: StateCopy, options: WriterOptions): Writer {
  const stream = createRestartedStream(place, options.onTrouble);
  /** Once more with a new git, if the branch is where it was: then nothing of the first attempt is there. */
  const append = (tip: string | null, commits: readonly NewCommit[]) =>
    stream.append(tip, commits).catch((error: unknown) => {
      if (readTip(place.folder) !== tip) throw error;
      options.onTrouble(error);
      return stream.append(tip, commits);
    });
  const rest = async () => {
    await stream.end();
    if (hasManyPacks(place)) await joinPacks(place).catch(options.onTrouble);
  };
  let epoch = '';
  const write: Writer['write'] = async (batch) => {
    const tip = await mirror.follow();
    requireKnown(mirror.files.format(), options.owner, tip === null);
    // a git remembers what it wrote, and would not write again what a purge removed
    if (mirror.epoch() !== epoch) await stream.end();
    epoch = mirror.epoch();
    const { commits, conclude } = batchOf(batch, mirror, options);
    const all = tip === null ? named(commits, mirror, options.owner) : commits;
    const ids = all.length === 0 ? [] : await append(tip, all);
    const last = ids.at(-1) ?? tip;
    if (last !== null && last !== tip) mirror.setTip(last);
    if (stream.batches() >= BATCHES) await rest();
    return conclude(ids.slice(all.length - commits.length), last ?? '');
  };
  return { write, rest, end: stream.end };
}

/** The first commits of a store, after one that names its format. */
function named(commits: readonly NewCommit[], { files }: StateCopy, owner: string): readonly NewCommit[] {
  const [first] = commits;
  if (first === undefined) return [];
  const bytes = formatFile(owner);
  files.write(FORMAT_PATH, bytes);
  const writes = new Map([[FORMAT_PATH, bytes]]);
  return [{ author: 'vademecum', message: 'continuity: store format\n', at: first.at, writes }, ...commits];
}

/** A stream that is started when it is needed, and again after it failed. */
function createRestartedStream(place: StorePlace, onTrouble: WriterOptions['onTrouble']) {
  let stream: ImportStream | null = null;
  const append: ImportStream['append'] = async (tip, commits) => {
    await freeLocks(place);
    if (stream === null && hasManyPacks(place)) await joinPacks(place).catch(onTrouble);
    stream ??= await startImport(place);
    try {
      return await stream.append(tip, commits);
    } catch (error) {
      stream.kill();
      stream = null;
      throw error;
    }
  };
  const end = async () => {
    const last = stream;
    stream = null;
    await last?.end();
  };
  return { append, batches: () => stream?.batches() ?? 0, end };
}
