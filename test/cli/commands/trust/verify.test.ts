import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOf } from '../../../io/forging.ts';
import type { Ran } from '../../../support/cli.ts';
import { agentYaml } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, type Workplace } from '../../workplace.ts';

interface Step {
  readonly step: string;
  readonly of: string;
  readonly status: string;
  readonly reason: string | null;
}

let place: Workplace;

beforeAll(async () => {
  const ops = agentYaml('3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11').replace(
    'heartbeat_contract: heartbeat',
    'heartbeat_contract: on-call',
  );
  place = await compiledWorkplace((repo) => {
    repo.write('instructions/agents/ops/agent.yaml', ops);
    repo.write(
      'instructions/agents/ops/on-call.md',
      '---\ndescription: What to do when paged\nload_triggers:\n  intents: [the pager went off, somebody paged me]\n---\n\n# On call\n\nLook at the alert.\n',
    );
  });
});

const verify = (...args: string[]) => place.run(['verify', ...TRUST, ...args]);
const stepsOf = (ran: Ran): Step[] => {
  const { ok, data, error } = ran.envelope();
  return (ok ? data['steps'] : error.context['steps']) as Step[];
};
const looked = (ran: Ran) => stepsOf(ran).map(({ step, of }) => (step === 'trust' ? step : `${step} ${of}`));

/** A copy of the bundle with one changed byte in a file. */
const damaged = (pattern: RegExp) =>
  copyOf(join(place.cwd, 'bundle'), (_at, find) => {
    const bytes = readFileSync(find(pattern));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(find(pattern), bytes);
  });

describe('DESIGN §7 vade verify', () => {
  test('vade verify checks everything, reports each step, and exits 0', async () => {
    const ran = await verify();
    expect([ran.code, ran.envelope().ok]).toEqual([0, true]);
    expect(looked(ran)).toEqual([
      'trust',
      'garden shared',
      'approvals shared',
      ...['cto', 'ops'].flatMap((it) => [`garden ${it}`, `approvals ${it}`, `certificate ${it}`]),
      'withdrawals withdrawn.dsse.json',
      'freshness freshness.dsse.json',
      'rollback rollback.dsse.json',
    ]);
    expect(stepsOf(ran).filter((it) => it.status !== 'ok' || it.reason !== null)).toEqual([]);
    expect(ran.envelope().data['revision']).toBe(readFileSync(join(place.cwd, 'bundle/current'), 'utf8').trim());
  });

  test('vade verify --agent checks one garden, by name or by ID', async () => {
    const expected = ['trust', 'garden shared', 'approvals shared', 'garden ops', 'approvals ops', 'certificate ops'];
    for (const agent of ['ops', '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11']) {
      expect(looked(await verify('--agent', agent))).toEqual(expected);
    }
    expect(failure(await verify('--agent', 'nobody'))).toEqual([5, 'AGENT_NOT_FOUND']);
  });

  test('vade verify exits 7 on any failure, with its reason, and still checks the rest', async () => {
    const ran = await verify('--bundle', damaged(/gardens\/cto\/\w+\/facts\.json$/));
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(ran.envelope().error.context).toMatchObject({ reason: 'digest_mismatch' });
    const steps = stepsOf(ran).filter((it) => it.status === 'failed');
    expect(steps).toMatchObject([{ step: 'garden', of: 'cto', reason: 'digest_mismatch' }]);
    expect(looked(ran)).toEqual(
      expect.arrayContaining(['garden ops', 'certificate ops', 'freshness freshness.dsse.json']),
    );
  });

  test('vade verify --agent ignores damage of other gardens', async () => {
    const bundle = damaged(/gardens\/cto\/\w+\/facts\.json$/);
    expect((await verify('--agent', 'ops', '--bundle', bundle)).code).toBe(0);
    expect((await verify('--agent', 'cto', '--bundle', bundle)).code).toBe(7);
  });

  test.each([
    ['a root', /root\.dsse\.json$/, 'digest_mismatch'],
    ['a trust root', /trust\/1\.json$/, 'trust_mismatch'],
  ])('vade verify stops at %s that does not verify', async (_, pattern, reason) => {
    const ran = await verify('--bundle', damaged(pattern));
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(stepsOf(ran)).toMatchObject([{ step: 'trust', status: 'failed', reason }]);
  });

  test('vade verify fails on an invalid list of withdrawals and on an invalid freshness statement', async () => {
    const bundle = copyOf(join(place.cwd, 'bundle'), (at) => {
      for (const name of ['withdrawn', 'freshness']) writeFileSync(join(at, `${name}.dsse.json`), '{}');
    });
    const failed = stepsOf(await verify('--bundle', bundle)).filter((it) => it.status === 'failed');
    expect(failed.map((it) => [it.step, it.reason])).toEqual([
      ['withdrawals', 'format_unknown'],
      ['freshness', 'envelope_malformed'],
    ]);
  });

  test('vade verify --previous accepts the same bundle, and refuses an older one', async () => {
    place.repo.write(
      'instructions/agents/cto/wrap-up.md',
      readFileSync(join(place.cwd, 'instructions/agents/cto/wrap-up.md'), 'utf8') + '\nTell them.\n',
    );
    place.repo.git('add', 'instructions');
    place.repo.git('commit', '--quiet', '--message', 'more');
    expect((await place.run(['compile', ...SIGN, '--out', 'later'])).code).toBe(0);
    expect(readdirSync(place.cwd)).toContain('later');
    expect((await verify('--bundle', 'later', '--previous', 'bundle')).code).toBe(0);
    const ran = await verify('--bundle', 'bundle', '--previous', 'later');
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(ran.envelope().error.context).toMatchObject({ reason: 'serial_lower' });
  });

  test('vade verify needs a trust root and a bundle', async () => {
    expect(failure(await place.run(['verify']))).toEqual([4, 'TRUST_REQUIRED']);
    expect(failure(await verify('--bundle', 'nowhere'))).toEqual([5, 'BUNDLE_NOT_FOUND']);
  });
});
