import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Approval, APPROVAL_TYPE } from '../../../../compiler/schema/source/approval.ts';
import { manifestInputDigest, openApproval } from '../../../../compiler/trust/approval.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { peekPayload } from '../../../../compiler/trust/dsse.ts';
import type { Ran } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentYaml, unitFile } from '../../../support/repository.ts';
import { sealRoot } from '../../../support/staff.ts';
import {
  approve,
  BY,
  faultsOf,
  filed,
  GUARANTEE,
  guaranteed,
  LIMITS,
  staffed,
  toldBy,
  warningsOf,
  type Holder,
  type Staffed,
} from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const payloadOf = (file = '') => {
  const payload = peekPayload(readFileSync(file), APPROVAL_TYPE);
  return Approval.parse(JSON.parse(payload.toString('utf8')));
};

/** The command that a compile suggests to an administrator, with a key inserted. */
function commandIn(ran: Ran, rule: string, key: Holder): string[] {
  const help = faultsOf(ran).find((it) => it.rule === rule)?.help ?? '';
  const [, command = ''] = / (vade approve .*)$/.exec(help) ?? [];
  const words = [...command.replace('<PEM>', key.file).matchAll(/<[^>]*>|\S+/g)].map(([word]) => word);
  return words.slice(1);
}

describe('§21.1.5 a guaranteed unit', () => {
  test('a compile refuses an unapproved guaranteed unit, and names the command that approves it', async () => {
    const place = staffed((repo) => guaranteed(repo));
    const refused = await place.compile();
    expect([...failure(refused), toldBy(refused)]).toEqual([4, 'SOURCES_INVALID', ['guarantee_approval_required']]);
    const ran = await place.run(commandIn(refused, 'guarantee_approval_required', place.ann));
    expect([ran.code, ran.envelope().data['effect']]).toEqual([0, 'created']);
    place.repo.commit('approve', undefined, BY.ann);
    expect((await place.compile()).code).toBe(0);
  });

  test('a guaranteed unit needs a new approval after a change of its text or its delivery metadata', async () => {
    const place = staffed((repo) => guaranteed(repo));
    await approve(place, place.ann, ...GUARANTEE);
    place.repo.commit('approve', undefined, BY.ann);
    for (const [more, body] of [
      ['guarantee_load: true\n', 'Do as you like.'],
      ['guarantee_load: true\naliases: [rules]\n', undefined],
    ] as const) {
      guaranteed(place.repo, more, body).commit('change');
      expect(toldBy(await place.compile())).toContain('guarantee_approval_required');
    }
  });

  test('a compile reports approvals that nothing needs any more', async () => {
    const place = staffed((repo) => guaranteed(repo));
    await approve(place, place.ann, ...GUARANTEE);
    guaranteed(place.repo, '').commit('change');
    const ran = await place.compile();
    expect([ran.code, toldBy(ran)]).toEqual([0, expect.arrayContaining(['approval_lapsed'])]);
  });
});

describe('§21.3.3 S6 a unit with force_position', () => {
  const MORE = 'guarantee_load: true\nforce_position: prepend\n';

  test('an approval of force_position requires a note of the review', async () => {
    const place = staffed((repo) => guaranteed(repo, MORE));
    const args = ['--kind', 'force_position', ...LIMITS];
    expect(failure(await approve(place, place.ann, ...args))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await approve(place, place.ann, ...args, '--note', ' '))).toEqual([3, 'ARGUMENT_INVALID']);
    const refused = await place.compile();
    for (const rule of ['guarantee_approval_required', 'position_approval_required']) {
      expect((await place.run(commandIn(refused, rule, place.ann))).code).toBe(0);
    }
    expect(filed(place).map((file) => payloadOf(file).value)).toEqual(['prepend', 'true']);
    place.repo.commit('approve', undefined, BY.ann);
    expect((await place.compile()).code).toBe(0);
  });
});

