import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import { type Approval, APPROVAL_TYPE } from '../../compiler/schema/source/approval.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { addSignature } from '../../compiler/trust/add-signature.ts';
import {
  captureClaim,
  claimsOf,
  lapseOf,
  manifestInputDigest,
  openApproval,
  requiredApprovals,
  signApproval,
} from '../../compiler/trust/approval.ts';
import { canonicalBytes, canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import { assertApproved, consentTo } from '../../compiler/trust/consent.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner, person, staff, type Person } from '../support/staff.ts';

const NOW = '2026-05-04T12:00:00Z';
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const second = { ...ann, signer: newSigner() };
const { root } = staff([ann, second, bob]).root;
const AUTHOR = 'acme/human/ada-lovelace';

const delivery = (more: object = {}) =>
  Delivery.parse({ description: 'What never to do', guarantee_load: true, ...more });
const text = { name: 'limits', content: '# Never\n', delivery: delivery(), authored_by: AUTHOR };
const fact = { ...text, fallback: null, valid_until: null };
type Checked = typeof text & Pick<Fact, 'fallback' | 'valid_until'>;
const [claim] = claimsOf('acme', 'cto', fact, null) as [ReturnType<typeof claimsOf>[number]];

const approval = (over: Partial<Approval> = {}): Approval => ({
  ...claim,
  source_digest: null,
  note: null,
  expires: null,
  ...over,
});
const given = (over: Partial<Approval>, ...by: Person[]) =>
  openApproval(
    signApproval(
      approval(over),
      by.map((it) => it.signer),
    ),
    root,
    NOW,
  );

describe('DESIGN §7 an approval is of one exact text', () => {
  test.each([
    ['holds for its own claim', {}, null],
    ['does not hold for another deployment', { deployment: 'ajax' }, 'other_deployment'],
    ['does not hold for another agent', { garden: 'ops' }, 'other_garden'],
    ['does not hold for another unit', { unit: 'wrap-up' }, 'other_unit'],
    ['of a whole garden does not hold for a unit', { unit: null }, 'other_unit'],
    ['does not hold for another kind', { kind: 'task_types' }, 'other_kind'],
    ['does not hold for another value', { value: 'false' }, 'other_value'],
    ['of an older text does not hold for a new one', { digest: '0'.repeat(64) }, 'older_text'],
    ['of a legacy file does not hold for a fact', { legacy: '0'.repeat(64) }, 'older_text'],
    ['does not hold for another delivery', { delivery: '0'.repeat(64) }, 'older_text'],
    ['without a delivery does not hold for a unit', { delivery: null }, 'older_text'],
    ['does not hold at its expiry', { expires: NOW }, 'expired'],
    ['holds until its expiry', { expires: '2026-05-04T12:00:01Z' }, null],
  ] as const)('an approval %s', (_, over, lapse) => {
    const one = given(over, ann);
    expect(lapseOf(one, claim, NOW)).toBe(lapse);
    expect(consentTo(claim, [one], new Set(), NOW).by).toEqual(lapse === null ? [ann.entity] : []);
  });

  test('an approval does not hold for a unit with another delivery', () => {
    const changes = [
      { aliases: ['rules'] },
      { description: 'What to do' },
      { listed: false },
      { load_triggers: { intents: ['x'] } },
    ];
    for (const change of changes) {
      const [other] = claimsOf('acme', 'cto', { ...fact, delivery: delivery(change) }, null);
      expect(lapseOf(given({}, ann), other!, NOW)).toBe('older_text');
    }
  });
});

describe('DESIGN §7 who approves', () => {
  const by = (approvals: ReturnType<typeof given>[], authors: string[] = []) =>
    consentTo(claim, approvals, new Set(authors), NOW).by;

  test('an administrator counts as one approver, with one key or several', () => {
    expect(by([given({}, ann, second)])).toEqual([ann.entity]);
    expect(by([given({}, ann), given({}, second)])).toEqual([ann.entity]);
    expect(by([given({}, ann), given({}, bob)])).toEqual([ann.entity, bob.entity]);
    expect(by([given({}, ann, bob)])).toEqual([ann.entity, bob.entity]);
  });

  test('an author of a text does not count as its approver, even if others signed too', () => {
    expect(by([given({}, ann)], [ann.entity])).toEqual([]);
    expect(by([given({}, ann, second)], [ann.entity])).toEqual([]);
    expect(by([given({}, ann, bob)], [ann.entity])).toEqual([bob.entity]);
  });

  test('an approval by a stranger, by the key of bundles or by a former administrator is refused', () => {
    const { root: own, signer } = staff([ann]);
    const former = staff([bob], { admins: [] }).root.root;
    expect(reasonOf(() => given({}, eve))).toBe('key_unknown');
    expect(reasonOf(() => openApproval(signApproval(approval(), [signer]), own.root, NOW))).toBe('key_unknown');
    expect(reasonOf(() => openApproval(signApproval(approval(), [bob.signer]), former, NOW))).toBe('key_unknown');
  });

  test('an approval by an expired key is refused', () => {
    const keys = { [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires: NOW } };
    const late = staff([], { admins: [ann.entity], keys: { ...root.keys, ...keys } });
    const { roles } = root;
    const open = () => openApproval(signApproval(approval(), [ann.signer]), { ...late.root.root, roles }, NOW);
    expect(reasonOf(open)).toBe('key_expired');
  });

  test('a statement of another payload type or with another member is refused as an approval', () => {
    const other = signEnvelope('application/vnd.vademecum.withdrawal+json', canonicalBytes(approval()), [ann.signer]);
    expect(reasonOf(() => openApproval(other, root, NOW))).toBe('payload_type_wrong');
    const extra = signEnvelope(APPROVAL_TYPE, canonicalBytes({ ...approval(), more: 1 }), [ann.signer]);
    expect(reasonOf(() => openApproval(extra, root, NOW))).toBe('format_unknown');
  });

  test('the same signers give an approval of the same bytes, in any order', () => {
    const [one, other] = [signApproval(approval(), [ann.signer]), signApproval(approval(), [bob.signer])];
    const both = addSignature(one, APPROVAL_TYPE, bob.signer);
    expect(addSignature(other, APPROVAL_TYPE, ann.signer)).toEqual(both);
    expect(addSignature(both, APPROVAL_TYPE, ann.signer)).toEqual(both);
    expect(openApproval(both, root, NOW).by).toEqual([ann.entity, bob.entity]);
  });
});

describe('§21.3.3 S6 an approval of a forced position', () => {
  const first = { ...fact, delivery: delivery({ force_position: 'prepend' }) };
  const position = claimsOf('acme', 'cto', first, null).find((it) => it.kind === 'force_position')!;

  test.each([
    ['without a note does not count', null, []],
    ['with an empty note does not count', ' \n', []],
    ['with a note counts', 'read it', [ann.entity]],
  ])('an approval of a forced position %s', (_, note, expected) => {
    expect(consentTo(position, [given({ ...position, note }, ann)], new Set(), NOW).by).toEqual(expected);
  });
});

describe('DESIGN §7 what needs an approval', () => {
  test.each([
    ['a unit that is not guaranteed needs no approval', { guarantee_load: false }, []],
    ['guarantee_load needs an approval', {}, [['guarantee_load', 'true']]],
    ['two wake reasons need no approval', { guarantee_load: false, required_by_task_types: ['a', 'b'] }, []],
    [
      'three wake reasons need an approval, whatever their order',
      { guarantee_load: false, required_by_task_types: ['c', 'a', 'b'] },
      [['task_types', 'a,b,c']],
    ],
    [
      'force_position needs an approval',
      { guarantee_load: false, force_position: 'prepend' },
      [['force_position', 'prepend']],
    ],
  ])('%s', (_, more, expected) => {
    expect(requiredApprovals(delivery(more)).map((it) => [it.kind, it.value])).toEqual(expected);
  });

  const check = (own: Checked[], envelopes: Buffer[], under = root, legacy: [string, Buffer][] = []) =>
    reasonOf(() => {
      const files = new Map([...envelopes.map((it, i) => [`approvals/${i}.json`, it] as const), ...legacy]);
      assertApproved({ deployment: 'acme', garden: 'cto', now: NOW, used: [] }, own, files, under);
    });

  test('an approval must be of the text as served', () => {
    const yes = signApproval(approval(), [bob.signer]);
    expect(check([fact], [yes])).toBe('believed');
    expect(check([{ ...fact, content: '# Always\n' }], [yes])).toBe('approval_missing');
    expect(check([{ ...fact, name: 'other' }], [yes])).toBe('approval_missing');
    expect(check([fact], [])).toBe('approval_missing');
  });

  test('an approval must be of the legacy file’s bytes, whatever digest the fact has', () => {
    const path = 'docs/limits.md';
    const old = Buffer.from('Never, as of old.\n');
    const file = { ...fact, content: '', fallback: { path, digest: sha256(old), tokens: 5 } };
    const [asked] = claimsOf('acme', 'cto', file, sha256(old));
    const yes = signApproval(approval(asked), [bob.signer]);
    expect(check([file], [yes], root, [[`files/${path}`, old]])).toBe('believed');
    expect(check([file], [yes], root, [[`files/${path}`, Buffer.from('Do as you like.\n')]])).toBe('approval_missing');
    expect(check([file], [yes], root)).toBe('approval_missing');
    expect(check([{ ...file, fallback: null }], [yes], root)).toBe('approval_missing');
    const textAlone = signApproval(approval({ digest: sha256('') }), [bob.signer]);
    expect(check([file], [textAlone], root, [[`files/${path}`, old]])).toBe('approval_missing');
  });

  test('an approval does not hold for a fact with another valid_until', () => {
    const yes = signApproval(approval(), [bob.signer]);
    expect(check([{ ...fact, valid_until: '2026-01-01T00:00:00Z' }], [yes])).toBe('approval_missing');
  });

  test('a text needs as many approvers as the root says, and its author does not count', () => {
    const two = { ...root, thresholds: { ...root.thresholds, approval: 2 } };
    expect(check([fact], [signApproval(approval(), [ann.signer, second.signer])], two)).toBe('approval_missing');
    expect(check([fact], [signApproval(approval(), [ann.signer, bob.signer])], two)).toBe('believed');
    expect(
      check([{ ...fact, authored_by: bob.entity }], [signApproval(approval(), [ann.signer, bob.signer])], two),
    ).toBe('approval_missing');
  });
});

describe('an approval of phrases', () => {
  const unit = { name: 'limits', phrases: ['close the ticket', 'we are done'] };
  const asked = captureClaim('acme', 'cto', unit);
  const holdsFor = (over: Partial<typeof unit>, garden = 'cto') =>
    lapseOf(given(asked, ann), captureClaim('acme', garden, { ...unit, ...over }), NOW);

  test('an approval of phrases is of exactly these phrases of one unit, for one agent', () => {
    expect(holdsFor({})).toBeNull();
    expect(holdsFor({}, 'ops')).toBe('other_garden');
    expect(holdsFor({ name: 'wrap-up' })).toBe('other_unit');
    expect(holdsFor({ phrases: [...unit.phrases, 'refund'] })).toBe('older_text');
  });

  test('the approval of phrases that is filed today stays one, since its words are part of what is signed', () => {
    const digest = sha256('["close the ticket","we are done"]');
    const of = { deployment: 'acme', garden: 'cto', unit: 'limits', delivery: null };
    expect(asked).toEqual({ ...of, kind: 'phrase_capture', value: 'phrases', digest });
  });
});

describe('DESIGN §7 the digest of a manifest’s inputs', () => {
  const unit = (name: string, source_digest: string) => ({ name, source_digest });

  test('the digest of a manifest’s inputs depends on names and sources, not on their order', () => {
    const units = [unit('a', '2'), unit('b', '1'), unit('b', '2'), unit('c', '0')];
    const digest = sha256(
      canonicalJson([
        ['a', '2'],
        ['b', '1'],
        ['b', '2'],
        ['c', '0'],
      ]),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(units, { minLength: units.length }), (shuffled) => {
        expect(manifestInputDigest(shuffled)).toBe(digest);
      }),
    );
  });
});
