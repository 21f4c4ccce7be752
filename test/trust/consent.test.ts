import { describe, expect, test } from 'vitest';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import { claimsOf, openApproval, signApproval } from '../../compiler/trust/approval.ts';
import { assertApproved, type Caller, consentTo, expiredApprovers, mayRead } from '../../compiler/trust/consent.ts';
import { reasonOf } from '../support/refused.ts';
import { person, type Person, staff } from '../support/staff.ts';

const agent = (garden: string, of: string[] = []): Caller => ({
  kind: 'agent',
  garden,
  agent_id: `acme/agent/${garden}`,
  mayReadOf: (it) => of.includes(it),
});

describe('§21.4.4 which gardens a caller may read', () => {
  test.each([
    ['an administrator may read any garden', { kind: 'admin', entity: 'acme/human/ann' } as const, 'cto', true],
    ['an agent may read its own garden', agent('cto'), 'cto', true],
    ['an agent may read the shared garden', agent('cto'), SHARED, true],
    ['an agent may read a garden that it supervises or has a grant for', agent('cto', ['ops']), 'ops', true],
    ['an agent may not read any other garden', agent('cto', ['ops']), 'cfo', false],
    ['an agent without a garden may not read the shared one', agent(''), SHARED, false],
    ['an agent without a garden may not read one by a grant', agent('', ['ops']), 'ops', false],
  ])('%s', (_, caller, garden, may) => {
    expect(mayRead(caller, garden)).toBe(may);
  });
});

const NOW = '2026-05-04T12:00:00Z';
const [ann, bob] = ['ann', 'bob'].map((name) => person(name)) as [Person, Person];
const { root } = staff([bob, ann]).root;
const ADA = 'acme/human/ada';
const fact = {
  name: 'limits',
  content: '# Never\n',
  delivery: Delivery.parse({ description: 'What never to do', guarantee_load: true }),
  authored_by: ADA,
  fallback: null,
  valid_until: null,
};
const [claim] = claimsOf('acme', 'cto', fact, null) as [ReturnType<typeof claimsOf>[number]];
const signed = (...by: Person[]) =>
  signApproval(
    { ...claim, source_digest: null, note: null, expires: null },
    by.map((it) => it.signer),
  );
const files = (...by: Person[]) => new Map(by.length > 0 ? [['approvals/1.json', signed(...by)]] : []);

describe('DESIGN §7 who approved a text', () => {
  test('the administrators of a consent are in the order of their names', () => {
    const given = [bob, ann].map((it) => openApproval(signed(it), root, NOW));
    expect(consentTo(claim, given, new Set(), NOW).by).toEqual([ann.entity, bob.entity]);
  });
});

describe('DESIGN §7 a server checks approvals itself', () => {
  type Used = Parameters<typeof assertApproved>[0]['used'][number];
  const used = (over: Partial<Used>): Used => ({
    unit: 'limits',
    kind: 'guarantee_load',
    by: [ann.entity],
    note: null,
    expires: null,
    files: ['approvals/1.json'],
    ...over,
  });
  const reason = (of: ReturnType<typeof files>, uses: readonly Used[] = [], under = root, what: object = {}) =>
    reasonOf(() => {
      const at = { deployment: 'acme', garden: 'cto', now: NOW, used: uses };
      assertApproved(at, [{ ...fact, ...what }], of, under);
    });

  test('a guaranteed unit needs an approval, but not under a development root', () => {
    expect(reason(files())).toBe('approval_missing');
    expect(reason(files(), [], { ...root, development: true })).toBe('believed');
    expect(reason(files(ann))).toBe('believed');
  });

  test('an author of the text that was approved before does not count as approver', () => {
    expect(reason(files(ann), [used({ authors: [ann.entity] })])).toBe('approval_missing');
    expect(reason(files(ann, bob), [used({ authors: [ann.entity] })])).toBe('believed');
  });

  test.each([
    ['unit', { unit: 'wrap-up' }],
    ['kind', { kind: 'force_position' }],
  ] as const)('authors of an approved text of another %s do not matter', (_, other) => {
    expect(reason(files(ann), [used({ ...other, authors: [ann.entity] })])).toBe('believed');
  });

  test('a text that one of its commits does not prove needs as many approvals as the root asks for it', () => {
    const strict = { ...root, thresholds: { ...root.thresholds, unproven_authors: 2 } };
    const proven = { signed_by: 'SHA256:x' };
    expect(reason(files(ann), [used({})], strict, proven)).toBe('believed');
    expect(reason(files(ann), [], strict)).toBe('approval_missing');
    expect(reason(files(ann, bob), [], strict)).toBe('believed');
    expect(reason(files(ann), [used({ unproven: true })], strict, proven)).toBe('approval_missing');
    expect(reason(files(ann), [used({}), used({ unproven: true })], strict, proven)).toBe('approval_missing');
  });
});

const BEFORE = '2026-05-04T11:59:59Z';
const newer = person('ann');

const expiring = (expires: string) => ({
  ...root,
  keys: { ...root.keys, [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires } },
});

test('an approver whose key has expired is named, and one whose key has not is not', () => {
  expect(expiredApprovers([bob.entity, ann.entity, ann.entity], expiring(BEFORE), NOW)).toEqual([ann.entity]);
  expect(expiredApprovers([ann.entity], expiring(NOW), NOW)).toEqual([ann.entity]);
  expect(expiredApprovers([ann.entity], expiring('2026-05-04T12:00:01Z'), NOW)).toEqual([]);
});

test('an approver with a newer key is not named, and neither is one who has no key in the root', () => {
  const { keys, ...rest } = expiring(BEFORE);
  const both = {
    ...rest,
    keys: { ...keys, [newer.signer.keyid]: { public: newer.signer.publicPem, owner: ann.entity } },
  };
  expect(expiredApprovers([ann.entity, 'acme/human/eve'], both, NOW)).toEqual([]);
});
