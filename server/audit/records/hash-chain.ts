import { hash } from 'node:crypto';
import type { ChainHead, NewEntry, StoreOptions } from './store.ts';

/** sha256 in lower-case hex of a string's UTF-8 bytes. */
function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The start of a chain; bound to its writer, so that no row can be moved to another chain. */
export function genesis(writer: string): ChainHead {
  return { writer, n: 0, hash: sha256(`vade-audit-1\n${writer}`) };
}

/** The head after one more body. */
export function chained(head: ChainHead, body: string): ChainHead {
  return { writer: head.writer, n: head.n + 1, hash: sha256(`${head.hash}\n${body}`) };
}

/** Replaces the intent, or its files, in the chain; without the salt, nobody can test a guess against it. */
export function intentDigest(salt: string, text: string): string {
  return sha256(`${salt}\n${text}`);
}

/**
 * The first entry of a chain: its start time, its privacy mode, and the heads of other chains that no opening has named
 * yet, so that a whole chain cannot be removed unnoticed.
 */
export function openingEntry({ writer, intents, openedAt }: StoreOptions, heads: readonly ChainHead[]): NewEntry {
  const sorted = [...heads]
    .sort((a, b) => (a.writer < b.writer ? -1 : 1))
    .map(({ hash, n, writer }) => ({ hash, n, writer }));
  // keys are in alphabetical order, so the text is canonical (RFC 8785)
  const body = {
    agent_id: '',
    audit_token: '',
    created_at: openedAt,
    heads: sorted,
    id: writer,
    intents,
    type: 'opening',
  } as const;
  return toEntry(body);
}

/** The entry of a body, whose keys are in alphabetical order. */
export function toEntry(body: Omit<NewEntry, 'body' | 'intent'>, intent: NewEntry['intent'] = null): NewEntry {
  const { type, id, agent_id, audit_token, created_at } = body;
  return { type, id, agent_id, audit_token, created_at, body: JSON.stringify(body), intent };
}

/**
 * The chain heads that a new opening has to name: those of chains that grew since the last opening that named them.
 *
 * @param ends the last entry of every chain that has entries
 * @param openings the bodies of all remaining openings
 */
export function unnamedHeads(ends: readonly ChainHead[], openings: readonly string[]): ChainHead[] {
  const named = new Map<string, number>();
  for (const text of openings) {
    for (const { writer, n } of headsIn(text)) named.set(writer, Math.max(n, named.get(writer) ?? 0));
  }
  return ends.filter(({ writer, n }) => n > (named.get(writer) ?? 0));
}

/**
 * The chain heads that an opening names; none if the text is not an opening, so that a tampered store still opens.
 * Without a zod schema: the thread that writes would load the library for these two lines, which takes it longer than
 * all else.
 */
export function headsIn(body: string): readonly ChainHead[] {
  try {
    const { type, heads } = JSON.parse(body) as { type?: unknown; heads?: unknown };
    return type === 'opening' && Array.isArray(heads) && heads.every(isHead) ? heads : [];
  } catch {
    return [];
  }
}

function isHead(it: unknown): it is ChainHead {
  const { writer, n, hash } = (it ?? {}) as Record<keyof ChainHead, unknown>;
  return typeof writer === 'string' && typeof hash === 'string' && Number.isInteger(n) && (n as number) > 0;
}
