import type { AuditRecord } from '../../../compiler/schema/audit/record.ts';
import type { ClosingRecord } from '../../../server/audit/records/log.ts';

/** When the first record was created; each later one a second after. */
export const START = 1_800_000_000_000;

/** The i-th recall of an agent, with the id that its entry has. */
export function record(i: number, over: Partial<AuditRecord> = {}): AuditRecord & { readonly id: string } {
  const at = START + i * 1000;
  const audit_token = over.audit_token ?? `audi_${i}`;
  return {
    id: `audevent_${audit_token.slice(5, 31)}`,
    kind: 'recall',
    aborted: false,
    agent_id: 'cto-id',
    asked_by: 'acme/agent/cto',
    heartbeat_id: `hb_${i}`,
    heartbeat_source: 'generated',
    session_start: at,
    wake_reason: null,
    intent: `intent ${i}`,
    files: [`src/${i}.ts`, 'docs/größe.md'],
    request: '{"max_chunks":3}',
    follows: null,
    candidates: ['incident'],
    loaded_chunks: [
      { name: 'wrap-up', source: 'stigmem', rank: 1, version: 'v2' },
      { name: 'heartbeat', source: 'fallback_path', rank: 2, version: 'v1' },
    ],
    answer_digest: 'ab'.repeat(32),
    left_out: [{ name: 'incident', outcome: 'over_max_chunks' }],
    tokens: 30,
    warnings: [],
    bundle_revision: '7-abc',
    now: new Date(at).toISOString(),
    audit_token,
    created_at: at,
    ...over,
  };
}

/** The closing of the i-th recall. */
export function closing(i: number, over: Partial<ClosingRecord> = {}): ClosingRecord {
  return {
    audit_token: `audi_${i}`,
    agent_id: 'cto-id',
    used_chunks: ['wrap-up'],
    missed_chunks: ['on-call'],
    nothing_fits: false,
    closed_at: START + i * 1000 + 500,
    ...over,
  };
}

/** A record as evaluation reads it: without tokens, which would allow closing a recall. */
export function withoutTokens(of: ReturnType<typeof record>): Omit<typeof of, 'audit_token' | 'follows'> {
  const members = Object.entries(of).filter(([name]) => name !== 'audit_token' && name !== 'follows');
  return Object.fromEntries(members) as Omit<typeof of, 'audit_token' | 'follows'>;
}
