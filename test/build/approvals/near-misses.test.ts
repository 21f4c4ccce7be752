import { describe, expect, test } from 'vitest';
import type { FiledApproval } from '../../../compiler/build/approvals/decisions.ts';
import { approveGarden } from '../../../compiler/build/garden-approvals.ts';
import type { Fact } from '../../../compiler/schema/bundle/fact.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import { Org } from '../../../compiler/schema/source/org.ts';
import { parseUnit } from '../../../compiler/sources/unit.ts';
import { claimsOf } from '../../../compiler/trust/approval.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';

const [ADA, ANN, BOB] = ['ada', 'ann', 'bob'].map((name) => `acme/human/${name}`) as [string, string, string];
const FILE = 'instructions/agents/cto/limits.md';
const AT = '2026-05-04T12:00:00Z';
const OTHER = '0'.repeat(64);

/** A unit with this front matter, written by Ada, and the claim that has to be approved. */
function written(more: string) {
  const text = Buffer.from(`---\ndescription: What never to do\n${more}\n---\n\n# Never\n`);
  const { value: unit } = parseUnit({ path: FILE, mode: '100644', blob: '', size: text.length }, text, 'cto');
  if (!unit) throw new Error('no unit');
  const { name, content, delivery } = unit;
  const fact: Fact = {
    uri: 'instruction:acme/agent/cto/limits/v1',
    ...{ name, content, delivery, version: 1, file: FILE, commit: '0'.repeat(40), tokens: 1 },
    ...{ digest: sha256(content), source_digest: sha256(text), created_at: AT, valid_until: null },
    ...{ authored_by: ADA, authored_at: AT, source_trust: 0.5, verified: false },
    ...{ derived_from: null, fallback: null },
  };
  const [claim] = claimsOf('acme', 'cto', fact, null);
  if (!claim) throw new Error('nothing to approve');
  return { unit, fact, claim };
}

const guaranteed = written('guarantee_load: true');
const first = written('force_position: prepend');

/** What a compile tells of a unit that has these approvals; none where they are enough. */
function told({ unit, fact }: ReturnType<typeof written>, approvals: readonly FiledApproval[], threshold = 1) {
  const never = () => {
    throw new Error('is not asked');
  };
  const decisions = { approvals, evidence: [], withdrawn: new Set<string>(), threshold, unproven: 1, at: AT };
  const org = Org.parse({ deployment: 'acme', compiler: '0.1.0' });
  const context = { org, decisions, development: false, commits: [], attribute: never, blob: never };
  const { faults } = approveGarden(context, 'cto', [{ unit, version: fact, fact }], []);
  return faults.filter((it) => it.rule.endsWith('_approval_required')).map((it) => it.message);
}

/** An approval in a file of its own. */
function approval({ claim }: ReturnType<typeof written>, name: string, over: Partial<Approval>, ...by: string[]) {
  const filed: Approval = { ...claim, source_digest: null, note: null, expires: null, ...over };
  return { approval: filed, by, bytes: Buffer.from(name), file: `approvals/${name}.json`, blob: name };
}

/** What is told of one approval that is not enough: all that follows its file; undefined where it is not named. */
function reasonOf(of: ReturnType<typeof written>, over: Partial<Approval>, by = [ANN], threshold = 1) {
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
