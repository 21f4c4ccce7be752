import { mayTrack } from '../io/git/index-mentions.ts';
import { VadeError } from '../schema/errors.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';
import type { World } from './world.ts';

/** The places of a run that its user alone fills. */
export interface OwnFiles {
  /** Whether the development key and root of the folder are used. */
  readonly dev?: boolean | undefined;
  /** Whether anything of the private folder is used, such as its models or a key. */
  readonly folder?: boolean | undefined;
  /** A key file. */
  readonly keys?: string | undefined;
  /** A database, or an address, which is not a file. */
  readonly audit?: string | undefined;
}

/** Endings of the files that SQLite and the audit write beside a database. */
const BESIDE = [
  '',
  '-wal',
  '-shm',
  '-journal',
  '.spool',
  '.key',
  '.anchor.jsonl',
  '.checkpoint.pem',
  '.seen.json',
  '.facts',
];

/**
 * Refuses private files that git tracks: whoever made the branch or the repository knows their content. Without git, no
 * file came with a clone; a repository that git is not run in may have brought all of them.
 *
 * @throws trust_required, argument_invalid, repository_refused
 */
export async function requireOwnFiles(own: OwnFiles, { cwd }: Pick<World, 'cwd'>): Promise<void> {
  const { dev = false, folder = false, keys, audit } = own;
  const database = audit === undefined || audit.includes('://') ? [] : BESIDE.map((end) => `${audit}${end}`);
  const paths = [...(dev || folder ? [PRIVATE_FOLDER] : []), ...(keys === undefined ? [] : [keys]), ...database];
  // to start git takes longer than most commands
  if (keys === undefined && database.length === 0 && !mayTrack(cwd, PRIVATE_FOLDER)) return;
  const { trackedAmong } = await import('../io/git/tracked.ts');
  const tracked = await trackedAmong(cwd, paths).catch((error: unknown) => {
    if (error instanceof VadeError && error.code === 'repository_refused') throw error;
    return [];
  });
  const first = tracked.find((it) => !it.endsWith(`${PRIVATE_FOLDER}/.gitignore`));
  if (first === undefined) return;
  const message = `git tracks ${first}: others may have written or read it, so it is not used as your own`;
  const suggestion = `git rm -r --cached ${first}, and delete it: vade makes a new one; or give another path`;
  throw new VadeError(dev ? 'trust_required' : 'argument_invalid', message, { path: first, suggestion });
}
