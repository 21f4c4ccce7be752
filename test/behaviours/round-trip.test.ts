import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { RecallResponse } from '../../compiler/schema/api/recall.ts';
import { rowOf } from '../server/audit-file.ts';
import { serve, vade } from '../support/cli.ts';
import { repository } from '../support/repository.ts';

const ROOT = ['--trust', 'instructions/trust/1.json'];

/** A production deployment as README starts one, up to a compiled bundle. */
async function started() {
  const repo = repository();
  const run = async (...args: string[]) => {
    const ran = await vade(args, repo.path);
    expect([args.join(' '), ran.code]).toEqual([args.join(' '), 0]);
    return ran.envelope().data;
  };
  await run('init', '--dir', '.', '--deployment', 'handbook', '--no-admin');
  repo.commit('Start the handbook');
  const compile = () => run('compile', ...ROOT, '--key', '.vade/signing-key.pem');
  return { repo, run, compile, first: await compile() };
}

describe('README: from an empty folder to an answered recall', () => {
  test('init, commit, compile, key create, serve, recall, close and revoke work in this order', async () => {
    const { repo, run, first } = await started();
    const created = await run('key', 'create', '--agent', 'assistant');
    const server = await serve(ROOT, repo.path);
    const ask = (path: string, json: object) =>
      fetch(`${server.url}/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${String(created['key'])}`, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
    const recall = () => ask('agents/assistant/recall-instruction', { intent: 'I am done for now and want to stop' });

    const answer = await recall();
    expect([answer.status, answer.headers.get('x-bundle-revision')]).toEqual([200, first['revision']]);
    const { chunks, audit_token } = RecallResponse.parse(await answer.json());
    expect(chunks[0]).toMatchObject({ name: 'wrap-up', fact_uri: 'instruction:handbook/agent/assistant/wrap-up/v1' });
    expect((await ask('instruction/audit', { audit_token, used_chunks: ['wrap-up'] })).status).toBe(204);
    const row = await rowOf(join(repo.path, 'audit.db'), 'instruction_audit', audit_token);
    expect(row['used_chunks']).toBe('["wrap-up"]');

    await run('key', 'revoke', '--yes', '--id', String(created['id']));
    await vi.waitFor(async () => {
      expect((await recall()).status).toBe(401);
    }, 30_000);
    expect(await server.stop()).toBe(143);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('the signing key of vade init is not the key that signs trust roots', async () => {
    const { repo } = await started();
    const ran = await vade(['compile', ...ROOT, '--key', '.vade/root-key.pem', '--out', 'other'], repo.path);
    expect([ran.code, ran.envelope().error.code]).toEqual([4, 'SIGNING_KEY_REQUIRED']);
  });

  test('a commit of a changed unit is its next version in a bundle built on the previous one', async () => {
    const { repo, compile, run } = await started();
    const limits = 'instructions/agents/assistant/limits.md';
    repo.write(limits, '---\ndescription: Limits\n---\n\nNever spend money.\n').commit('tighten');
    expect(await compile()).toMatchObject({ serial: 2 });
    const asked = ['--agent', 'assistant', '--intent', 'spend money', '--hint', 'limits'];
    const answer = RecallResponse.parse(await run('recall', ...ROOT, ...asked));
    expect(answer.chunks[0]).toMatchObject({ name: 'limits', version: 'v2', content: 'Never spend money.\n' });
  });

  test('a bundle does not need its sources', async () => {
    const { repo, run } = await started();
    const root = ['--trust', 'root.json'];
    repo.copy(join(repo.path, 'instructions/trust/1.json'), 'root.json');
    for (const gone of ['instructions', '.git', '.vade']) rmSync(join(repo.path, gone), { recursive: true });
    const answer = await run('recall', ...root, '--agent', 'assistant', '--intent', 'am I allowed to do this');
    expect(RecallResponse.parse(answer).chunks[0]).toMatchObject({ name: 'limits' });
  });
});
