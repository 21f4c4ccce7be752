import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MODEL_FILES } from '../../../../compiler/schema/source/org.ts';
import { tempFolder } from '../../../support/folder.ts';
import { HUB_MODEL, REVISION, startHub, type Hub } from '../../../support/hub.ts';
import { writeModel } from '../../../support/model.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { workplace, type Workplace } from '../../workplace.ts';

const ORG = 'instructions/org.yaml';
const COMMENTED = `# who we are
deployment: acme
compiler: 0.1.0   # exact
model: builtin # the table
# limits of probes
probes: { least_coverage: 0 }
`;
const NOBODY = 'http://127.0.0.1:1';

const place = (org = COMMENTED): Workplace =>
  workplace((repo) =>
    repo
      .write(ORG, org)
      .write('instructions/agents/cto/leave.md', unitFile('How we leave', ['leave for the night']))
      .write('instructions/probes/cto.yaml', 'probes:\n  - {intent: wrap tonight, required: [leave]}\n'),
  );
const pin = (here: Workplace, hub: string, ...args: string[]) =>
  here.run(['model', 'pin', HUB_MODEL, ...args], { VADE_MODEL_HUB: hub });
const org = (here: Workplace) => readFileSync(join(here.cwd, ORG), 'utf8');
const models = (here: Workplace) => join(here.cwd, '.vade/models');

/** Everything in the models folder but its `.gitignore`. */
function kept(here: Workplace): string[] {
  if (!existsSync(models(here))) return [];
  const entries = readdirSync(models(here), { withFileTypes: true, recursive: true });
  return entries.filter((it) => it.name !== '.gitignore' && it.isFile()).map((it) => it.name);
}

async function expectRefused(here: Workplace, run: ReturnType<typeof pin>, code: string): Promise<void> {
  const before = org(here);
  expect((await run).envelope().error.code).toBe(code);
  expect([org(here), kept(here)]).toEqual([before, []]);
}

describe('vade model pin', () => {
  test('it writes the newest commit and the digests of a hub’s model, and a compile then needs no hub', async () => {
    const [here, hub] = [place(), await startHub()];
    const ran = await pin(here, hub.url);
    expect(ran.envelope().data).toMatchObject({
      effect: 'updated',
      file: ORG,
      name: HUB_MODEL,
      revision: REVISION,
      files: hub.choice.files,
      mode: 'alone',
      licence: 'apache-2.0',
      bytes: expect.any(Number) as number,
      query_ms: { now: expect.any(Number) as number, before: expect.any(Number) as number },
    });
    expect(kept(here)).toHaveLength(MODEL_FILES.length);
    const compiled = await here.run(['compile', '--dev'], { VADE_MODEL_HUB: NOBODY });
    expect(compiled.code, compiled.stdout).toBe(0);
  });

  test('the comments, the order and every other line of org.yaml stay', async () => {
    const [here, hub] = [place(), await startHub()];
    await pin(here, hub.url);
    const [head = '', tail = ''] = COMMENTED.split('model: builtin # the table\n');
    const found = org(here);
    expect([found.slice(0, head.length), found.slice(-tail.length)]).toEqual([head, tail]);
    expect(found).toContain('# the table');
  });

  test('it says what the probes gain, with the encoder of today and with the new one', async () => {
    const [here, hub] = [place(COMMENTED.replace('builtin', 'none')), await startHub()];
    const { probes } = (await pin(here, hub.url)).envelope().data as { probes: object[] };
    expect(probes).toEqual([expect.objectContaining({ agent: 'cto', probes: 1 })]);
    const missing = place();
    rmSync(join(missing.cwd, 'instructions/probes'), { recursive: true });
    expect((await pin(missing, hub.url)).envelope().data['probes']).toEqual([]);
  });

  test('a dry run says all that and leaves no file behind', async () => {
    const [here, hub] = [place(), await startHub()];
    const ran = await pin(here, hub.url, '--dry-run');
    expect(ran.envelope().data).toMatchObject({ effect: 'would_update', files: hub.choice.files });
    expect([org(here), kept(here)]).toEqual([COMMENTED, []]);
  });

  test('a second time nothing changes, and settings of the same model stay', async () => {
    const [here, hub] = [place(), await startHub()];
    await pin(here, hub.url, '--query-prefix', 'query: ', '--mode', 'with_builtin');
    const first = org(here);
    const again = await pin(here, hub.url);
    expect(again.envelope().data).toMatchObject({ effect: 'noop', mode: 'with_builtin' });
    expect(org(here)).toBe(first);
  });

  test('settings of another model go', async () => {
    const other = 'model:\n  name: Acme/other\n  query_prefix: "ask: "\n  # both\n  mode: alone';
    const [here, hub] = [place(COMMENTED.replace('model: builtin', other)), await startHub()];
    writeModel(join(models(here), 'Acme'), 'other');
    await pin(here, hub.url);
    expect(org(here)).not.toContain('query_prefix');
    expect(org(here)).toContain('  # both\n  mode: alone');
  });

  test('a name that no model can have, and a branch, are refused before anything is fetched', async () => {
    const hub = await startHub();
    const here = place();
    await expectRefused(here, pin(here, hub.url, '--revision', 'main'), 'ARGUMENT_INVALID');
    const run = here.run(['model', 'pin', '--name', '../../etc'], { VADE_MODEL_HUB: hub.url });
    await expectRefused(here, run, 'ARGUMENT_INVALID');
    expect(hub.asked).toEqual([]);
  });

  test('an org.yaml that a program cannot edit is left as it is', async () => {
    const [here, hub] = [place('{deployment: acme, compiler: 0.1.0}\n'), await startHub()];
    await expectRefused(here, pin(here, hub.url), 'SOURCES_INVALID');
  });
});

