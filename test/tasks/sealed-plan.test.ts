import { expect, test } from 'vitest';
import { ROW_TYPE, type LedgerRow } from '../../compiler/tasks/schema/ledger-row.ts';
import { PLAN_TYPE } from '../../compiler/tasks/schema/plan.ts';
import { isSealed, openPlan, sealPlan } from '../../compiler/tasks/sealed-plan.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { ORCHESTRATOR, planOf, spawnRow } from '../support/planned.ts';
import { reasonOf } from '../support/refused.ts';

const KEY = { keyid: ORCHESTRATOR.keyid, pem: ORCHESTRATOR.publicPem };
const sealed = (type: string, value: object) => signEnvelope(type, canonicalBytes(value), [ORCHESTRATOR]);

test('a plan is read as it was sealed', () => {
  expect(openPlan(sealPlan(planOf('a-1'), ORCHESTRATOR), KEY)).toEqual(planOf('a-1'));
});

test('a plan of another form is not sealed, and one that was is not believed', () => {
  const odd = { ...planOf('a-1'), worktree: 'relative' };
  expect(() => sealPlan(odd, ORCHESTRATOR)).toThrow();
  expect(reasonOf(() => openPlan(sealed(PLAN_TYPE, odd), KEY))).toBe('format_unknown');
});

test('what the orchestrator sealed as something else is no plan and no row', () => {
  expect(reasonOf(() => openPlan(sealed(ROW_TYPE, planOf('a-1')), KEY))).not.toBe('believed');
  const row: LedgerRow = spawnRow('a-1');
  expect(isSealed({ seq: 1, row, seal: sealed(PLAN_TYPE, row) }, KEY)).toBe(false);
  expect(isSealed({ seq: 1, row, seal: Buffer.from('{}') }, KEY)).toBe(false);
  expect(isSealed({ seq: 1, row, seal: sealed(ROW_TYPE, row) }, KEY)).toBe(true);
});
