import { expect, test } from 'vitest';
import { VadeError } from '../../../../compiler/schema/errors.ts';
import type { Ledger } from '../../../../compiler/tasks/ledger/open-ledger.ts';
import { ROW_TYPE, type LedgerEntry, type LedgerRow } from '../../../../compiler/tasks/schema/ledger-row.ts';
import {
  bypassesOf,
  revocationOf,
  rowsSince,
  spawnedAgent,
} from '../../../../compiler/tasks/use-cases/verify/spawned-agent.ts';
import { canonicalBytes } from '../../../../compiler/trust/canonical.ts';
import { signEnvelope, type Signer } from '../../../../compiler/trust/dsse.ts';
import { ORCHESTRATOR, planOf, spawnRow } from '../../../support/planned.ts';
import { newSigner } from '../../../support/staff.ts';

const KEY = { keyid: ORCHESTRATOR.keyid, pem: ORCHESTRATOR.publicPem };
const STRANGER = newSigner();
const STATE = '{"entries":{},"format":1}';
const spawn = (agent: string): LedgerRow => ({
  ...spawnRow(agent),
  git_state: { digest: spawnRow(agent).git_state.digest, text: STATE },
});
const event = { format: 1, agent_id: 'a-1', at: '2026-11-23T13:00:00Z', reason: 'why' } as const;
const bypass = (atom: string): LedgerRow => ({ ...event, kind: 'bypass', atom });
const revocation = (atom: string | null): LedgerRow => ({ ...event, kind: 'revocation', atom });

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof VadeError) return error.code;
    throw error;
  }
  return 'nothing was refused';
}

type Row = readonly [row: LedgerRow, by?: Signer | null];

/** A ledger in memory; a row is sealed by the orchestrator, by another key or by nobody. */
function ledgerOf(...rows: readonly Row[]): Ledger {
  const entries = rows.map(([row, by = ORCHESTRATOR], at): LedgerEntry => {
    const seal = by && signEnvelope(ROW_TYPE, canonicalBytes(row), [by]);
    return { seq: at + 1, row, seal };
  });
  return {
    rowsOf: (agent: string) => entries.filter((it) => it.row.agent_id === agent),
    newest: (limit: number) => [...entries].reverse().slice(0, limit),
  } as unknown as Ledger;
}

test('an agent is who the row and the plan that the orchestrator sealed say that it is', () => {
  const agent = spawnedAgent(ledgerOf([spawn('a-2')], [spawn('a-1')]), 'a-1', KEY);
  expect([agent.plan.agent_id, agent.spawn.agent_id, agent.state]).toEqual(['a-1', 'a-1', { format: 1, entries: {} }]);
});

test('an agent that was never spawned, or that another key or nobody sealed, is none', () => {
  const read = (ledger: Ledger) => codeOf(() => spawnedAgent(ledger, 'a-1', KEY));
  expect(read(ledgerOf([spawn('a-2')]))).toBe('agent_not_found');
  expect(read(ledgerOf([bypass('quality::tests-green')]))).toBe('agent_not_found');
  expect(read(ledgerOf([spawn('a-1'), STRANGER]))).toBe('bundle_unverified');
  expect(read(ledgerOf([spawn('a-1'), null]))).toBe('bundle_unverified');
});

test.each<[string, object]>([
  ['agent', { agent_id: 'a-2' }],
  ['worktree', { worktree: '/elsewhere' }],
  ['commit', { base: 'b'.repeat(40) }],
])('a plan about another %s than its row is refused', (_, more) => {
  const row = { ...spawn('a-1'), plan: spawnRow('a-1', more).plan } as LedgerRow;
  expect(codeOf(() => spawnedAgent(ledgerOf([row]), 'a-1', KEY))).toBe('bundle_unverified');
});

test('the rows since its start are those that the orchestrator sealed, its own first and none before', () => {
  const ledger = ledgerOf(
    [spawn('a-0')],
    [spawn('a-1')],
    [bypass('quality::tests-green'), STRANGER],
    [spawn('a-2')],
    [revocation(null), null],
  );
  expect(rowsSince(ledger, 'a-1', KEY).map((it) => `${it.kind} ${it.agent_id}`)).toEqual(['spawn a-1', 'spawn a-2']);
});

test('the rows since a start are looked for among the newest 100,000 of all agents', () => {
  const asked: number[] = [];
  const ledger = ledgerOf([spawn('a-1')]);
  rowsSince({ ...ledger, newest: (limit) => (asked.push(limit), ledger.newest(limit)) }, 'a-1', KEY);
  expect(asked).toEqual([100_000]);
});

test('a revocation counts whoever wrote it, and one of an atom ends no agent', () => {
  expect(revocationOf(ledgerOf([spawn('a-1')], [revocation('safety::no-dep-bump')]), 'a-1')).toBeNull();
  for (const by of [ORCHESTRATOR, STRANGER, null])
    expect(revocationOf(ledgerOf([spawn('a-1')], [revocation(null), by]), 'a-1')).toBe('why');
});

test('a bypass counts if it is sealed, kept by the plan and not revoked since', () => {
  const plan = planOf('a-1', { bypasses: ['quality::tests-green', 'safety::no-dep-bump'] });
  const of = (...rows: readonly Row[]) => [...bypassesOf(ledgerOf(...rows), plan, KEY)];
  const green = 'quality::tests-green';
  expect(of([bypass(green)])).toEqual([[green, 'why']]);
  expect(of([bypass(green), STRANGER], [bypass('safety::no-dep-bump'), null])).toEqual([]);
  expect(of([bypass('policy::no-git-ops')])).toEqual([]);
  expect(of([bypass(green)], [revocation(green), null])).toEqual([]);
  expect(of([bypass(green)], [revocation(green)])).toEqual([]);
  expect(of([bypass(green)], [revocation('safety::no-dep-bump')])).toEqual([[green, 'why']]);
  expect(of([revocation(green)], [bypass(green)])).toEqual([[green, 'why']]);
});
