import { UNVERSIONED } from '../../../schema/source/sources.ts';

/** A share in percent; a dash for null. What is not all or nothing never reads as if it were. */
export function percent(share: number | null, digits = 0): string {
  if (share === null) return '–';
  const written = (share * 100).toFixed(digits);
  const isRounded = share > 0 && share < 1 && (Number(written) === 0 || Number(written) === 100);
  return `${isRounded ? Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1) : written} %`;
}

const WHOLE = new Intl.NumberFormat('en', { useGrouping: true });

/** 12,345 */
export function whole(value: number): string {
  return WHOLE.format(value);
}

/** An instant as `2026-05-04 12:00`, UTC. */
export function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}

export function day(iso: string): string {
  return iso.slice(0, 10);
}

/** The short form of a commit or digest. */
export function short(hash: string): string {
  return hash.slice(0, 10);
}

/** The text in place of a commit for the edits of a working tree. */
export const NO_COMMIT = 'not in a commit';

/** Whether an ID is that of a commit, and not the value that stands for no commit. */
export const isCommit = (id: string): boolean => id !== UNVERSIONED;

/** `1 unit`, `2 units`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${whole(n)} ${n === 1 ? one : many}`;
}

const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/**
 * An untrusted text of an author. Characters that hide or reorder others are shown by their number, so that a reviewer
 * sees what a model would read.
 */
export function shown(text: string): string {
  return text.replace(CONTROL, (it) =>
    it === '\n' || it === '\t' ? it : `⟨U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