describe('a mirror, and a folder', () => {
  test('a mirror is named by its address; without the hub’s index it needs the commit', async () => {
    const mirror = await startHub((request, response) => request.url?.startsWith('/api/') === true && gone(response));
    const here = place();
    await expectRefused(here, pin(here, NOBODY, '--from', mirror.url), 'MODEL_UNAVAILABLE');
    const ran = await pin(here, NOBODY, '--from', mirror.url, '--revision', REVISION);
    expect(ran.envelope().data).toMatchObject({ effect: 'updated', revision: REVISION });
  });

  test('a folder of the hub’s cache is named by its commit; another folder needs it', async () => {
    const here = place();
    const [cache, hub] = [tempFolder(), await startHub()];
    const plain = join(cache, writeModel(cache));
    cpSync(plain, join(cache, REVISION), { recursive: true });
    await expectRefused(here, pin(here, NOBODY, '--from', plain), 'ARGUMENT_INVALID');
    const ran = await pin(here, NOBODY, '--from', join(cache, REVISION));
    expect(ran.envelope().data).toMatchObject({ revision: REVISION, files: hub.choice.files, licence: null });
    expect(kept(here)).toHaveLength(MODEL_FILES.length);
  });

  test('a folder without one of the files is refused', async () => {
    const here = place();
    const cache = tempFolder();
    const plain = join(cache, writeModel(cache));
    rmSync(join(plain, 'tokenizer.json'));
    await expectRefused(here, pin(here, NOBODY, '--from', plain, '--revision', REVISION), 'MODEL_UNAVAILABLE');
  });
});

describe('a hostile hub', () => {
  const hubs: [name: string, hub: () => Promise<Hub>][] = [
    ['breaks off in the middle of the weights', () => startHub((it, to) => isWeights(it.url) && breakOff(to))],
    ['says that the weights are too large', () => startHub((it, to) => isWeights(it.url) && claim(to, 2 ** 40))],
    ['sends weights that do not load', () => startHub((it, to) => isWeights(it.url) && !!to.end('no weights'))],
    ['has no weights', () => startHub((it, to) => isWeights(it.url) && gone(to))],
    ['names no commit', () => startHub((it, to) => isIndex(it.url) && !!to.end('{"sha": "../../main"}'))],
    ['sends an index without end', () => startHub((it, to) => isIndex(it.url) && !!to.end(' '.repeat(2 ** 21)))],
    ['redirects to an address that is not private', () => startHub((_, to) => away(to))],
  ];

  test.each(hubs)('a hub that %s changes nothing, and leaves nothing behind', async (_, start) => {
    const here = place();
    await expectRefused(here, pin(here, (await start()).url), 'MODEL_UNAVAILABLE');
  });

  test('what a card claims beyond the identifier of a licence is not shown', async () => {
    const card = `---\nlicense: "MIT\\u001b[31m"\n---\n`;
    const hub = await startHub((it, to) => it.url?.endsWith('README.md') === true && !!to.end(card));
    const ran = await pin(place(), hub.url);
    expect(ran.envelope().data['licence']).toBe(null);
  });

  test('another file for a revision that is kept is refused, and the kept one stays', async () => {
    const [here, hub] = [place(), await startHub()];
    await pin(here, hub.url);
    const path = join(models(here), HUB_MODEL, REVISION, 'config.json');
    appendFileSync(path, ' ');
    const before = readFileSync(path, 'utf8');
    writeFileSync(join(here.cwd, ORG), COMMENTED);
    expect((await pin(here, hub.url)).envelope().error.code).toBe('MODEL_UNAVAILABLE');
    expect([readFileSync(path, 'utf8'), org(here), kept(here).length]).toEqual([before, COMMENTED, MODEL_FILES.length]);
  });
});

test('a model pin says its faults as any command does', async () => {
  const ran = await place().run(['model', 'pin']);
  expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
});

const isWeights = (url: string | undefined) => url?.endsWith('.onnx') === true;
const isIndex = (url: string | undefined) => url?.startsWith('/api/') === true;
const gone = (response: ServerResponse) => !!response.writeHead(404).end();
const away = (response: ServerResponse) => !!response.writeHead(302, { location: 'http://example.org/' }).end();

function claim(response: ServerResponse, bytes: number): boolean {
  response.writeHead(200, { 'content-length': String(bytes) });
  response.write('x');
  return true;
}

function breakOff(response: ServerResponse): boolean {
  response.writeHead(200, { 'content-length': '5000' });
  response.write('{', () => response.socket?.destroy());
  return true;
}