describe('§21.1.5 a unit that most wake reasons preload', () => {
  test('an approval of preloads names exactly the wake reasons', async () => {
    const reasons = ['manual', 'routine_fired', 'issue_assigned'];
    const place = staffed((repo) => guaranteed(repo, `required_by_task_types: [${reasons.join(', ')}]\n`));
    const ran = await approve(place, place.ann, '--kind', 'task_types', ...LIMITS);
    expect(ran.envelope().data['value']).toBe('issue_assigned,manual,routine_fired');
    place.repo.commit('approve', undefined, BY.ann);
    expect((await place.compile()).code).toBe(0);
  });
});

describe('DESIGN §7 the content of an approval', () => {
  test('an approval is bound to the text of the commit, not of the working tree', async () => {
    const place = staffed((repo) => guaranteed(repo));
    guaranteed(place.repo, 'guarantee_load: true\n', 'Not committed.');
    const ran = await approve(place, place.ann, ...GUARANTEE, '--expires', '2099-01-01T00:00:00Z', '--note', 'fine');
    expect(warningsOf(ran)).toContain('SOURCE_NOTICE');
    const [file = ''] = filed(place);
    const text = place.repo.git('show', 'HEAD:instructions/agents/cto/limits.md');
    expect(payloadOf(file)).toMatchObject({
      ...{ deployment: 'acme', garden: 'cto', unit: 'limits', kind: 'guarantee_load', value: 'true' },
      digest: sha256(text.slice(text.indexOf('# What'))),
      source_digest: sha256(text),
      ...{ note: 'fine', expires: '2099-01-01T00:00:00Z' },
    });
    expect(openApproval(readFileSync(file), place.root.root, '2030-01-01T00:00:00Z').by).toEqual([place.ann.entity]);
  });

  test('an approval names a unit of the shared garden', async () => {
    const more = 'guarantee_load: true\n';
    const text = unitFile('What never to do', ['about to delete something'], more);
    const place = staffed((repo) => repo.write('instructions/shared/limits.md', text));
    const args = ['--kind', 'guarantee_load', '--agent', 'shared', '--unit', 'limits'];
    expect((await approve(place, place.ann, ...args)).code).toBe(0);
    expect(payloadOf(filed(place)[0])).toMatchObject({ garden: 'shared', unit: 'limits' });
  });

  test('an approval of a grant names the reader and the garden', async () => {
    const place = staffed((repo) =>
      repo.write('instructions/agents/ceo/agent.yaml', agentYaml('6f1c2a34-0b5d-4c67-8e9f-a1b2c3d4e5f6')),
    );
    const args = ['--kind', 'grant', '--agent', 'cto', '--reader', 'ceo'];
    expect((await approve(place, place.ann, ...args)).code).toBe(0);
    const digest = sha256('instruction:acme:8e0ed057-bcd8-4f8f-92ee-c046c55b64e9');
    const whole = { unit: null, delivery: null, source_digest: null };
    expect(payloadOf(filed(place)[0])).toMatchObject({ ...whole, garden: 'cto', kind: 'grant', value: 'ceo', digest });
    for (const reader of ['cto', 'nobody']) {
      const ran = await approve(place, place.ann, '--kind', 'grant', '--agent', 'cto', '--reader', reader);
      expect(failure(ran)).toEqual([5, 'AGENT_NOT_FOUND']);
    }
  });

  test('an approval of a bypass names exactly the units, the shared ones too (§21.8.3 S10)', async () => {
    const place = staffed((repo) =>
      guaranteed(repo).write('instructions/shared/style.md', unitFile('How to write', ['write'])),
    );
    const ran = await approve(place, place.ann, '--kind', 'skip_coverage_gate', '--agent', 'cto', ...place.trust);
    expect(ran.envelope().data).toMatchObject({ signatures: 1, needed: 2 });
    const units = ['shared/style', 'agents/cto/limits', 'agents/cto/wrap-up', 'agents/cto/heartbeat'].map((path) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      source_digest: sha256(readFileSync(join(place.repo.path, `instructions/${path}.md`))),
    }));
    const { value, digest } = payloadOf(filed(place)[0]);
    expect([value, digest]).toEqual(['coverage', manifestInputDigest(units)]);
  });
});

