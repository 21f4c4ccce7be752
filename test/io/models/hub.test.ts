import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { loadEncoder, openQueries } from '../../../compiler/io/models/encoder.ts';
import type { HubSource } from '../../../compiler/io/models/hub-file.ts';
import { fetchModel } from '../../../compiler/io/models/hub.ts';
import { stageFromFolder, stageFromHub } from '../../../compiler/io/models/staged-model.ts';
import { MODEL_FILES, type HubModel, type ModelChoice, type ModelFile } from '../../../compiler/schema/source/org.ts';
import { workplace } from '../../cli/workplace.ts';
import { serve } from '../../support/cli.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { digestOf, HUB_MODEL, REVISION, startHub, type Hub } from '../../support/hub.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';

const UNAVAILABLE = { code: 'model_unavailable' };
const NOBODY = 'http://127.0.0.1:1';
const pinned = ({ choice }: { choice: ModelChoice }, over: Partial<Record<ModelFile, string>> = {}): HubModel => ({
  name: choice.name,
  revision: choice.revision!,
  files: { ...choice.files!, ...over },
});
const place = (models: string, file: ModelFile) => join(models, HUB_MODEL, REVISION, file);
const org = (choice: ModelChoice) => `deployment: acme\ncompiler: 0.1.0\nmodel: ${JSON.stringify(choice)}\n`;

/** Files of a models folder, without `.gitignore`. */
function kept(models: string): string[] {
  const entries = readdirSync(models, { withFileTypes: true, recursive: true });
  return entries.filter((it) => it.isFile() && it.name !== '.gitignore').map((it) => it.name);
}

