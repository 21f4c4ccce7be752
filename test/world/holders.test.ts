import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { holding, idOf } from '../cli/holding.ts';
import { compiledWorkplace, TRUST, workplace } from '../cli/workplace.ts';
import { vade, type Ran } from '../support/cli.ts';
import { testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { agentYaml } from '../support/repository.ts';
import { nextRoot } from '../support/staff.ts';

const CTO = { kind: 'agent', agent: 'cto', agent_id: idOf(0) };

interface Listed {
  readonly status: string;
  readonly reason: string | null;
}

const listed = (ran: Ran) => ran.envelope().data['keys'] as Listed[];
const keysOf = async (folder: string) => listed(await vade(['key', 'list'], folder));
const create = (folder: string, ...args: string[]) => vade(['key', 'create', ...args], folder);

describe('a key is for somebody there is', () => {
  const NOBODY = [5, 'ADMINISTRATOR_NOT_FOUND'];

  test('an administrator’s key is created only for an administrator of the sources’ trust root', async () => {
    const folder = holding();
    for (const entity of ['acme/human/nobody', 'acme/human/jan', 'acme/system/jane', 'evil/human/jane']) {
      expect([entity, ...failure(await create(folder, '--admin', entity))]).toEqual([entity, ...NOBODY]);
    }
    expect(existsSync(join(folder, 'keys.json'))).toBe(false);
    const ran = await create(folder, '--admin', 'acme/human/nobody', '--dry-run');
    expect([...failure(ran), ran.envelope().error.suggestion]).toEqual([
      ...NOBODY,
      expect.stringContaining('acme/human/jane') as string,
    ]);
    expect((await create(folder, '--admin', 'acme/human/jane')).code).toBe(0);
  });

  test('the newest trust root of the sources decides, which may have removed an administrator', async () => {
    const trust = testTrust();
    const folder = holding(['cto'], trust);
    await create(folder, '--admin', 'acme/human/jane');
    const next = nextRoot(trust.root, { admins: ['acme/human/ann'] }, [trust.signer]);
    writeFileSync(join(folder, 'instructions/trust/2.json'), next.envelope);
    expect(failure(await create(folder, '--admin', 'acme/human/jane'))).toEqual(NOBODY);
    expect(await keysOf(folder)).toMatchObject([{ status: 'dead', reason: expect.stringContaining('2') as string }]);
    const unsigned = nextRoot(trust.root, { admins: ['acme/human/eve'] }, [testTrust().signer]);
    writeFileSync(join(folder, 'instructions/trust/2.json'), unsigned.envelope);
    expect(failure(await create(folder, '--admin', 'acme/human/eve'))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });

  test('a key for an agent can be created by short name or ID, and stores the ID', async () => {
    const folder = holding();
    for (const agent of ['cto', idOf(0)]) {
      expect((await create(folder, '--agent', agent)).envelope().data['holder']).toEqual(CTO);
    }
    const ran = await create(folder, '--agent', 'cfo');
    expect([...failure(ran), ran.envelope().error.suggestion]).toEqual([
      ...[5, 'AGENT_NOT_FOUND'],
      expect.stringContaining('cto') as string,
    ]);
  });

  test('an agent whose file is broken is told as that, not as missing', async () => {
    const folder = holding();
    writeFileSync(join(folder, 'instructions/agents/cto/agent.yaml'), 'agent_id: [');
    expect(failure(await create(folder, '--agent', 'cto'))).toEqual([4, 'SOURCES_INVALID']);
  });

  test('with --trust the bundle decides, not the sources', async () => {
    const place = await compiledWorkplace();
    place.repo.write('instructions/agents/later/agent.yaml', agentYaml(idOf(9)));
    const made = async (...args: string[]) => (await place.run(['key', 'create', ...args])).code;
    expect(await made('--agent', 'later')).toBe(0);
    expect([await made('--agent', 'later', ...TRUST), await made('--agent', 'cto', ...TRUST)]).toEqual([5, 0]);
    expect([await made('--admin', 'acme/human/jane', ...TRUST), await made('--admin', 'acme/human/ann', ...TRUST)]) //
      .toEqual([0, 5]);
    const keys = listed(await place.run(['key', 'list', ...TRUST]));
    expect(keys.map((it) => it.status)).toEqual(['dead', 'active', 'active']);
  });

  test('with --dev anybody can be an administrator of a development bundle', async () => {
    const place = workplace();
    expect((await place.run(['compile', '--dev'])).code).toBe(0);
    expect((await place.run(['key', 'create', '--dev', '--admin', 'acme/human/demo'])).code).toBe(0);
    expect(failure(await place.run(['key', 'create', '--dev', '--agent', 'nobody']))).toEqual([5, 'AGENT_NOT_FOUND']);
  });

  test('without sources and bundle only a metrics reader’s key can be created', async () => {
    const folder = tempFolder();
    expect(failure(await create(folder, '--agent', 'cto'))).toEqual([4, 'TRUST_REQUIRED']);
    expect(failure(await create(folder, '--admin', 'acme/human/jane'))).toEqual([4, 'TRUST_REQUIRED']);
    const ran = await create(folder, '--reader', 'metrics', '--name', 'prometheus');
    expect([ran.code, ran.envelope().data['holder']]).toEqual([0, { kind: 'reader', reads: 'metrics' }]);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('the key list marks keys that no longer give access, with the reason', async () => {
    const folder = holding();
    for (const holder of [
      ['--agent', 'cto'],
      ['--agent', 'ct'],
      ['--admin', 'acme/human/jane'],
    ]) {
      await create(folder, ...holder);
    }
    await create(folder, '--reader', 'metrics');
    rmSync(join(folder, 'instructions/agents/cto'), { recursive: true });
    writeFileSync(join(folder, 'instructions/agents/ct/agent.yaml'), agentYaml(idOf(7)));
    writeFileSync(join(folder, 'instructions/trust/1.json'), testTrust({ development: true }).root.envelope);
    const others = ['dead', 'dead', 'active', 'active'];
    expect((await keysOf(folder)).map((it) => it.status)).toEqual(others);
    const reasons = (await keysOf(folder)).map((it) => it.reason);
    expect(reasons).toEqual([
      expect.stringContaining('no longer'),
      expect.stringContaining('another agent'),
      null,
      null,
    ]);
    const text = (await vade(['key', 'list', '--format', 'text'], folder)).stdout;
    expect(text.match(/dead \(/g)).toHaveLength(2);
    rmSync(join(folder, 'instructions'), { recursive: true });
    const ran = await vade(['key', 'list'], folder);
    expect(listed(ran).map((it) => it.status)).toEqual(['unchecked', 'unchecked', 'unchecked', 'active']);
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['HOLDERS_UNCHECKED']);
  });
});
