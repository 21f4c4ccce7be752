import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf, STATE } from '../../../continuity/capsules.ts';
import { start, type Started } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;
let authorization: string;
const running = new Set<Started>();

beforeAll(async () => {
  place = await compiledWorkplace();
  const { key } = (await place.run(['key', 'create', '--agent', 'cto', '--name', 'hook'])).envelope().data;
  authorization = `Bearer ${String(key)}`;
});

afterEach(async () => {
  for (const it of running) it.kill('SIGKILL');
  await Promise.all([...running].map((it) => it.ended));
  running.clear();
});

interface Serving {
  readonly kill: () => Promise<unknown>;
  readonly post: (route: string, body: object) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** `vade serve` as a process, which keeps capsules in a folder. */
async function serving(folder: string): Promise<Serving> {
  const audit = join(tempFolder(), 'audit.db');
  const run = start(['serve', ...TRUST, '--port', '0', '--continuity', folder, '--audit', audit], place.cwd);
  running.add(run);
  const url = await run.url();
  return {
    kill: () => {
      run.kill('SIGKILL');
      return run.ended;
    },
    post: async (route, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${url}/v1/continuity/${route}`, request);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
  };
}

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };

/** A capsule of a moment in which the server’s clock is, with a loop of its own. */
function upsertOf(loop: string, secondsAgo = 60) {
  const updated_at = new Date(Date.now() - secondsAgo * 1000).toISOString();
  return { ...SUBJECT, capsule: capsuleOf({ updated_at, verified_at: updated_at }, { ...STATE, open_loops: [loop] }) };
}

const loopsOf = (body: Record<string, unknown>) =>
  (body['capsule'] as { continuity: { open_loops: string[] } }).continuity.open_loops;

const repositoryIn = (folder: string) => join(folder, readdirSync(folder).find((it) => it.endsWith('.git')) ?? '');

describe('vade serve --continuity', () => {
  test('what was acknowledged is read after kill -9 and a new start, by the startup view too', async () => {
    const folder = join(tempFolder(), 'capsules');
    const first = await serving(folder);
    expect((await first.post('upsert', upsertOf('before'))).status).toBe(201);
    const written = await first.post('upsert', upsertOf('after', 30));
    await first.kill();
    const again = await serving(folder);
    const read = await again.post('read', { ...SUBJECT, view: 'startup' });
    expect([read.status, loopsOf(read.body)]).toEqual([200, ['after']]);
    expect(read.body['startup_summary']).toMatchObject({ orientation: { open_loops: ['after'] } });
    const head = execFileSync('git', ['--git-dir', repositoryIn(folder), 'rev-parse', 'main'], { encoding: 'utf8' });
    expect(head.trim()).toBe(written.body['latest_commit']);
  });

  test('two servers share a folder: each reads what the other wrote, and of two writes at once one wins', async () => {
    const folder = join(tempFolder(), 'capsules');
    const [one, two] = [await serving(folder), await serving(folder)];
    expect((await one.post('upsert', upsertOf('one', 90))).status).toBe(201);
    expect(loopsOf((await two.post('read', SUBJECT)).body)).toEqual(['one']);
    expect((await two.post('upsert', upsertOf('two', 60))).status).toBe(200);
    expect(loopsOf((await one.post('read', SUBJECT)).body)).toEqual(['two']);
    const later = upsertOf('three', 30);
    const other = { ...later, capsule: { ...later.capsule, confidence: { continuity: 0, relationship_model: 0 } } };
    const both = await Promise.all([one.post('upsert', later), two.post('upsert', other)]);
    expect(both.map((it) => it.status).sort()).toEqual([200, 409]);
    await one.kill();
    expect((await two.post('upsert', upsertOf('four', 10))).status).toBe(200);
    const fsck = ['--git-dir', repositoryIn(folder), 'fsck', '--strict', '--no-dangling'];
    execFileSync('git', fsck, { stdio: 'pipe' });
  });

  test('a folder that cannot be made ends the start, with a code and without a row of an audit', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const args = ['--continuity', join(folder, 'file/capsules'), '--audit', join(folder, 'audit.db')];
    const run = start(['serve', ...TRUST, '--port', '0', ...args], place.cwd);
    expect(failure(await run.ended)).toEqual([1, 'OUTPUT_FAILED']);
    expect(existsSync(join(folder, 'audit.db'))).toBe(false);
  });

  test.each(['soon', '0', '1.5'])('%s days until an archive is stale are refused', async (days) => {
    const env = { COGNIRELAY_CONTINUITY_RETENTION_ARCHIVE_DAYS: days };
    const ran = await place.run(['serve', ...TRUST, '--port', '0', '--continuity', 'capsules'], env);
    expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test('a store of a later format is neither read nor written, and stays as it is', async () => {
    const folder = join(tempFolder(), 'capsules');
    const first = await serving(folder);
    await first.post('upsert', upsertOf('kept'));
    await first.kill();
    const head = commitFormat(repositoryIn(folder), 99);
    const again = await serving(folder);
    for (const [route, body] of [
      ['upsert', upsertOf('lost', 30)],
      ['read', SUBJECT],
      ['list', {}],
    ] as const) {
      const answer = await again.post(route, body);
      expect([route, answer.status]).toEqual([route, 503]);
      expect(answer.body).toMatchObject({ error: { code: 'continuity_unusable' } });
    }
    expect(gitIn(repositoryIn(folder), ['rev-parse', 'main'])).toBe(head);
  });

  test('without the flag no folder is made, and every route says that no capsules are kept', async () => {
    const cwd = place.cwd;
    const run = start(['serve', ...TRUST, '--port', '0', '--audit', join(tempFolder(), 'audit.db')], cwd);
    running.add(run);
    const answer = await fetch(`${await run.url()}/v1/continuity/list`, { method: 'POST', headers: { authorization } });
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'continuity_disabled',
    ]);
    expect(existsSync(join(cwd, 'capsules'))).toBe(false);
  });
});

function gitIn(repository: string, args: readonly string[], input = ''): string {
  return execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8', input }).trim();
}

/** Commit of a later version: the name of its format, on top of the present files. */
function commitFormat(repository: string, format: number): string {
  const owner = (JSON.parse(gitIn(repository, ['show', 'main:memory/store.json'])) as { owner: string }).owner;
  const text = JSON.stringify({ format, owner });
  const stream = [
    'commit refs/heads/main',
    'committer later <later@vademecum.invalid> 1795000000 +0000',
    'data 5\nlater',
    'from refs/heads/main^0',
    'M 100644 inline memory/store.json',
    `data ${text.length}\n${text}`,
    'done\n',
  ].join('\n');
  gitIn(repository, ['fast-import', '--quiet', '--done', '--date-format=raw'], stream);
  return gitIn(repository, ['rev-parse', 'main']);
}
