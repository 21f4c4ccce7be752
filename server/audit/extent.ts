import type { AuditHead } from '../../compiler/schema/bundle/evidence.ts';
import { assertThere, type AuditPlace } from './maintenance.ts';
import { openLedger } from './open.ts';
import type { AuditLedger } from './records/store.ts';

/** How far an audit goes at the end of a window, and where it begins; times are milliseconds since 1970. */
export interface AuditExtent {
  /** The last entry before the window's end of every chain that has entries in the window, by writer. */
  readonly heads: readonly AuditHead[];
  /** When the oldest entry was made that is still there; null where there is none. */
  readonly earliest: number | null;
}

const PAGE = 1000;

/**
 * The ends of an audit's chains as a window has them: later entries change nothing of it, so that whoever looks
 * later sees the same.
 *
 * @throws audit_not_found, output_failed
 */
export async function readExtent(place: AuditPlace, window: { since: number; until: number }): Promise<AuditExtent> {
  assertThere(place);
  const ledger = await openLedger(place.audit, 'read');
  try {
    const heads: AuditHead[] = [];
    let earliest: number | null = null;
    for (const writer of await ledger.writers()) {
      const seen = await readChain(ledger, writer, window);
      if (seen.head !== null && seen.within) heads.push(seen.head);
      if (seen.earliest !== null) earliest = Math.min(seen.earliest, earliest ?? seen.earliest);
    }
    return { heads, earliest };
  } finally {
    await ledger.end();
  }
}

/** One chain: its last entry before the window's end, whether any lies within, and its oldest. */
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
