import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import { type Approval, APPROVAL_TYPE } from '../../compiler/schema/source/approval.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { addSignature } from '../../compiler/trust/add-signature.ts';
import {
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

describe('DESIGN §7 an approval speaks for one exact thing', () => {
  test.each([
    ['this', {}, null],
    ['another deployment', { deployment: 'ajax' }, 'other_deployment'],
    ['another agent', { garden: 'ops' }, 'other_garden'],
    ['another unit', { unit: 'wrap-up' }, 'other_unit'],
    ['a whole garden', { unit: null }, 'other_unit'],
    ['another kind', { kind: 'task_types' }, 'other_kind'],
    ['another value', { value: 'false' }, 'other_value'],
    ['an older text', { digest: '0'.repeat(64) }, 'older_text'],
    ['a legacy file where none stands in', { legacy: '0'.repeat(64) }, 'older_text'],
    ['another delivery', { delivery: '0'.repeat(64) }, 'older_text'],
    ['no delivery', { delivery: null }, 'older_text'],
    ['a time that is over', { expires: NOW }, 'expired'],
    ['a time that is not', { expires: '2026-05-04T12:00:01Z' }, null],
  ] as const)('and is of %s', (_, over, lapse) => {
    const one = given(over, ann);
    expect(lapseOf(one, claim, NOW)).toBe(lapse);
    expect(consentTo(claim, [one], new Set(), NOW).by).toEqual(lapse === null ? [ann.entity] : []);
  });

  test('whatever of the delivery changes, it is of another', () => {
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

describe('DESIGN §7 who says yes', () => {
  const by = (approvals: ReturnType<typeof given>[], authors: string[] = []) =>
    consentTo(claim, approvals, new Set(authors), NOW).by;

  test('is an administrator, once with however many keys', () => {
    expect(by([given({}, ann, second)])).toEqual([ann.entity]);
    expect(by([given({}, ann), given({}, second)])).toEqual([ann.entity]);
    expect(by([given({}, ann), given({}, bob)])).toEqual([ann.entity, bob.entity]);
    expect(by([given({}, ann, bob)])).toEqual([ann.entity, bob.entity]);
  });

  test('is not an author, though others signed with them', () => {
    expect(by([given({}, ann)], [ann.entity])).toEqual([]);
    expect(by([given({}, ann, second)], [ann.entity])).toEqual([]);
    expect(by([given({}, ann, bob)], [ann.entity])).toEqual([bob.entity]);
  });

  test('is nobody else: a stranger, the key of the bundle, an owner who is no administrator', () => {
    const { root: own, signer } = staff([ann]);
    const former = staff([bob], { admins: [] }).root.root;
    expect(reasonOf(() => given({}, eve))).toBe('key_unknown');
    expect(reasonOf(() => openApproval(signApproval(approval(), [signer]), own.root, NOW))).toBe('key_unknown');
    expect(reasonOf(() => openApproval(signApproval(approval(), [bob.signer]), former, NOW))).toBe('key_unknown');
  });

  test('an expired key gives no approval', () => {
    const keys = { [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires: NOW } };
    const late = staff([], { admins: [ann.entity], keys: { ...root.keys, ...keys } });
    const { roles } = root;
    const open = () => openApproval(signApproval(approval(), [ann.signer]), { ...late.root.root, roles }, NOW);
    expect(reasonOf(open)).toBe('key_expired');
  });

  test('signs what nobody altered, as an approval', () => {
    const other = signEnvelope('application/vnd.vademecum.withdrawal+json', canonicalBytes(approval()), [ann.signer]);
    expect(reasonOf(() => openApproval(other, root, NOW))).toBe('payload_type_wrong');
    const extra = signEnvelope(APPROVAL_TYPE, canonicalBytes({ ...approval(), more: 1 }), [ann.signer]);
    expect(reasonOf(() => openApproval(extra, root, NOW))).toBe('format_unknown');
  });

  test('adds a signature whenever it comes: the same signers give the same bytes', () => {
    const [one, other] = [signApproval(approval(), [ann.signer]), signApproval(approval(), [bob.signer])];
    const both = addSignature(one, APPROVAL_TYPE, bob.signer);
    expect(addSignature(other, APPROVAL_TYPE, ann.signer)).toEqual(both);
    expect(addSignature(both, APPROVAL_TYPE, ann.signer)).toEqual(both);
    expect(openApproval(both, root, NOW).by).toEqual([ann.entity, bob.entity]);
  });
});

describe('§21.3.3 S6 a unit that comes first', () => {
  const first = { ...fact, delivery: delivery({ force_position: 'prepend' }) };
  const position = claimsOf('acme', 'cto', first, null).find((it) => it.kind === 'force_position')!;

  test.each([
    ['no note', null, []],
    ['an empty note', ' \n', []],
    ['a note', 'read it', [ann.entity]],
  ])('is approved with %s, or not', (_, note, expected) => {
    expect(consentTo(position, [given({ ...position, note }, ann)], new Set(), NOW).by).toEqual(expected);
  });
});

describe('DESIGN §7 what asks for an approval', () => {
  test.each([
    ['nothing', { guarantee_load: false }, []],
    ['guarantee_load', {}, [['guarantee_load', 'true']]],
    ['two wake reasons', { guarantee_load: false, required_by_task_types: ['a', 'b'] }, []],
    [
      'three, whatever their order',
      { guarantee_load: false, required_by_task_types: ['c', 'a', 'b'] },
      [['task_types', 'a,b,c']],
    ],
    ['force_position', { guarantee_load: false, force_position: 'prepend' }, [['force_position', 'prepend']]],
  ])('%s', (_, more, expected) => {
    expect(requiredApprovals(delivery(more)).map((it) => [it.kind, it.value])).toEqual(expected);
  });

  const check = (own: Checked[], envelopes: Buffer[], under = root, legacy: [string, Buffer][] = []) =>
    reasonOf(() => {
      const files = new Map([...envelopes.map((it, i) => [`approvals/${i}.json`, it] as const), ...legacy]);
      assertApproved({ deployment: 'acme', garden: 'cto', now: NOW, used: [] }, own, files, under);
    });

  test('is checked from the text as served, not from what is said of it', () => {
    const yes = signApproval(approval(), [bob.signer]);
    expect(check([fact], [yes])).toBe('believed');
    expect(check([{ ...fact, content: '# Always\n' }], [yes])).toBe('approval_missing');
    expect(check([{ ...fact, name: 'other' }], [yes])).toBe('approval_missing');
    expect(check([fact], [])).toBe('approval_missing');
  });

  test('is checked from the bytes of the legacy file as well, whatever its digest is said to be', () => {
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

  test('ends when its approved delivery says, and not when whoever signs the bundle likes', () => {
    const yes = signApproval(approval(), [bob.signer]);
    expect(check([{ ...fact, valid_until: '2026-01-01T00:00:00Z' }], [yes])).toBe('approval_missing');
  });

  test('takes as many administrators as the root says', () => {
    const two = { ...root, thresholds: { ...root.thresholds, approval: 2 } };
    expect(check([fact], [signApproval(approval(), [ann.signer, second.signer])], two)).toBe('approval_missing');
    expect(check([fact], [signApproval(approval(), [ann.signer, bob.signer])], two)).toBe('believed');
    expect(
      check([{ ...fact, authored_by: bob.entity }], [signApproval(approval(), [ann.signer, bob.signer])], two),
    ).toBe('approval_missing');
  });
});

describe('DESIGN §7 the inputs of a manifest', () => {
  const unit = (name: string, source_digest: string) => ({ name, source_digest });

  test('their digest is of names and sources, and does not depend on the order of units', () => {
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
