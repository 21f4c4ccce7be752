import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readLines } from '../../io/git/git-lines.ts';
import { fillOwnFolder, runGit } from '../../io/git/git-process.ts';
import { storageOf, type Git } from '../../io/git/git.ts';
import { objectStream } from '../../io/git/object-stream.ts';
import type { Repository } from '../../io/git/repository.ts';
import { VadeError } from '../../schema/errors.ts';
import { gitMark } from './run-folder.ts';

/** The first git that merges without a working tree: `merge-tree --write-tree`. */
const OLDEST = [2, 38] as const;

/**
 * Attributes win over those of any tree: no filter, no merge driver, no change of line ends or encodings. What is
 * hashed, merged and checked out are exactly the bytes of the files.
 */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding !merge !diff\n';

/** A call of the private git directory. */
export interface PrivateCall {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly accept?: readonly number[];
}

/** A bare git directory of one run that borrows the objects of a repository and nothing else of it. */
export interface PrivateGit extends Git {
  readonly run: (args: readonly string[], call?: PrivateCall) => Promise<Buffer>;
  /** The folder of its own objects. */
  readonly objects: string;
  /** The hash that names objects. */
  readonly hash: 'sha1' | 'sha256';
}

/**
 * Makes the private directory in a folder of the run. No configuration, filter, hook, reference, index or attribute of
 * the repository is read; new objects stay here.
 *
 * @throws git_unavailable before git 2.38, repository_refused
 */
export async function privateGit(repository: Repository, folder: string): Promise<PrivateGit> {
  const config = await storageOf({ ...repository, bare: true });
  const own = join(folder, 'git');
  const objects = join(own, 'objects');
  const borrowed = join(repository.common, 'objects');
  if (/[\n"]/.test(borrowed)) {
    // alternates are a list of lines, and a quote would begin a quoted one
    throw new VadeError('repository_refused', `the path of the repository has a line break or a quote`);
  }
  mkdirSync(own);
  const fill = () => {
    for (const name of ['objects/info', 'refs', 'info']) mkdirSync(join(own, name), { recursive: true });
    writeFileSync(join(objects, 'info/alternates'), `${borrowed}\n`);
    writeFileSync(join(own, 'info/attributes'), ATTRIBUTES);
  };
  fillOwnFolder(own, { config, fill });
  // processes that a killed run left behind are found by it
  const mark = { VADE_RUN: gitMark(basename(folder)) };
  const common = { avoid: repository.top, least: OLDEST };
  const run = (args: readonly string[], call: PrivateCall = {}) =>
    runGit(args, { own, ...common, ...call, env: { ...mark, ...call.env } });
  return {
    run,
    objects,
    hash: /objectformat = sha256/i.test(config) ? 'sha256' : 'sha1',
    text: async (args, input) => (await run(args, { input: input ?? '' })).toString('utf8'),
    lines: (args, input, take) => readLines(args, input, { own, ...common, env: mark }, take),
    askObjects: objectStream((work) => work(own), common),
  };
}
