import { describe, expect, test } from 'vitest';
import type { FiledConsent } from '../../../compiler/gardens/approvals/read-decisions.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import { ADA, ANN, approval, approved, AT, BOB, written, type ClaimedUnit } from './claimed-unit.ts';

const OTHER = '0'.repeat(64);

const guaranteed = written('guarantee_load: true');
const first = written('force_position: prepend');

/** Messages of a compile about a unit that has these approvals; none where they are enough. */
function told(of: ClaimedUnit, approvals: readonly FiledConsent[], threshold = 1) {
  const { faults } = approved([of], approvals, { threshold });
  return faults.filter((it) => it.rule.endsWith('_approval_required')).map((it) => it.message);
}

/** Reason why one approval is not enough: all that follows its file; undefined where it is not named. */
function reasonOf(of: ClaimedUnit, over: Partial<Approval>, by = [ANN], threshold = 1) {
  const messages = told(of, [approval(of, 'filed', over, ...by)], threshold);
  expect(messages).toHaveLength(1);
  return messages[0]?.split('approvals/filed.json')[1];
}

describe('an approval that comes near what a unit needs', () => {
  test('is named by its file, with a reason of its own for each way to miss', () => {
    const reasons = [
      reasonOf(guaranteed, { deployment: 'ajax' }),
      reasonOf(guaranteed, { value: 'false' }),
      reasonOf(guaranteed, { digest: OTHER }),
      reasonOf(guaranteed, { expires: AT }),
      reasonOf(guaranteed, {}, [ADA]),
      reasonOf(guaranteed, {}, []),
      reasonOf(first, {}),
    ];
    expect(reasons).not.toContain(undefined);
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  test('has one reason for an older text, an older delivery and a legacy file', () => {
    const older = reasonOf(guaranteed, { digest: OTHER });
    expect(reasonOf(guaranteed, { delivery: OTHER })).toBe(older);
    expect(reasonOf(guaranteed, { legacy: OTHER })).toBe(older);
  });

  test('counts for those who did not write the text, where only more of them are needed', () => {
    const reason = reasonOf(guaranteed, {}, [ANN], 2);
    expect(reason).toContain(ANN);
    expect(reason).not.toBe(reasonOf(first, {}, [ANN], 2));
    expect(reasonOf(guaranteed, {}, [ADA, ANN], 2)).toBe(reason);
    expect(told(guaranteed, [approval(guaranteed, 'filed', {}, ANN, BOB)], 2)).toEqual([]);
  });

  test('is not named where it is of another unit, of another agent or of another kind', () => {
    for (const over of [{ unit: 'wrap-up' }, { unit: null }, { garden: 'ops' }, { kind: 'task_types' }] as const) {
      expect(reasonOf(guaranteed, over)).toBeUndefined();
    }
  });

  test('is named beside every other one', () => {
    const filed = [
      approval(guaranteed, 'one', { digest: OTHER }, ANN),
      approval(guaranteed, 'two', { expires: AT }, BOB),
    ];
    const [message] = told(guaranteed, filed);
    for (const { file } of filed) expect(message).toContain(file);
  });
});
