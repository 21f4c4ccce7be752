import { join } from 'node:path';
import { readObjects } from '../../io/git/objects.ts';
import { blobId, sha256 } from '../../trust/canonical.ts';
import type { FileChange, SnapshotRefusal, WorkSnapshot } from '../schema/snapshot.ts';
import { ignoreRules } from './ignore-rules.ts';
import { storeBlob } from './loose-objects.ts';
import type { PrivateGit } from './private-git.ts';
import { parseTree, rawOf, shownPath, textOf, type RawPath, type Tracked } from './raw-path.ts';
import { compareEntry } from './read-entry.ts';
import { scanWorktree } from './scan-worktree.ts';

/** Of all new content together. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

/** The worktree that is taken, and the commit that it is put on. */
export interface SnapshotOptions {
  /** Real path of the worktree. */
  readonly worktree: string;
  /** The commit that it began with. */
  readonly base: string;
  /** Folder of the run. */
  readonly folder: string;
  /** First line of the commit's message. */
  readonly title: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** An entry of the new tree that differs; null where the file is gone. */
interface Entry {
  readonly path: RawPath;
  readonly before: Tracked | null;
  readonly after: { readonly mode: string; readonly id: string } | null;
}

/**
 * Takes a worktree, with its untracked files, as a commit. The index, the configuration and the `.git` of the worktree
 * are not read, so nothing that an agent wrote there hides a file; only the base commit's own rules ignore any. The
 * same files give the same commit.
 *
 * @throws repository_unreadable if the base cannot be read
 */
export async function takeSnapshot(git: PrivateGit, options: SnapshotOptions): Promise<WorkSnapshot> {
  const { worktree, base, folder } = options;
  const tracked = parseTree(await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', base]));
  const rules = await ignoreRules(git, tracked, join(folder, 'rules'));
  const top = rawOf(worktree);
  const scanned = await scanWorktree(top, tracked, rules);
  const refusals = [...scanned.refusals];
  const entries: Entry[] = [];
  const secondNames: RawPath[] = [];
  let total = 0;
  for (const [path, kind] of scanned.files) {
    const known = tracked.get(path);
    const found = compareEntry(top, path, kind, known, git.hash, () => secondNames.push(path));
    if (found === null) continue;
    const rule = 'refused' in found ? found.refused : nameRefusal(path);
    if (rule !== null) refusals.push({ path: shownPath(path), rule });
    if (rule !== null || 'refused' in found) continue;
    const same = known && (await sameOtherwise(git, known, found));
    if (same === 'same') continue;
    total += found.bytes.length;
    const late = same === 'lfs' ? 'lfs_content' : total > MAX_TOTAL_BYTES ? 'total_size' : null;
    if (late !== null) refusals.push({ path: shownPath(path), rule: late });
    if (total > MAX_TOTAL_BYTES) break;
    const id = storeBlob(git.objects, found.bytes, git.hash);
    entries.push({ path, before: known ?? null, after: { mode: found.mode, id } });
  }
  for (const [path, before] of tracked) {
    if (!scanned.files.has(path) && !scanned.submodules.has(path)) entries.push({ path, before, after: null });
  }
  const tree = await writeTree(git, base, entries);
  return {
    base,
    tree,
    commit: await writeCommit(git, tree, options),
    changes: entries.map(changeOf).sort((a, b) => (a.path < b.path ? -1 : 1)),
    refusals: sorted(refusals),
    left_out: scanned.special.map(shownPath).sort(),
    second_names: secondNames.map(shownPath).sort(),
  };
}

const MAX_PATH_BYTES = 4096;

/** Why a new or changed file must not have this name; null if it may. */
function nameRefusal(path: RawPath): SnapshotRefusal['rule'] | null {
  const text = textOf(path);
  if (text === null) return 'encoding';
  const isOdd = path.length > MAX_PATH_BYTES || shownPath(path) !== text;
  // names that Windows and macOS take for `.git`
  const isGit = text.split('/').some((it) => /^(\.git[ .]*|git~\d+)$|\.git\s*[:]/iu.test(it.normalize('NFKC')));
  return isOdd || isGit || text.includes('\\') ? 'name' : null;
}

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*oid sha256:([0-9a-f]{64})\n/;
const MAX_POINTER_BYTES = 1024;

/**
 * Whether a file has the content of the commit, as another git would have checked it out: with CR LF, or with the
 * content that an LFS pointer names. `lfs` if the commit has a pointer and this is other content.
 */
async function sameOtherwise(
  git: PrivateGit,
  known: Tracked,
  { mode, bytes }: { readonly mode: string; readonly bytes: Buffer },
): Promise<'same' | 'lfs' | 'different'> {
  if (known.mode !== mode) return 'different';
  if (bytes.includes('\r\n')) {
    const unix = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    if (blobId(unix, git.hash) === known.id) return 'same';
  }
  if (known.size === 0 || known.size > MAX_POINTER_BYTES || known.size === bytes.length) return 'different';
  const pointer = (await readObjects(git, 'blob', [known.id], MAX_POINTER_BYTES)).get(known.id)?.toString('utf8') ?? '';
  const oid = POINTER.exec(pointer)?.[1];
  if (oid === undefined || POINTER.test(bytes.subarray(0, MAX_POINTER_BYTES).toString('utf8'))) return 'different';
  return sha256(bytes) === oid ? 'same' : 'lfs';
}

/** Writes the tree through an index of its own: the base, and the differences from it. */
async function writeTree(git: PrivateGit, base: string, entries: readonly Entry[]): Promise<string> {
  if (entries.length === 0) return (await git.text(['rev-parse', `${base}^{tree}`])).trim();
  const env = { GIT_INDEX_FILE: join(git.objects, '../snapshot-index') };
  await git.run(['read-tree', base], { env });
  const none = '0'.repeat(base.length);
  // removed paths come first: a file may have become a folder
  const gone = entries.filter(({ after }) => after === null).map(({ path }) => `0 ${none}\t${path}\0`);
  const there = entries.flatMap(({ path, after }) => (after === null ? [] : [`${after.mode} ${after.id}\t${path}\0`]));
  const input = Buffer.from([...gone, ...there].join(''), 'latin1');
  await git.run(['update-index', '-z', '--index-info'], { env, input });
  return (await git.run(['write-tree'], { env })).toString('utf8').trim();
}

async function writeCommit(git: PrivateGit, tree: string, { base, title, at }: SnapshotOptions): Promise<string> {
  const person = (role: string) => ({
    [`GIT_${role}_NAME`]: 'Vademecum',
    [`GIT_${role}_EMAIL`]: 'vademecum@localhost',
    [`GIT_${role}_DATE`]: `${at} +0000`,
  });
  const env = { ...person('AUTHOR'), ...person('COMMITTER') };
  const commit = await git.run(['commit-tree', tree, '-p', base], { env, input: `${title}\n` });
  return commit.toString('utf8').trim();
}

function changeOf({ path, before, after }: Entry): FileChange {
  return { path: shownPath(path), before: before?.id ?? null, after: after?.id ?? null, mode: after?.mode ?? null };
}

function sorted(refusals: readonly SnapshotRefusal[]): SnapshotRefusal[] {
  const key = ({ path, rule }: SnapshotRefusal) => `${path}\0${rule}`;
  return [...new Map(refusals.map((it) => [key(it), it])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