describe('a model of the hub', () => {
  test('the first compile downloads a model of the hub; the second needs no hub, and gives the same bundle', async () => {
    const hub = await startHub();
    const models = join(tempFolder(), 'models');
    const repo = smallDeployment().write('instructions/org.yaml', org(hub.choice));
    repo.write('instructions/agents/cto/exit.md', unitFile('How we quit', ['quit']));
    repo.commit();
    const loader = { loadEncoder: (it: ModelChoice | 'builtin') => loadEncoder(models, it, { hub: hub.url }) };
    const first = await compileToFolder(repo.path, { over: loader });
    expect(hub.asked).toHaveLength(MODEL_FILES.length);
    await hub.stop();
    const second = await compileToFolder(repo.path, { over: loader, trust: first.trust });
    expect(second.bundle.revision).toBe(first.bundle.revision);
    const { org: found } = openBundle(first.out, { pinned: first.trust.root, now: '2026-01-01T00:00:00.000Z' });
    expect(found.model).toMatchObject({ ...hub.choice });
    await expect(openQueries(found.model, models, { hub: NOBODY })).resolves.toBeTypeOf('function');
  });

  test('a model of the hub is stored by revision, in a folder that git ignores', async () => {
    const hub = await startHub();
    const models = join(tempFolder(), 'models');
    expect(await fetchModel(models, pinned(hub), { hub: `${hub.url}/` })).toBe(join(models, HUB_MODEL, REVISION));
    expect(kept(models).sort()).toEqual(MODEL_FILES.map((it) => it.split('/').at(-1)).sort());
    expect(readFileSync(join(models, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('only missing files of a model are downloaded, with one line for each', async () => {
    const hub = await startHub();
    const models = tempFolder();
    await fetchModel(models, pinned(hub), { hub: hub.url });
    rmSync(place(models, 'tokenizer.json'));
    const lines: string[] = [];
    await fetchModel(models, pinned(hub), { hub: hub.url, say: (line) => lines.push(line) });
    expect(hub.asked.slice(MODEL_FILES.length)).toEqual([`/${HUB_MODEL}/resolve/${REVISION}/tokenizer.json`]);
    expect(lines).toHaveLength(1);
  });

  test('several processes may download a model at the same time', async () => {
    const hub = await startHub();
    const models = tempFolder();
    await Promise.all([1, 2, 3].map(() => fetchModel(models, pinned(hub), { hub: hub.url })));
    expect(kept(models)).toHaveLength(MODEL_FILES.length);
  });

  test('a download of a model follows a redirect to another host', async () => {
    const store = await startHub();
    const hub = await startHub((request, response) => {
      response.writeHead(302, { location: `${store.url}${request.url ?? ''}` }).end();
      return true;
    });
    const { encoder } = await loadEncoder(tempFolder(), hub.choice, { hub: hub.url });
    expect(await encoder.encode(['deploy'], 'query')).toMatchObject([expect.any(Float32Array)]);
    expect(store.asked).toHaveLength(MODEL_FILES.length);
  });
});

describe('a file that differs from its pin is refused', () => {
  test('a download that differs from its pin is refused and not stored', async () => {
    const hub = await startHub();
    const models = tempFolder();
    const expected = digestOf('another');
    const loading = fetchModel(models, pinned(hub, { 'config.json': expected }), { hub: hub.url });
    const found = hub.choice.files!['config.json'];
    await expect(loading).rejects.toMatchObject({ ...UNAVAILABLE, details: { file: 'config.json', expected, found } });
    expect(kept(models)).toEqual([]);
  });

  test.each(MODEL_FILES)('a stored file that differs from its pin is refused on every load: %s', async (file) => {
    const hub = await startHub();
    const models = tempFolder();
    await loadEncoder(models, hub.choice, { hub: hub.url });
    appendFileSync(place(models, file), ' ');
    const loading = loadEncoder(models, hub.choice, { hub: hub.url });
    await expect(loading).rejects.toMatchObject({ ...UNAVAILABLE, details: { file } });
  });

  test('a folder in the place of a file, and a file in the place of the folder, are refused', async () => {
    const hub = await startHub();
    const [models, file] = [tempFolder(), join(tempFolder(), 'file')];
    mkdirSync(place(models, 'config.json'), { recursive: true });
    writeFileSync(file, '');
    for (const it of [models, file]) {
      await expect(fetchModel(it, pinned(hub), { hub: hub.url })).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  test.each([
    ['is declared to be', { 'content-length': '100000' }],
    ['turns out to be', {}],
  ])('a download that %s larger than the limit is refused', async (_, headers) => {
    const hub = await startHub((_request, response) => {
      response.writeHead(200, headers);
      response.write('x'.repeat(2000));
      if (!('content-length' in headers)) response.end();
      return true;
    });
    const models = tempFolder();
    await expect(fetchModel(models, pinned(hub), { hub: hub.url, limit: 1000 })).rejects.toMatchObject(UNAVAILABLE);
    expect(kept(models)).toEqual([]);
  });
});

describe('a hub that sends more than a model has', () => {
  const FILE = 400;
  const lying = () => startHub((_request, response) => !!response.writeHead(200).end('x'.repeat(FILE)));

  test('all files of a model that nothing has pinned yet have one limit, and nothing of them is left', async () => {
    const { url } = await lying();
    const models = join(tempFolder(), 'models');
    const stage = (limit: number) => stageFromHub(models, { name: HUB_MODEL, revision: REVISION }, { hub: url, limit });
    await expect(stage(MODEL_FILES.length * FILE - 1)).rejects.toMatchObject(UNAVAILABLE);
    expect(kept(models)).toEqual([]);
    const { bytes, discard } = await stage(MODEL_FILES.length * FILE);
    expect(bytes).toBe(MODEL_FILES.length * FILE);
    discard();
  });

  test('the limit counts what a compressed answer becomes', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const hub = await startHub((_request, response) => {
      return !!response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const models = tempFolder();
    const wanted = { name: HUB_MODEL, revision: REVISION };
    await expect(stageFromHub(models, wanted, { hub: hub.url, limit: 100_000 })).rejects.toMatchObject(UNAVAILABLE);
    await expect(fetchModel(models, pinned(hub), { hub: hub.url, limit: 100_000 })).rejects.toMatchObject(UNAVAILABLE);
    expect(kept(models)).toEqual([]);
  });

  test('a folder that is pinned has the same limit', async () => {
    const folder = tempFolder();
    for (const file of MODEL_FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), 'x'.repeat(FILE));
    }
    const models = join(tempFolder(), 'models');
    const stage = (limit: number) => stageFromFolder(models, { name: HUB_MODEL, revision: REVISION }, folder, limit);
    await expect(stage(MODEL_FILES.length * FILE - 1)).rejects.toMatchObject(UNAVAILABLE);
    (await stage(MODEL_FILES.length * FILE)).discard();
  });
});

describe('a hub that fails', () => {
  const failures: [name: string, source: () => Promise<HubSource>][] = [
    ['does not exist', () => Promise.resolve({ hub: NOBODY })],
    ['has an invalid address', () => Promise.resolve({ hub: 'nowhere' })],
    ['has no such model', async () => ({ hub: (await startHub((_, it) => !!it.writeHead(404).end('no'))).url })],
    ['requires authentication', async () => ({ hub: (await startHub((_, it) => !!it.writeHead(401).end())).url })],
    ['answers with an error', async () => ({ hub: (await startHub((_, it) => !!it.writeHead(503).end())).url })],
    ['closes the connection', async () => ({ hub: (await startHub((_, it) => !!it.socket?.destroy())).url })],
    ['redirects in a circle', async () => ({ hub: (await startHub((it, to) => turn(it.url, to))).url })],
    [
      'closes the connection in the middle of a file',
      async () => ({ hub: (await startHub((_, it) => breakOff(it))).url }),
    ],
  ];

  test.each(failures)('a hub that %s is model_unavailable, and the error names the file', async (_, source) => {
    const { choice } = await startHub();
    const models = tempFolder();
    const loading = loadEncoder(models, choice, await source());
    await expect(loading).rejects.toMatchObject({ ...UNAVAILABLE, details: { file: MODEL_FILES[0] } });
    expect(kept(models)).toEqual([]);
  });

  test('the hub is not asked for a model without a revision', async () => {
    const hub = await startHub();
    const { revision: _, files, ...local } = hub.choice;
    expect(files).toBeDefined();
    await expect(loadEncoder(tempFolder(), local, { hub: hub.url })).rejects.toMatchObject(UNAVAILABLE);
    expect(hub.asked).toEqual([]);
  });
});

describe('vade with a model of the hub', () => {
  const fixture = async (): Promise<{ hub: Hub; here: ReturnType<typeof workplace> }> => {
    const hub = await startHub();
    return { hub, here: workplace((repo) => repo.write('instructions/org.yaml', org(hub.choice))) };
  };

  test('vade compile downloads from VADE_MODEL_HUB into .vade/models, and recall and serve work without it', async () => {
    const { hub, here } = await fixture();
    const compiled = await here.run(['compile', '--dev'], { VADE_MODEL_HUB: hub.url });
    expect(compiled.code).toBe(0);
    expect(existsSync(place(join(here.cwd, '.vade/models'), 'config.json'))).toBe(true);
    await hub.stop();
    const offline = { VADE_MODEL_HUB: NOBODY };
    const recalled = await here.run(['recall', '--dev', '--agent', 'cto', '--intent', 'quit'], offline);
    expect(recalled.code).toBe(0);
    const server = await serve(['--dev'], here.cwd, offline);
    expect(await server.stop()).toBe(143);
  });

  test('vade compile without a network exits with a precondition', async () => {
    const { here } = await fixture();
    const ran = await here.run(['compile', '--dev'], { VADE_MODEL_HUB: NOBODY });
    expect([ran.code, ran.envelope().error.code]).toEqual([4, 'MODEL_UNAVAILABLE']);
  });
});

function turn(url: string | undefined, response: ServerResponse): boolean {
  response.writeHead(302, { location: url }).end();
  return true;
}

function breakOff(response: ServerResponse): boolean {
  response.writeHead(200, { 'content-length': '5000' });
  response.write('{', () => response.socket?.destroy());
  return true;
}
