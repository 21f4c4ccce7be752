import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { start, type Started } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { workplace } from '../../workplace.ts';

const running: Started[] = [];
afterAll(async () => {
  for (const run of running.splice(0)) {
    run.kill('SIGKILL');
    await run.ended;
  }
});

/** `vade dev` in a small deployment, with a folder of its own for temporary files. */
function develop(...flags: string[]) {
  const place = workplace();
  const scratch = tempFolder();
  const run = start(['dev', '--port', '0', ...flags], place.cwd, { TMPDIR: scratch });
  running.push(run);
  let log = '';
  const ready = async () => {
    log = await run.says('ready: ');
    return {
      url: /ready: (\S+)/.exec(log)?.[1] ?? '',
      key: /agent cto {2}key (\S+)/.exec(log)?.[1] ?? '',
      admin: /\/ui {2}key (\S+)/.exec(log)?.[1] ?? '',
    };
  };
  const write = (text: string) => {
    writeFileSync(join(place.cwd, UNIT), unitFile('How to leave work', ['done for today'], '', text));
  };
  return { place, scratch, run, ready, write };
}

const UNIT = 'instructions/agents/cto/wrap-up.md';

interface Reached {
  readonly url: string;
  readonly key: string;
}

async function recall({ url, key }: Reached) {
  const answer = await fetch(`${url}/v1/agents/cto/recall-instruction`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ intent: 'done for today', manifest_hint: ['wrap-up'] }),
  });
  const { chunks, warnings } = (await answer.json()) as { chunks: { content: string }[]; warnings: string[] };
  return { headers: answer.headers, text: chunks[0]?.content ?? '', warnings };
}

describe('vade dev', () => {
  // the cases that change files alone follow each other in one session: each start compiles in a process of its own
  let session: ReturnType<typeof develop>;
  let reached: Awaited<ReturnType<typeof session.ready>>;
  beforeAll(async () => {
    session = develop();
    reached = await session.ready();
  });

  test('vade dev serves an edit that is not committed, and says in answer and header that no commit has it', async () => {
    session.write('Leave the lights on.');
    await vi.waitFor(async () => {
      expect((await recall(reached)).text).toContain('Leave the lights on.');
    }, 30_000);
    const { headers, warnings } = await recall(reached);
    expect([headers.get('x-bundle-unversioned'), warnings.includes('unversioned')]).toEqual(['true', true]);
  });

  test('vade dev serves the page’s report, marked as unversioned, and the tools of MCP', async () => {
    const { url, key, admin } = reached;
    const report = await fetch(`${url}/v1/report`, { headers: { authorization: `Bearer ${admin}` } });
    expect(await report.json()).toMatchObject({ bundle: { unversioned: true } });
    expect((await fetch(`${url}/ui`)).status).toBe(200);
    const tools = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(await tools.text()).toContain('recall_instruction');
  });

  test('vade dev has the briefs of the files as they are now, as prompts of MCP for the key of the page alone', async () => {
    const { url, key, admin } = reached;
    session.write('Close the windows.');
    const get = (bearer: string) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'prompts/get',
          params: { name: 'brief_phrases', arguments: { agent: 'cto', unit: 'wrap-up' } },
        }),
      });
    const text = await (await get(admin)).text();
    expect(text).toMatch(/Close the windows\.[^]*phrases:acme:cto:[0-9a-f]{8}/);
    expect(await (await get(key)).text()).not.toContain('windows');
  });

  test('vade dev keeps the last good bundle in service while the tree is broken, and names the error', async () => {
    const before = (await recall(reached)).text;
    writeFileSync(join(session.place.cwd, UNIT), '---\ndescription: [\n---\n');
    await session.run.says('the last good bundle stays in service');
    expect(await session.run.says('[yaml_invalid]')).toContain(UNIT);
    expect((await recall(reached)).text).toBe(before);
    session.write('Mended.');
    await vi.waitFor(async () => {
      expect((await recall(reached)).text).toContain('Mended.');
    }, 30_000);
  });

  test('vade dev outlives sources that disappear', async () => {
    const { git } = session.place.repo;
    git('rm', '--quiet', '--force', '-r', 'instructions');
    await session.run.says('error: ');
    expect((await recall(reached)).text).not.toBe('');
    git('reset', '--quiet', '--hard');
    session.write('Back again.');
    await vi.waitFor(async () => {
      expect((await recall(reached)).text).toContain('Back again.');
    }, 30_000);
  });

  test('a tree that is broken at the start is served as soon as it is mended', async () => {
    const broken = develop();
    writeFileSync(join(broken.place.cwd, UNIT), '---\ndescription: [\n---\n');
    await broken.run.says('nothing is served yet');
    broken.write('Mended.');
    expect((await recall(await broken.ready())).text).toContain('Mended.');
  });

  test.each([
    ['SIGTERM', 143, 'TERMINATED', () => session],
    ['SIGINT', 130, 'INTERRUPTED', develop],
  ] as const)('vade dev ended by %s exits %i and leaves nothing behind', async (signal, exit, code, begin) => {
    const ended = begin();
    await ended.ready();
    expect(readdirSync(ended.scratch)).toHaveLength(1);
    const before = ended.place.repo.git('status', '--porcelain', '--ignored');
    ended.run.kill(signal);
    // not by `failure`: the keys of the session are told, and end with it
    const ran = await ended.run.ended;
    expect([ran.code, ran.envelope().error.code]).toEqual([exit, code]);
    expect(readdirSync(ended.scratch)).toEqual([]);
    expect(ended.place.repo.git('status', '--porcelain', '--ignored')).toBe(before);
    expect(before).not.toMatch(/audit|bundle|keys/);
  });

  test('vade dev refuses a port in use with 6, and leaves nothing behind', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const place = workplace();
    const scratch = tempFolder();
    const run = start(['dev', '--port', String(port)], place.cwd, { TMPDIR: scratch });
    expect(failure(await run.ended)).toEqual([6, 'ADDRESS_IN_USE']);
    await new Promise((resolve) => taken.close(resolve));
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('vade dev without sources exits 5', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'empty'));
    const run = start(['dev', '--port', '0'], folder, {});
    expect(failure(await run.ended)).toEqual([5, 'SOURCE_NOT_FOUND']);
  });
});
