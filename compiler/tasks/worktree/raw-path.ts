import { orNull } from '../../schema/or-null.ts';
/**
 * Paths of a worktree are bytes. Inside this room they are strings with one character a byte (`latin1`), so that no
 * name is lost or changed; only a path that is valid UTF-8 ever leaves it.
 */
export type RawPath = string;

/** An entry of a commit's tree. */
export interface Tracked {
  readonly mode: string;
  readonly id: string;
  /** Bytes; 0 of a submodule. */
  readonly size: number;
}

/** The bytes of a path, for calls of the file system. */
export function bytesOf(path: RawPath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** A path of the system as one character a byte. */
export function rawOf(path: string): RawPath {
  return Buffer.from(path, 'utf8').toString('latin1');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a path; null if its bytes are no UTF-8. */
export function textOf(path: RawPath): string | null {
  return orNull(() => UTF8.decode(bytesOf(path)));
}

/** A path for people: what is not printable is written as `\x..`. */
export function shownPath(path: RawPath): string {
  const text = textOf(path);
  if (text !== null && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return text;
  return path.replaceAll(/[^\x20-\x7e]/g, (it) => `\\x${it.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s;

/** Parses `git ls-tree -r -z -l`. @throws TypeError for other output */
export function parseTree(output: Buffer): Map<RawPath, Tracked> {
  const found = new Map<RawPath, Tracked>();
  for (const line of output.toString('latin1').split('\0')) {
    if (line === '') continue;
    const [, mode = '', , id = '', size = '', path = ''] = ENTRY.exec(line) ?? [];
    if (path === '') throw new TypeError('git lists a tree in another form');
    found.set(path, { mode, id, size: size === '-' ? 0 : Number(size) });
  }
  return found;
}