describe('vade approve refuses', () => {
  let place: Staffed;

  beforeAll(() => {
    place = staffed((repo) => guaranteed(repo));
  });

  test.each<[name: string, args: string[], exit: number, code: string]>([
    ['a kind that the unit does not need', ['--kind', 'task_types', ...LIMITS], 3, 'ARGUMENT_INVALID'],
    ['an unknown kind', ['--kind', 'all', ...LIMITS], 3, 'ARGUMENT_INVALID'],
    ['no unit', ['--kind', 'guarantee_load', '--agent', 'cto'], 3, 'ARGUMENT_INVALID'],
    ['a unit for a kind that takes none', ['--kind', 'skip_coverage_gate', ...LIMITS], 3, 'ARGUMENT_INVALID'],
    ['a grant without a reader', ['--kind', 'grant', '--agent', 'cto'], 3, 'ARGUMENT_INVALID'],
    ['a time in the past', [...GUARANTEE, '--expires', '2020-01-01T00:00:00Z'], 3, 'ARGUMENT_INVALID'],
    ['an invalid time', [...GUARANTEE, '--expires', 'tomorrow'], 3, 'ARGUMENT_INVALID'],
    ['a note that is too long', [...GUARANTEE, '--note', 'x'.repeat(2001)], 3, 'ARGUMENT_INVALID'],
    ['an unknown unit', ['--kind', 'guarantee_load', '--agent', 'cto', '--unit', 'x'], 5, 'FACT_NOT_FOUND'],
    ['an unknown agent', ['--kind', 'guarantee_load', '--agent', 'x', '--unit', 'x'], 5, 'AGENT_NOT_FOUND'],
    ['an unknown commit', [...GUARANTEE, '--ref', 'v9'], 5, 'REF_NOT_FOUND'],
    ['a key that cannot be read', [...GUARANTEE, '--key', 'none.pem'], 4, 'SIGNING_KEY_REQUIRED'],
  ])('vade approve refuses %s, and writes nothing', async (_name, args, exit, code) => {
    const key = args.includes('--key') ? [] : ['--key', place.ann.file];
    expect(failure(await place.run(['approve', ...args, ...key]))).toEqual([exit, code]);
    expect(filed(place)).toEqual([]);
  });

  test('vade approve --dry-run succeeds and writes nothing', async () => {
    const ran = await approve(place, place.ann, ...GUARANTEE, '--dry-run');
    expect([ran.code, ran.envelope().data['effect'], filed(place)]).toEqual([0, 'would_create', []]);
  });
});

test('a compile warns of an approver whose every key has expired since the commit, as servers refuse the approval', async () => {
  const place = staffed((repo) => guaranteed(repo));
  await approve(place, place.ann, ...GUARANTEE);
  place.repo.commit('approve', undefined, BY.ann);
  const { keyid, publicPem } = place.ann.signer;
  const expires = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const { root } = place.root;
  const keys = { ...root.keys, [keyid]: { public: publicPem, owner: place.ann.entity, expires } };
  const file = join(tempFolder(), 'root.json');
  writeFileSync(file, sealRoot({ ...root, keys }, [place.ci.signer]).envelope);
  const [before, after] = [
    await place.compile(),
    await place.run(['compile', '--trust', file, '--key', place.ci.file]),
  ];
  expect([before.code, warningsOf(before), after.code, warningsOf(after)]).toEqual([
    0,
    [],
    0,
    ['FACTS_NOT_COMPARED', 'SOURCE_NOTICE', 'TRUST_EXPIRES'],
  ]);
});
