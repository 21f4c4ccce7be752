import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../../../compiler/tasks/ledger/open-ledger.ts';
import { sealPlan } from '../../../../compiler/tasks/sealed-plan.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { signerFromPem } from '../../../../compiler/trust/dsse.ts';
import { newSigningKey } from '../../../../compiler/trust/root-chain.ts';
import { vade } from '../../../support/cli.ts';
import { spawnRow } from '../../../support/planned.ts';
import { planOf } from '../../../support/planned.ts';
import { repository } from '../../../support/repository.ts';

const PEM = newSigningKey();
const OTHER = newSigningKey();
const ATOM = 'quality::tests-green';

let path: string;
beforeEach(() => {
  const repo = repository();
  path = repo.path;
  const orchestrator = signerFromPem(PEM);
  const ledger = openLedger(join(path, '.git/vade/ledger.db'));
  for (const id of ['a-1', 'a-2']) {
    const text = sealPlan(planOf(id, { bypasses: [ATOM] }), orchestrator).toString('utf8');
    ledger.append({ ...spawnRow(id), plan: { digest: sha256(text), text } }, orchestrator);
  }
  ledger.close();
});

const run = async (command: string, args: string[], pem = PEM) =>
  (await vade(['task', command, ...args], path, { VADE_ORCHESTRATOR_KEY: pem })).envelope();
const because = (id: string, ...more: string[]) => ['--agent', id, '--reason', 'the test server is down', ...more];

interface Row {
  readonly kind: string;
  readonly agent_id: string;
  readonly sealed: boolean | null;
  readonly details: Record<string, unknown>;
}
const log = async (...args: string[]) => (await run('log', args)).data['rows'] as Row[];

describe('vade task bypass', () => {
  test('what the role keeps the bypass of is noted, with reason and time', async () => {
    const { data } = await run('bypass', because('a-1', '--atom', ATOM));
    expect(data).toMatchObject({ effect: 'noted', atom: ATOM, reason: 'the test server is down' });
    writeFileSync(join(path, '.git/vade/orchestrator.pem'), signerFromPem(PEM).publicPem);
    expect((await log('--agent', 'a-1'))[0]).toMatchObject({ kind: 'bypass', sealed: true, details: { atom: ATOM } });
  });

  test('the orchestrator alone bypasses nothing that two administrators have not approved', async () => {
    const { error } = await run('bypass', because('a-1', '--atom', 'policy::no-git-ops'));
    expect(error.code).toBe('BYPASS_APPROVAL_REQUIRED');
    expect(await log('--agent', 'a-1')).toHaveLength(1);
  });

  test('another orchestrator’s key notes nothing', async () => {
    const { error } = await run('bypass', because('a-1', '--atom', ATOM), OTHER);
    expect(error.code).toBe('BUNDLE_UNVERIFIED');
  });

  test('a reason is needed, on one line', async () => {
    expect((await run('bypass', ['--agent', 'a-1', '--atom', ATOM])).error.code).toBe('ARGUMENT_INVALID');
    const broken = ['--agent', 'a-1', '--atom', ATOM, '--reason', 'a\nb'];
    expect((await run('bypass', broken)).error.code).toBe('ARGUMENT_INVALID');
  });
});

describe('vade task revoke', () => {
  test('the agent loses its binding, and others keep theirs', async () => {
    const binding = (id: string) => join(path, '.git/vade/bindings', `${sha256(`/work/${id}`)}.json`);
    mkdirSync(join(path, '.git/vade/bindings'));
    for (const id of ['a-1', 'a-2']) writeFileSync(binding(id), '{}');
    expect((await run('revoke', because('a-1', '--dry-run'))).data['effect']).toBe('would_note');
    expect(existsSync(binding('a-1'))).toBe(true);
    await run('revoke', because('a-1'));
    expect([existsSync(binding('a-1')), existsSync(binding('a-2'))]).toEqual([false, true]);
    expect((await log())[0]).toMatchObject({ kind: 'revocation', agent_id: 'a-1', details: { atom: null } });
  });

  test('with an atom only its bypass ends', async () => {
    await run('revoke', because('a-1', '--atom', ATOM));
    const ledger = openLedger(join(path, '.git/vade/ledger.db'));
    expect(ledger.living()).toEqual(['a-1', 'a-2']);
    ledger.close();
  });

  test('an agent that nobody spawned is not found', async () => {
    expect((await run('revoke', because('a-9'))).error.code).toBe('AGENT_NOT_FOUND');
  });
});

describe('vade task log', () => {
  test('the newest rows come first, documents by their digests; without a known key no seal is judged', async () => {
    await run('revoke', because('a-2'));
    const rows = await log('--limit', '2');
    expect(rows.map((it) => [it.kind, it.agent_id, it.sealed])).toEqual([
      ['revocation', 'a-2', null],
      ['spawn', 'a-2', null],
    ]);
    expect(rows[1]?.details['plan']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('what a person explained is told with the changes and the reason', async () => {
    const orchestrator = signerFromPem(PEM);
    const changes = [{ path: 'refs/heads/main', before: null, after: `text ${'a'.repeat(40)}` }];
    const ledger = openLedger(join(path, '.git/vade/ledger.db'));
    const row = { format: 1, kind: 'explanation', agent_id: 'a-1', at: '2026-11-23T12:00:00Z' } as const;
    ledger.append({ ...row, changes, reason: 'I pulled main' }, orchestrator);
    ledger.close();
    expect((await log())[0]).toMatchObject({ kind: 'explanation', details: { changes, reason: 'I pulled main' } });
  });

  test('a row that was written past the orchestrator is shown as not sealed', async () => {
    writeFileSync(join(path, 'key.pem'), signerFromPem(PEM).publicPem);
    const ledger = openLedger(join(path, '.git/vade/ledger.db'));
    ledger.append(spawnRow('a-3'), null);
    ledger.close();
    const rows = await log('--orchestrator', 'key.pem');
    expect(rows.map((it) => it.sealed)).toEqual([false, true, true]);
  });

  test('where no agent was ever spawned there is no row, and asking makes no file', async () => {
    const { path: fresh } = repository();
    const ran = await vade(['task', 'log'], fresh);
    expect(ran.envelope().data).toEqual({ rows: [] });
    const revoked = await vade(['task', 'revoke', ...because('a-1')], fresh, { VADE_ORCHESTRATOR_KEY: PEM });
    expect(revoked.envelope().error.code).toBe('AGENT_NOT_FOUND');
    expect(existsSync(join(fresh, '.git/vade'))).toBe(false);
  });

  test('a ledger that is something else is refused', async () => {
    writeFileSync(join(path, '.git/vade/ledger.db'), 'x'.repeat(200));
    expect((await run('log', [])).error.code).toBe('LEDGER_UNREADABLE');
  });
});
