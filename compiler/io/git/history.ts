import type { Authorship, BranchCommit, Commit, Person } from '../../schema/source/sources.ts';
import { broughtIn, type Ancestry } from './ancestry.ts';
import { creditChanges, type Contribution, type Touch } from './contributors.ts';
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

/** What these commits did to any path; a merge, where its bytes are those of no parent. */
const CONTRIBUTIONS = [...LOG, '--diff-merges=combined', '--no-walk=unsorted', '--stdin'];

/**
 * The first-parent history: renames are not followed, a merge shows what it changed on the first parent, and each
 * change who wrote it. At most three calls of git, each of a cost that goes with what it answers.
 */
export async function readHistory(git: Git, commit: string, paths: readonly string[]): Promise<Commit[]> {
  const walk = ['--first-parent', '--diff-merges=first-parent', '--reverse'];
  const steps = parseLog(await git.text([...LOG, ...walk, commit, '--', ...paths]));
  const merges = steps.filter(({ parents }) => parents.length > 1);
  const brought = merges.length === 0 ? new Map<string, Contribution[]>() : await readBrought(git, commit, merges);
  return creditChanges(steps, brought);
}

/** The commits that each of these merges brings in, oldest first, the merge itself last. */
async function readBrought(git: Git, commit: string, merges: readonly Logged[]): Promise<Map<string, Contribution[]>> {
  // what the first of them was made on is nothing that any of them brings
  const base = merges[0]?.parents[0] ?? '';
  const text = await git.text(['rev-list', '--parents', '--topo-order', '--reverse', commit, `^${base}`, '--']);
  const lines = text.trim().split('\n');
  const ancestry: Ancestry = new Map(
    lines.map((line) => line.split(' ')).map(([id = '', ...parents]) => [id, parents]),
  );
  const ids = broughtIn(ancestry, commit, new Set(merges.map(({ id }) => id)));
  const logged = parseLog(await git.text(CONTRIBUTIONS, `${[...ids.values()].flat().join('\n')}\n`));
  const known = new Map(logged.map((it) => [it.id, it]));
  return new Map([...ids].map(([merge, all]) => [merge, all.flatMap((id) => known.get(id) ?? [])]));
}

/** The commits that one has and another does not, oldest first; a merge touches what it has of no parent. */
export async function readRange(git: Git, commit: string, base: string): Promise<BranchCommit[]> {
  const walk = ['--diff-merges=combined', '--topo-order', '--reverse'];
  const logged = parseLog(await git.text([...LOG, ...walk, commit, `^${base}`, '--']));
  return logged.map(({ parents: _, touches, ...it }) => ({ ...it, paths: touches.map(({ path }) => path) }));
}

/** A commit as the log tells it. */
interface Logged extends Contribution {
  readonly parents: readonly string[];
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

/** Any line of the message counts, not only git's trailers: to name one author too many is the safe side. */
function readCoauthors(message: string): Person[] {
  const lines = message.matchAll(/^co-authored-by:([^<\n]*)<([^>\n]*)>/gim);
  return [...lines].map(([, name = '', email = '']) => ({ name: name.trim(), email: email.trim() }));
}
