import type { AuditHead } from '../../compiler/schema/bundle/evidence.ts';
import { withLedger, type AuditPlace } from './maintenance.ts';
import type { AuditLedger } from './records/store.ts';

/** The extent of an audit at the end of a window; times in milliseconds since 1970. */
export interface AuditExtent {
  /** For every chain with entries in the window, its last entry before the window's end, by writer. */
  readonly heads: readonly AuditHead[];
  /** When the oldest remaining entry was written; null without entries. */
  readonly earliest: number | null;
}

const PAGE = 1000;

/**
 * The chain heads at the end of a window: later entries do not change them, so a later reading gives the same result.
 *
 * @throws audit_not_found, output_failed
 */
export function readExtent(place: AuditPlace, window: { since: number; until: number }): Promise<AuditExtent> {
  return withLedger(place, 'read', async (ledger) => {
    const heads: AuditHead[] = [];
    let earliest: number | null = null;
    for (const writer of await ledger.writers()) {
      const seen = await readChain(ledger, writer, window);
      if (seen.head !== null && seen.within) heads.push(seen.head);
      if (seen.earliest !== null) earliest = Math.min(seen.earliest, earliest ?? seen.earliest);
    }
    return { heads, earliest };
  });
}

/** One chain: its last entry before the window's end, whether any is in the window, and its oldest entry. */
interface SeenChain {
  head: AuditHead | null;
  within: boolean;
  earliest: number | null;
}

async function readChain(
  ledger: AuditLedger,
  writer: string,
  { since, until }: { since: number; until: number },
): Promise<SeenChain> {
  const seen: SeenChain = { head: null, within: false, earliest: null };
  for (let after = 0; ;) {
    const page = await ledger.entries(writer, after, PAGE);
    for (const { n, hash, created_at } of page) {
      seen.earliest = Math.min(created_at, seen.earliest ?? created_at);
      if (created_at >= until) continue;
      seen.head = { writer, n, hash };
      seen.within ||= created_at >= since;
    }
    after = page.at(-1)?.n ?? after;
    if (page.length < PAGE) return seen;
  }
}
