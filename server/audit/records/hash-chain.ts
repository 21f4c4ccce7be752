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

/** The head after one more entry. */
export function chained(head: ChainHead, entry: CoveredEntry): ChainHead {
  return { writer: head.writer, n: head.n + 1, hash: sha256(`${head.hash}\n${coveredText(entry)}`) };
}

/** Everything of an entry but its intent. */
export type CoveredEntry = Omit<NewEntry, 'intent'>;

/** Columns, with the names that a store keeps once, and body as a JSON array, so that nothing is stored twice. */
export function coveredText(entry: CoveredEntry): string {
  const { type, agent_id, audit_token, created_at, asked_by, bundle_revision, request, body } = entry;
  const columns = [type, ownId(entry), agent_id, audit_token, created_at, asked_by, bundle_revision, request];
  return `${JSON.stringify(columns).slice(0, -1)},${body}]`;
}

/** An id that is stored; empty for a recall and a closing, whose token has it. */
export function ownId({ type, id, audit_token }: Pick<NewEntry, 'type' | 'id' | 'audit_token'>): string {
  return id === idOf(type, '', audit_token) ? '' : id;
}

/** The id of an entry from its columns. */
export function idOf(type: NewEntry['type'], own: string, token: string): string {
  if (own !== '') return own;
  return type === 'recall' ? `audevent_${ulidOf(token)}` : token;
}

/** The ULID of a token `audi_<ulid>_<mac>`: without the MAC it closes nothing. */
export function ulidOf(token: string): string {
  return token.slice(5, 31);
}

/** Replaces the intent, or its files, in the chain; without the salt, nobody can test a guess against it. */
export function intentDigest(salt: string, text: string): string {
  return sha256(`${salt}\n${text}`);
}

/** The same as bodies have it: in base64url, which is shorter than hex. */
export function storedDigest(salt: string, text: string): string {
  return toBase64(intentDigest(salt, text));
}

export function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}

/**
 * The first entry of a chain: its start time, its privacy mode, and the heads of other chains that no opening has named
 * yet, so that a whole chain cannot be removed unnoticed.
 */
export function openingEntry({ writer, intents, openedAt }: StoreOptions, heads: readonly ChainHead[]): NewEntry {
  const sorted = [...heads]
    .sort((a, b) => (a.writer < b.writer ? -1 : 1))
    .map(({ hash, n, writer }) => ({ hash, n, writer }));
  const columns = { type: 'opening', id: writer, agent_id: '', created_at: openedAt } as const;
  return toEntry(columns, { heads: sorted, intents });
}

/** An entry of columns and a body, whose keys are in alphabetical order: so its text is canonical (RFC 8785). */
export function toEntry(
  columns: Pick<NewEntry, 'type' | 'id' | 'agent_id' | 'created_at'> & Partial<NewEntry>,
  body: object,
): NewEntry {
  const none = { audit_token: '', asked_by: null, bundle_revision: null, request: null, intent: null };
  return { ...none, ...columns, body: JSON.stringify(body) };
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
    const { heads } = JSON.parse(body) as { heads?: unknown };
    return Array.isArray(heads) && heads.every(isHead) ? heads : [];
  } catch {
    return [];
  }
}

function isHead(it: unknown): it is ChainHead {
  const { writer, n, hash } = (it ?? {}) as Record<keyof ChainHead, unknown>;
  return typeof writer === 'string' && typeof hash === 'string' && Number.isInteger(n) && (n as number) > 0;
}
