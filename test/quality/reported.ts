import type { Measured } from '../../compiler/quality/metrics/metrics.ts';
import type { MetricsWindow } from '../../compiler/schema/api/metrics-query.ts';
import type { Answer } from '../server/audit/summed.ts';

const AGENT_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
export const UNTIL = Date.parse('2026-05-08T12:00:00Z');
export const DAY_MS = 24 * 60 * 60 * 1000;

export const WINDOW: MetricsWindow = { since: UNTIL - 7 * DAY_MS, until: UNTIL + 1, depths: [1, 3] };

export const MEASURED: Measured = {
  agent: 'cto',
  agent_id: AGENT_ID,
  entity: 'acme/agent/cto',
  guaranteed: ['limits'],
  units: new Set(['deploy', 'incident', 'limits', 'access']),
  eagerTokens: 4000,
  stubTokens: 100,
  recertify: null,
};

export interface Row extends Partial<Answer> {
  readonly loaded?: readonly string[];
  readonly used?: readonly string[];
  readonly missed?: readonly string[];
  readonly nothingFits?: boolean;
  readonly closed?: boolean;
  /** Names that it recalled by. */
  readonly hints?: readonly string[];
}

let rows = 0;

/** A row of the audit; by default a recall of one heartbeat that loaded three units and used the first. */
export function row(over: Row = {}): Answer {
  const { loaded = ['deploy', 'incident', 'limits'], used = ['deploy'], missed = [], closed = true, ...rest } = over;
  const { nothingFits: nothing_fits = false, hints = [], ...more } = rest;
  return {
    ...{
      agent_id: AGENT_ID,
      asked_by: 'acme/agent/cto',
      kind: 'recall',
      aborted: false,
      tokens: 300,
      created_at: UNTIL - 1000,
    },
    ...{ heartbeat_id: 'hb_1', heartbeat_source: 'caller', seq: (rows += 1), first: null },
    request: JSON.stringify({ manifest_hint: hints }),
    loaded_chunks: loaded.map((name, i) => ({ name, rank: i + 1, source: 'stigmem', version: 'v1' })),
    closing: closed ? { used_chunks: [...used], missed_chunks: [...missed], nothing_fits, at: UNTIL } : null,
    ...more,
  };
}
