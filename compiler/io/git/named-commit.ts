import { VadeError } from '../../schema/errors.ts';
import type { Git } from './git.ts';
import { commitsAt } from './objects.ts';

/** Where git looks for a short name, in its order (gitrevisions). */
const PLACES = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** Names that mean one thing, whatever else is called so. */
const PLAIN = /^(?:|@|HEAD|refs\/.*|[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit that a user's ref names; null for none. A short name that a tag, a branch or a commit share is refused:
 * git would take the tag, and those who may push one need not be those who may push the branch.
 *
 * @param flag that gave the ref
 * @throws argument_invalid, git_unavailable
 */
export async function namedCommit(git: Git, ref: string, flag: string): Promise<string | null> {
  const [name = ''] = /^.*?(?=[~^:]|@\{|$)/.exec(ref) ?? [];
  const places = await refsCalled(git, name);
  const [commit = null, ...found] = await commitsAt(git, [ref, ...places]);
  const named = places.flatMap((place, n) => (typeof found[n] === 'string' ? [{ place, commit: found[n] }] : []));
  const [first] = named;
  if (first === undefined) return commit;
  const all = [...named, ...(await abbreviated(git, name)).filter((it) => it.commit !== first.commit)];
  if (all.length > 1) throw ambiguous(name, flag, all);
  return commit;
}

/** In the order in which git looks for them. */
async function refsCalled(git: Git, name: string): Promise<string[]> {
  if (PLAIN.test(name) || name.includes('\0')) return [];
  const places = [...PLACES.map((it) => `${it}${name}`), `refs/remotes/${name}/HEAD`];
  const listed = (await git.text(['for-each-ref', '--format=%(refname)', ...places])).split('\n');
  return places.filter((it) => listed.includes(it));
}

interface Meaning {
  readonly place: string;
  readonly commit: string;
}

/** The commits whose IDs a name begins, or ends as `git describe` prints it. */
async function abbreviated(git: Git, name: string): Promise<Meaning[]> {
  const [, digits] = /(?:^|-g)([0-9a-f]{4,63})$/.exec(name) ?? [];
  if (digits === undefined) return [];
  const ids = (await git.text(['rev-parse', `--disambiguate=${digits}`])).split('\n').filter((it) => it !== '');
  const commits = await commitsAt(git, ids);
  return ids.flatMap((id, n) => (commits[n] === id ? [{ place: id, commit: id }] : []));
}

function ambiguous(name: string, flag: string, all: readonly Meaning[]): VadeError {
  const places = all.map(({ place, commit }) => (place === commit ? `commit ${place}` : `${place} (${commit})`));
  const full = all.find(({ place }) => place.startsWith('refs/heads/')) ?? all[0];
  return new VadeError('argument_invalid', `${name} names more than one commit: ${places.join(', ')}`, {
    flag,
    refs: all.map(({ place }) => place),
    suggestion: `give the full name, such as --${flag} ${full?.place ?? name}`,
  });
}
