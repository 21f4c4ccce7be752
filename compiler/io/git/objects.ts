import { VadeError } from '../../schema/errors.ts';
import type { Git } from './git.ts';

export type ObjectKind = 'blob' | 'commit';

export const MISSING_OBJECTS = 'objects are missing: this is a partial clone; clone it without --filter';

/**
 * Reads objects by ID, each of at most `limit` bytes; larger ones, and those of another kind, are left out. Untrusted
 * input: a history can contain objects of any size. One `cat-file --batch` is enough if every object is small; it is
 * killed at the first that is not, and then the sizes of the rest are checked before any of them is read.
 *
 * @throws history_incomplete for a blob that is missing
 */
export async function readObjects(
  git: Git,
  kind: ObjectKind,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Buffer>();
  const unread = await readBatch(git, kind, wanted, limit, found);
  if (unread.length === 0) return found;
  const sizes = await git.text(['cat-file', '--batch-check'], `${unread.join('\n')}\n`);
  const small = sizes.split('\n').flatMap((line) => {
    const header = parseHeader(line, kind);
    return header !== null && isWanted(header, kind, limit) ? [header.id] : [];
  });
  await readBatch(git, kind, small, limit, found);
  return found;
}

/** Reads objects until one is too large or of another kind. @returns the IDs after that one */
async function readBatch(
  git: Git,
  kind: ObjectKind,
  ids: readonly string[],
  limit: number,
  found: Map<string, Buffer>,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const batch = new Batch(kind, limit, found);
  await git.stream(['cat-file', '--batch'], `${ids.join('\n')}\n`, (chunk) => batch.take(chunk));
  return batch.refused ? ids.slice(batch.answered) : [];
}

const NEWLINE = 0x0a;

/** Parses the output of `cat-file --batch`: for each object a header line, its bytes and a line feed. */
class Batch {
  /** How many IDs were answered, the refused one included. */
  answered = 0;
  /** Whether an object was too large or of another kind; nothing after it is read. */
  refused = false;
  readonly #kind: ObjectKind;
  readonly #limit: number;
  readonly #found: Map<string, Buffer>;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #header: Header | null = null;

  constructor(kind: ObjectKind, limit: number, found: Map<string, Buffer>) {
    this.#kind = kind;
    this.#limit = limit;
    this.#found = found;
  }

  /** @returns whether to continue */
  take(chunk: Buffer): boolean {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    while (this.#header === null ? this.#takeHeader() : this.#takeObject(this.#header));
    return !this.refused;
  }

  #takeHeader(): boolean {
    const line = this.#shiftLine();
    if (line === null) return false;
    this.answered += 1;
    this.#header = parseHeader(line, this.#kind);
    this.refused = this.#header !== null && !isWanted(this.#header, this.#kind, this.#limit);
    return !this.refused;
  }

  #takeObject({ id, size }: Header): boolean {
    const bytes = this.#shift(size + 1);
    if (bytes === null) return false;
    this.#found.set(id, bytes.subarray(0, size));
    this.#header = null;
    return true;
  }

  /** All pending bytes in one buffer; copied once for each chunk, not once for each object in it. */
  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pending;
    if (this.#pending.length < 2) return first;
    const all = Buffer.concat(this.#pending);
    this.#pending = [all];
    return all;
  }

  #shiftLine(): string | null {
    const end = this.#join().indexOf(NEWLINE);
    return end === -1 ? null : (this.#shift(end + 1)?.toString('latin1', 0, end) ?? null);
  }

  /** Removes and returns the next bytes; null if there are fewer. */
  #shift(bytes: number): Buffer | null {
    if (this.#pendingBytes < bytes) return null;
    const all = this.#join();
    this.#pending = [all.subarray(bytes)];
    this.#pendingBytes -= bytes;
    return all.subarray(0, bytes);
  }
}

interface Header {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

function isWanted({ type, size }: Header, kind: ObjectKind, limit: number): boolean {
  return type === kind && size <= limit;
}

/** Parses `<id> <type> <size>`; null for a missing commit. @throws history_incomplete for a missing blob */
function parseHeader(line: string, kind: ObjectKind): Header | null {
  const [id = '', type = '', size = ''] = line.split(' ');
  if (type !== 'missing') return { id, type, size: Number(size) };
  if (kind === 'commit') return null;
  throw new VadeError('history_incomplete', `${MISSING_OBJECTS}, or run git fsck`, { object: id });
}
