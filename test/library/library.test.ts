import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecalledChunk } from '../../compiler/library/answer.ts';
import {
  compile,
  createServer,
  openBundle,
  recall,
  VadeError,
  verifyChunk,
  type OpenedBundle,
} from '../../compiler/library/index.ts';
import { workplace, type Workplace } from '../cli/workplace.ts';
import { testTrust } from '../support/compiled.ts';

let place: Workplace;
let bundle: OpenedBundle;
let deployment: { readonly cwd: string; readonly trust: string };

beforeAll(async () => {
  place = workplace();
  deployment = { cwd: place.cwd, trust: 'root.json' };
  await compile({ ...deployment, key: 'signing.pem' });
  bundle = await openBundle(deployment);
});

/** The error that something ends with. */
async function failure(work: () => unknown): Promise<VadeError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof VadeError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const codeOf = async (work: () => unknown) => (await failure(work)).code;

describe('compile', () => {
  test('a compile gives the bundle that the command line gives', async () => {
    const again = await compile({ ...deployment, key: 'signing.pem' });
    const { data } = (await place.run(['compile', '--trust', 'root.json', '--key', 'signing.pem'])).envelope();
    const { effect, revision, serial, commit, gardens } = again;
    expect(data).toMatchObject({ effect, revision, serial, commit, gardens });
    expect(effect).toBe('noop');
  });

  test('an earlier bundle is reused', async () => {
    const reused = await compile({ ...deployment, key: 'signing.pem', previous: 'bundle', out: 'next' });
    expect(reused).toMatchObject({ effect: 'created', reused: 1, revision: bundle.revision });
  });

  test('the key may come by the environment that the caller hands in, and not by that of the process', async () => {
    const env = { VADE_SIGNING_KEY: readFileSync(join(place.cwd, 'signing.pem'), 'utf8') };
    expect(await compile({ ...deployment, env, out: 'signed' })).toMatchObject({ revision: bundle.revision });
    expect(await codeOf(() => compile(deployment))).toBe('signing_key_required');
  });

  test('a compile with errors writes nothing and names them all', async () => {
    const broken = workplace((repo) => repo.write('instructions/agents/cto/broken.md', 'no front matter\n'));
    const options = { cwd: broken.cwd, trust: 'root.json', key: 'signing.pem' };
    const { code, details } = await failure(() => compile(options));
    expect(code).toBe('sources_invalid');
    expect(details['faults']).toMatchObject([
      { rule: 'front_matter_missing', file: expect.stringContaining('broken') as string },
    ]);
    expect(await codeOf(() => openBundle(options))).toBe('bundle_not_found');
  });

  test.each([
    ['no trust root', {}, 'trust_required'],
    ['a trust root that is not there', { trust: 'other.json' }, 'trust_required'],
    ['a folder without sources', { trust: 'root.json', source: 'nothing' }, 'source_not_found'],
    ['a ref that is not there', { trust: 'root.json', ref: 'nothing' }, 'ref_not_found'],
    ['a root for an earlier bundle that is not given', { trust: 'root.json', previousTrust: 'a' }, 'argument_invalid'],
  ])('%s is refused with its code', async (_, options, code) => {
    expect(await codeOf(() => compile({ cwd: place.cwd, key: 'signing.pem', ...options }))).toBe(code);
  });
});

describe('openBundle and recall', () => {
  test('a bundle says what it is', async () => {
    expect(bundle.agents).toEqual(['cto']);
    expect(await bundle.bootStub('cto')).toContain('recall_instruction');
  });

  test('a recall is answered as the command line answers it', async () => {
    const intent = 'I am done for now';
    const answer = await recall(bundle, 'cto', { intent, max_chunks: 1 });
    const flags = ['--trust', 'root.json', '--agent', 'cto', '--max-chunks', '1', '--intent', intent];
    expect((await place.run(['recall', ...flags])).envelope().data).toMatchObject({ chunks: answer.chunks });
    expect(answer.chunks.length).toBeGreaterThan(0);
    expect(answer.explain).toBeUndefined();
  });

  test('an explained recall has every unit', async () => {
    const { explain, chunks } = await recall(bundle, 'cto', { intent: 'I am done for now', explain: true });
    expect(explain?.units.map(({ name }) => name)).toEqual(expect.arrayContaining(chunks.map(({ name }) => name)));
  });

  test.each([
    ['a blank intent', 'cto', { intent: ' ' }, 'intent_required'],
    ['too many chunks', 'cto', { intent: 'x', max_chunks: 51 }, 'request_invalid'],
    ['an agent that is not there', 'nobody', { intent: 'x' }, 'agent_not_found'],
  ])('%s is refused with its code', async (_, agent, request, code) => {
    expect(await codeOf(() => recall(bundle, agent, request))).toBe(code);
  });

  test('a bundle under another trust root is not opened', async () => {
    writeFileSync(join(place.cwd, 'other.json'), testTrust().root.envelope);
    expect(await codeOf(() => openBundle({ cwd: place.cwd, trust: 'other.json' }))).toBe('bundle_unverified');
  });
});

describe('verifyChunk', () => {
  async function received() {
    const { chunks } = await recall(bundle, 'cto', { intent: 'I am done for now' });
    const [chunk] = chunks as [RecalledChunk];
    const { attestation_chain } = await bundle.fact('cto', chunk.fact_uri);
    return { chunk, envelope: attestation_chain[0]!.envelope };
  }

  test('a recalled chunk verifies, with its envelope parsed, as text and as bytes', async () => {
    const { chunk, envelope } = await received();
    const text = JSON.stringify(envelope);
    for (const it of [envelope, text, Buffer.from(text)])
      expect(verifyChunk(chunk, { ...deployment, envelope: it })).toMatchObject({ ok: true });
  });

  test('a changed text is refused', async () => {
    const { chunk, envelope } = await received();
    const changed = { ...chunk, content: `${chunk.content} ` };
    expect(verifyChunk(changed, { ...deployment, envelope })).toEqual({ ok: false, reason: 'digest_mismatch' });
  });

  test.each([[null], [undefined], [{}], ['{'], [7], [new Uint8Array(3)]])(
    'an envelope that is none (%j) gives a verdict',
    async (envelope) => {
      const { chunk } = await received();
      expect(verifyChunk(chunk, { ...deployment, envelope })).toMatchObject({ ok: false });
    },
  );

  test('a trust root that cannot be read is an error, not a verdict', async () => {
    const { chunk, envelope } = await received();
    expect(await codeOf(() => verifyChunk(chunk, { cwd: place.cwd, envelope }))).toBe('trust_required');
    const successors = ['nothing.json'];
    expect(await codeOf(() => verifyChunk(chunk, { ...deployment, envelope, successors }))).toBe('trust_required');
  });
});

describe('createServer', () => {
  test('a server answers, logs where it is told, and ends', async () => {
    const lines: string[] = [];
    const server = await createServer({ ...deployment, log: { write: (line) => lines.push(line) } });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.close();
    await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
    expect(server.revision).toBe(bundle.revision);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('ready');
  });

  test.each([
    ['an address for everybody under a development root', { dev: true, trust: undefined, host: '0.0.0.0' }],
    ['a proxy that is everybody', { trustProxy: ['all'] }],
  ])('%s is refused', async (_, options) => {
    const all = { ...deployment, ...options } as Parameters<typeof createServer>[0];
    expect(await codeOf(() => createServer(all))).toBe('argument_invalid');
  });
});
