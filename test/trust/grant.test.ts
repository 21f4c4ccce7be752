import { describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { signApproval } from '../../compiler/trust/approval.ts';
import { grantClaim, judgeGrant, supervises } from '../../compiler/trust/grant.ts';
import { newSigner, person, staff, type Person } from '../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const DAY = 86_400_000;
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const { root } = staff([ann, bob]).root;
const claim = grantClaim('acme', 'cto', 'acme/agent/cto', 'ops');
const days = (count: number) => new Date(NOW + count * DAY).toISOString();

/** Approvals of the grant in a garden's files. */
const files = (...given: (readonly [Person, string | null])[]) =>
  new Map<string, Buffer>(
    given.map(([by, expires], at) => {
      const approval = { ...claim, source_digest: null, note: null, expires };
      return [`approvals/${at}.json`, signApproval(approval, [by.signer])] as const;
    }),
  );

/** The root with the days after which keys of people expire. */
function expiring(...keys: (readonly [Person, number])[]): TrustRoot {
  const own = keys.map(([{ entity, signer }, after]) => [
    signer.keyid,
    { public: signer.publicPem, owner: entity, expires: days(after) },
  ]);
  return { ...root, keys: { ...root.keys, ...(Object.fromEntries(own) as TrustRoot['keys']) } };
}

describe('§21.4.4 a grant', () => {
  const judge = (given: ReturnType<typeof files>, under = root) => judgeGrant(given, claim, under, NOW);

  test('a grant that no expiry ends is valid for ever', () => {
    expect(judge(files([ann, null]))).toEqual({ holds: true, from: NOW, until: Infinity });
  });

  test('a grant is valid until its first approval expires', () => {
    expect(judge(files([ann, days(3)], [bob, days(2)]))).toEqual({ holds: true, from: NOW, until: NOW + 2 * DAY });
  });

  test('a grant is valid until the key of one of its approvers expires, whoever else has keys', () => {
    const under = expiring([ann, 5], [bob, 1]);
    expect(judge(files([ann, null]), under).until).toBe(NOW + 5 * DAY);
  });

  test('a key of an approver that is over, or ends at this instant, does not end a grant by another key', () => {
    const spare = { ...ann, signer: newSigner() };
    for (const after of [-1, 0]) expect(judge(files([ann, null]), expiring([spare, after])).until).toBe(Infinity);
    expect(judge(files([ann, null]), expiring([spare, 1])).until).toBe(NOW + DAY);
  });

  test('an approval that expires at this instant gives no grant', () => {
    expect(judge(files([ann, days(0)]))).toEqual({ holds: false, from: NOW, until: Infinity });
    expect(judge(files([ann, days(0)], [bob, days(1)]))).toEqual({ holds: true, from: NOW, until: NOW + DAY });
  });

  test('a grant needs as many administrators as the root asks for approvals', () => {
    const two = { ...root, thresholds: { ...root.thresholds, approval: 2 } };
    expect(judge(files([ann, null]), two).holds).toBe(false);
    expect(judge(files([ann, null], [bob, null]), two).holds).toBe(true);
  });

  test('an approval by somebody else, or outside approvals/, gives no grant', () => {
    expect(judge(files([eve, null])).holds).toBe(false);
    const [bytes] = files([ann, null]).values();
    expect(judge(new Map([['files/0.json', bytes!]])).holds).toBe(false);
  });

  test('a grant for another reader, or to another ID of the agent, is another claim', () => {
    const holds = (of: typeof claim) => judgeGrant(files([ann, null]), of, root, NOW).holds;
    expect(holds(grantClaim('acme', 'cto', 'acme/agent/cto', 'cfo'))).toBe(false);
    expect(holds(grantClaim('acme', 'cto', 'acme/agent/cto2', 'ops'))).toBe(false);
  });
});

describe('§21.4.5 a supervisor', () => {
  const under = { ...root, supervisors: { ceo: ['cto', 'cfo'], cto: ['ops'] } };

  test('an agent supervises exactly the agents that the root lists for it', () => {
    expect(supervises(under, 'ceo', 'cfo')).toBe(true);
    expect(supervises(under, 'ceo', 'ops')).toBe(false);
    expect(supervises(under, 'cto', 'ceo')).toBe(false);
  });

  test('an agent supervises nobody without supervisors in the root, or by a name that every object has', () => {
    expect(supervises(root, 'ceo', 'cto')).toBe(false);
    expect(supervises(under, 'constructor', 'cto')).toBe(false);
  });
});
