import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT_FILE } from '../../../compiler/capabilities/gate/disk-store.ts';
import { APPROVAL, GARDEN, LEAST_FOR_BYPASS } from '../../../compiler/capabilities/gate/prove-approved.ts';
import { ROOT_TYPE } from '../../../compiler/capabilities/gate/read-root.ts';
import { APPROVAL_TYPE } from '../../../compiler/schema/source/approval.ts';
import { TRUST_ROOT_TYPE } from '../../../compiler/schema/source/trust-root.ts';
import { CAPABILITIES } from '../../../compiler/schema/uri.ts';
import { BYPASS_APPROVERS } from '../../../compiler/trust/capability-consent.ts';
import { approvalsOf, gateFolder } from '../../support/gate-folder.ts';
import { bindingOf, EDITING_GATES, roleWith } from '../../support/gate.ts';
import { person, staff } from '../../support/staff.ts';

const loosened = roleWith({ gates: EDITING_GATES.slice(1) });
const bypassing = roleWith({
  gates: EDITING_GATES.map((it) => ({ ...it, relaxable: true, bypass_env: 'ORCHESTRATOR_META' })),
});
const thresholds = { approval: 1, withdrawal: 1, rollback: 1 };

describe('the gate proves the role of a binding once more', () => {
  test('it knows types and thresholds as the schemas have them', () => {
    expect([ROOT_TYPE, APPROVAL, GARDEN, LEAST_FOR_BYPASS]).toEqual([
      TRUST_ROOT_TYPE,
      APPROVAL_TYPE,
      CAPABILITIES,
      BYPASS_APPROVERS,
    ]);
  });

  test('a stolen key of the orchestrator cannot loosen a role: every call is denied', () => {
    const { seal, bash, one, orchestrator, admins } = gateFolder();
    const old = approvalsOf(bindingOf(one).role, admins);
    seal(bindingOf(one, { role: loosened }), orchestrator, old);
    expect(bash('ls').exit).toBe(2);
    seal(bindingOf(one, { role: loosened }), orchestrator, approvalsOf(loosened, [admins[0]]));
    expect(bash('ls').exit).toBe(0);
  });

  test.each<[string, (gate: ReturnType<typeof gateFolder>) => string[]]>([
    ['is missing', () => []],
    ['is by somebody who is no administrator', ({ one }) => approvalsOf(bindingOf(one).role, [person('eve')])],
    [
      'is by the key of a stranger under an administrator’s id',
      ({ one, admins }) => {
        const [text = ''] = approvalsOf(bindingOf(one).role, [person('eve')]);
        const envelope = JSON.parse(text) as { signatures: { sig: string }[] };
        const signatures = envelope.signatures.map(({ sig }) => ({ keyid: admins[0].signer.keyid, sig }));
        return [JSON.stringify({ ...envelope, signatures })];
      },
    ],
    [
      'has expired',
      ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { expires: '2020-01-01T00:00:00.000Z' }),
    ],
    [
      'is for another deployment',
      ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { deployment: 'other' }),
    ],
    ['is for another role', ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { unit: 'other' })],
    ['is of another kind', ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { kind: 'bypass' })],
    ['is of a unit', ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { garden: 'cto' })],
    ['is also about a model', ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { model: 'a'.repeat(64) })],
    [
      'is also about a legacy file',
      ({ one, admins }) => approvalsOf(bindingOf(one).role, admins, { legacy: 'a'.repeat(64) }),
    ],
    ['is no envelope', () => ['{}']],
  ])('an approval that %s denies every call', (_, approvals) => {
    const gate = gateFolder();
    gate.seal(bindingOf(gate.one), gate.orchestrator, approvals(gate));
    expect(gate.bash('ls').exit).toBe(2);
  });

  test('who wrote a part of the role cannot approve it, however the name is written', () => {
    const { seal, bash, one } = gateFolder();
    seal(bindingOf(one, { consent: { authors: ['other/human/b.e.a'], proven: true, approvals: [] } }));
    expect(bash('ls').exit).toBe(2);
  });

  test('where nothing proves who wrote it, as many must approve as the root asks', () => {
    const { seal, bash, one, orchestrator, admins } = gateFolder({
      thresholds: { ...thresholds, unproven_authors: 2 },
    });
    const binding = bindingOf(one, { consent: { authors: [], proven: false, approvals: [] } });
    seal(binding);
    expect(bash('ls').exit).toBe(2);
    seal(binding, orchestrator, approvalsOf(binding.role, admins));
    expect(bash('ls').exit).toBe(0);
  });

  test('who wrote the role is decided by the seal alone: a gate without a bundle cannot know it otherwise', () => {
    const { seal, bash, one, orchestrator, admins } = gateFolder();
    const said = (authors: string[]) => bindingOf(one, { consent: { authors, proven: true, approvals: [] } });
    const approvals = approvalsOf(bindingOf(one).role, [admins[0]]);
    seal(said([admins[0].entity]), orchestrator, approvals);
    expect(bash('ls').exit).toBe(2);
    // the README says so: whoever proves the role with the bundle finds the author out
    seal(said([]), orchestrator, approvals);
    expect(bash('ls').exit).toBe(0);
  });

  test('a bypass needs two administrators, and a person who signs twice is one', () => {
    const { seal, bash, one, orchestrator, admins } = gateFolder();
    const binding = bindingOf(one, { role: bypassing });
    const [first] = admins;
    const twice = [...approvalsOf(bypassing, [first]), ...approvalsOf(bypassing, [first], { note: 'again' })];
    seal(binding, orchestrator, twice);
    expect(bash('ls').exit).toBe(2);
    const [read = '', said = ''] = approvalsOf(bypassing, admins);
    const [unread = '', silent = ''] = approvalsOf(bypassing, admins, { note: ' ' });
    // a role needs no word, a bypass does
    seal(binding, orchestrator, [read, silent]);
    expect(bash('ls').exit).toBe(2);
    seal(binding, orchestrator, [unread, said]);
    expect(bash('ls').exit).toBe(0);
    seal(binding, orchestrator, approvalsOf(bypassing, admins));
    expect(bash('ls').exit).toBe(0);
  });

  test('another trust root in the folder is not the pinned one, though it is a development root', () => {
    const { bash, vade } = gateFolder();
    writeFileSync(join(vade, ROOT_FILE), staff([person('eve')], { development: true }).root.envelope);
    expect(bash('ls').exit).toBe(2);
  });

  test('under an expired root, or with keys that have expired, nothing is proven', () => {
    const expires = '2020-01-01T00:00:00.000Z';
    expect(gateFolder({ expires }).bash('ls').exit).toBe(2);
    const { root } = staff([person('bea')]).root;
    expect(gateFolder({ keys: root.keys, admins: root.admins }).bash('ls').exit).toBe(2);
  });

  test('an administrator’s key that has expired, and a key of nobody who is one, prove nothing', () => {
    const [bea, eve] = [person('bea'), person('eve')];
    const { keys } = staff([bea, eve]).root.root;
    const exit = (by: typeof bea, expires?: string) => {
      const dated = Object.entries(keys).map(([id, key]) => [id, expires === undefined ? key : { ...key, expires }]);
      const gate = gateFolder({ keys: Object.fromEntries(dated) as typeof keys, admins: [bea.entity] });
      gate.seal(bindingOf(gate.one), gate.orchestrator, approvalsOf(bindingOf(gate.one).role, [by]));
      return gate.bash('ls').exit;
    };
    const exits = [exit(bea), exit(bea, '2020-01-01T00:00:00.000Z'), exit(bea, '2999-01-01T00:00:00.000Z'), exit(eve)];
    expect(exits).toEqual([0, 2, 0, 2]);
  });

  test('under a development root that a person has pinned, a role needs no approval', () => {
    const { seal, bash, one, orchestrator } = gateFolder({ development: true });
    seal(bindingOf(one), orchestrator, []);
    expect(bash('ls').exit).toBe(0);
    expect(bash('git push').exit).toBe(2);
  });

  test('a person’s own session is stopped by nothing, whatever lies in the folder', () => {
    const { bash, vade, person: folder } = gateFolder();
    writeFileSync(join(vade, ROOT_FILE), 'broken');
    expect(bash('git push', { cwd: folder }).exit).toBe(0);
  });
});
