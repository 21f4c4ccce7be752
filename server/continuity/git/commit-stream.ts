import { VadeError } from '../../../compiler/schema/errors.ts';

/** One commit of the store, before git has it. */
export interface NewCommit {
  /** Agent or person that asked for it; untrusted. */
  readonly author: string;
  /** One line of text, and trailers below it. */
  readonly message: string;
  /** Seconds since 1970, by the clock of this machine; nothing is ordered by it. */
  readonly at: number;
  /** Path to the new bytes of the file; null removes it. */
  readonly writes: ReadonlyMap<string, Buffer | null>;
}

/** The branch of every store. */
export const BRANCH = 'refs/heads/main';

/** Nobody receives mail there (RFC 2606). */
const HOST = 'vademecum.invalid';

/**
 * A commit as commands of `git fast-import`. Texts are counted, names are cleaned and paths are checked, so that no
 * input can become a command.
 *
 * @param mark its number in the stream, from 1 on
 * @param from id of its parent, or the mark of an earlier commit as `:1`; null for the first commit of all
 * @throws internal for a path that leaves the store
 */
export function commitCommands(commit: NewCommit, mark: number, from: string | null): Buffer {
  const head = [
    `commit ${BRANCH}`,
    `mark :${mark}`,
    `author ${personOf(commit.author)} ${commit.at} +0000`,
    `committer ${personOf('vademecum')} ${commit.at} +0000`,
  ];
  const message = Buffer.from(commit.message.toWellFormed());
  const parent = from === null ? '' : `from ${from}\n`;
  const parts = [Buffer.from(`${head.join('\n')}\n`), counted(message), Buffer.from(parent)];
  for (const [path, bytes] of commit.writes) parts.push(...fileCommands(checkedPath(path), bytes));
  return Buffer.concat([...parts, Buffer.from(`\nget-mark :${mark}\n`)]);
}

function fileCommands(path: string, bytes: Buffer | null): Buffer[] {
  if (bytes === null) return [Buffer.from(`D ${path}\n`)];
  return [Buffer.from(`M 100644 inline ${path}\n`), counted(bytes)];
}

function counted(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

/** A name and an address without the characters that end them. */
function personOf(name: string): string {
  const shown = name.replace(/[^\w .:@/-]/g, '_').slice(0, 200);
  return `${shown.trim() === '' ? 'unknown' : shown.trim()} <${shown.replace(/[^\w.-]/g, '-')}@${HOST}>`;
}

/** A path that git takes unquoted, and that stays in the store. */
const PATH = /^[a-z]+(?:\/(?!\.)[\w.=@+-]{1,250}){1,6}$/i;

function checkedPath(path: string): string {
  if (PATH.test(path)) return path;
  throw new VadeError('internal', 'a path of the store is malformed');
}
