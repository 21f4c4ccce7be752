import type { Authorship, BranchCommit, Commit, Person } from '../../schema/source/sources.ts';
import { commitsByMerge, type Ancestry } from './ancestry.ts';
import { creditChanges, type Contribution, type Touch } from './credit-changes.ts';
import type { Git } from './git.ts';

const LOG = [
  'log',
  '--raw',
  '-z',
  '--no-renames',
  '--no-abbrev',
  '--no-ext-diff',
  '--format=tformat:%x01%H %ct %at %P%x00%an%x00%ae%x00%cn%x00%ce%x00%B',
];

/** The given commits, and none that they reach. */
const ALONE = ['--no-walk=unsorted', '--stdin'];

/** The changes of the given commits; of a merge, only those that differ from every parent. */
const CONTRIBUTIONS = [...LOG, '--diff-merges=combined', ...ALONE];

/**
 * The first-parent history with the authors of each change. Renames are not followed; a merge has its changes to the
 * first parent. At most three calls of git; the cost of each is linear in its output.
 */
export async function readHistory(git: Git, commit: string, paths: readonly string[]): Promise<Commit[]> {
  const walk = ['--first-parent', '--diff-merges=first-parent', '--reverse'];
  const steps = await readLog(git, [...LOG, ...walk, commit, '--', ...paths]);
  const merges = steps.filter(({ parents }) => parents.length > 1);
  const merged = merges.length === 0 ? new Map<string, Contribution[]>() : await readMerged(git, commit, merges);
  return creditChanges(steps, merged);
}

/** The commits that each of these merges merged, oldest first, the merge itself last. */
async function readMerged(git: Git, commit: string, merges: readonly Logged[]): Promise<Map<string, Contribution[]>> {
  // none of the merges merged the first parent of the oldest one
  const base = merges[0]?.parents[0] ?? '';
  const ancestry = await readAncestry(git, commit, [`^${base}`]);
  const ids = commitsByMerge(ancestry, commit, new Set(merges.map(({ id }) => id)));
  const logged = await readLog(git, CONTRIBUTIONS, [...ids.values()].flat());
  const known = new Map(logged.map((it) => [it.id, it]));
  return new Map([...ids].map(([merge, all]) => [merge, all.flatMap((id) => known.get(id) ?? [])]));
}

/** All commits that a commit reaches, without the excluded ones; each comes after its parents. */
export async function readAncestry(git: Git, commit: string, excluded: readonly string[] = []): Promise<Ancestry> {
  const text = await git.text(['rev-list', '--parents', '--topo-order', '--reverse', commit, ...excluded, '--']);
  const lines = text.trim().split('\n');
  return new Map(lines.map((line) => line.split(' ')).map(([id = '', ...parents]) => [id, parents]));
}

/** The authors of these commits, and of all that were read before, by ID. */
export async function readAuthorships(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, Authorship>> {
  const unread = ids.filter((id) => authors.get(git)?.has(id) !== true);
  if (unread.length > 0) await readLog(git, [...LOG.filter((it) => it !== '--raw'), ...ALONE], unread);
  return authors.get(git) ?? new Map();
}

/** The commits that `commit` has and `base` lacks, oldest first; a merge has paths that differ from every parent. */
export async function readRange(git: Git, commit: string, base: string): Promise<BranchCommit[]> {
  const walk = ['--diff-merges=combined', '--topo-order', '--reverse'];
  const logged = await readLog(git, [...LOG, ...walk, commit, `^${base}`, '--']);
  return logged.map(({ parents: _, touches, ...it }) => ({ ...it, paths: touches.map(({ path }) => path) }));
}

/** A commit of git's log. */
interface Logged extends Contribution {
  readonly parents: readonly string[];
}

/** Those of all commits that were read: a blob mostly comes from a step of the history. */
const authors = new WeakMap<Git, Map<string, Authorship>>();

async function readLog(git: Git, args: readonly string[], ids: readonly string[] = []): Promise<Logged[]> {
  const commits = parseLog(await git.text(args, ids.map((id) => `${id}\n`).join('')));
  const known = authors.get(git) ?? new Map<string, Authorship>();
  const read = commits.map(({ parents: _, touches: __, ...it }) => it);
  for (const it of read) known.set(it.id, it);
  authors.set(git, known);
  return commits;
}

function parseLog(text: string): Logged[] {
  const fields = text.split('\0');
  const commits: Logged[] = [];
  let touches: Touch[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    if (field.startsWith('\u0001')) {
      touches = [];
      commits.push({ ...readHead(field, fields.slice(at + 1, at + 6)), touches });
      at += 5;
    } else if (field.length > 1) {
      touches.push(readTouch(field.trimStart(), fields[at + 1] ?? ''));
      at += 1;
    }
  }
  return commits;
}

function readHead(line: string, [name = '', email = '', by = '', at = '', message = '']: readonly string[]) {
  const [id = '', committed, authored, ...parents] = line.slice(1).split(' ');
  const head: Authorship = {
    id,
    committed: Number(committed),
    authored: Number(authored),
    author: { name, email },
    committer: { name: by, email: at },
    coauthors: readCoauthors(message),
  };
  return { ...head, parents: parents.filter((it) => it !== '') };
}

/** `:mode mode blob blob status` of a path; a merge has a colon, a mode and a blob for every parent. */
function readTouch(line: string, path: string): Touch {
  const parents = line.length - line.replace(/^:+/, '').length;
  const words = line.slice(parents).split(' ');
  const [blob = '', status = ''] = words.slice(2 * parents + 1);
  const from = words.slice(parents + 1, 2 * parents + 1).filter((id) => !/^0+$/.test(id));
  return { path, from, blob: status.endsWith('D') ? null : blob };
}

/**
 * A line that names an author: a trailer as git reads it, with blanks before the colon or folded once, also within the
 * indented or listed messages of a squash, and the header of a commit that `git merge --squash` records.
 */
const NAMED =
  /^[ \t>*-]*(?:(?:co-)?authored-by|co-developed-by|author)[ \t]*:([^<\n]*(?:\n[ \t][^<:\n]*)?)<([^>\n]*)>/gim;

/** Reads co-authors from any line of the message, not only git's trailers: one author too many is the safe error. */
function readCoauthors(message: string): Person[] {
  const lines = message.matchAll(NAMED);
  return [...lines].map(([, name = '', email = '']) => ({ name: name.trim(), email: email.trim() }));
}
