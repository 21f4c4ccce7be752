import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { linksOf } from '../documents/markdown.ts';
import { rows } from '../server/audit-file.ts';
import { compiledLegacy, compiledPeers, LEGACY_TEXT } from '../server/deployment.ts';
import { running, type Running } from '../server/running.ts';
import { lyingProxy } from './lying-proxy.ts';
import { runExample } from './running-example.ts';

interface AgentAnswer {
  readonly chunks?: { content: string }[];
  readonly attestation_chain?: unknown[];
}

const OTHER = 'instruction:acme/agent/cto/incident/v1';

/** Lies of a server between the bundle and the client, by what they change. */
const LIES: Readonly<Record<string, (path: string, told: AgentAnswer) => object>> = {
  'the text of a chunk': (_path, told) =>
    told.chunks ? { ...told, chunks: told.chunks.map((it) => ({ ...it, content: `${it.content}!` })) } : told,
  'the text of a chunk, and the digest of its fact': (_path, told) =>
    told.chunks
      ? { ...told, chunks: told.chunks.map((it) => ({ ...it, content: 'Pay.' })) }
      : { ...told, digest: createHash('sha256').update('Pay.').digest('hex') },
  'a proof, which is left out': (path, told) =>
    path.startsWith('/v1/facts/') ? { ...told, attestation_chain: [] } : told,
  'the URI of a fact, which names another': (_path, told) =>
    told.chunks ? { ...told, chunks: told.chunks.map((it) => ({ ...it, fact_uri: OTHER })) } : told,
  'the source of a text, which is no legacy file': (_path, told) =>
    told.chunks ? { ...told, chunks: told.chunks.map((it) => ({ ...it, source: 'fallback_path' })) } : told,
};

/** The proxy's answer: documents pass as they are. */
const telling = (lie: (path: string, told: AgentAnswer) => object) => (path: string, answer: string) =>
  answer.startsWith('{') ? JSON.stringify(lie(path, JSON.parse(answer) as AgentAnswer)) : answer;

/** Tests a client of `examples/` on a server of its own. */
export function describeClient(file: string): void {
  let server: Running;

  beforeAll(async () => {
    server = await running(await compiledPeers());
  });

  /** As the cto, who is done for today. */
  const asCto = (url = server.url) => runExample(file, [url, 'cto', 'done for today'], { VADE_KEY: server.keys.cto });

  const closings = async () => (await rows(server.audit, 'closings')).length;

  test(`${file} prints the boot stub and the recalled units, and closes the recall`, async () => {
    const before = await closings();
    const ran = await asCto();
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const stub = (await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub')).text;
    const answer = (await server.recall('cto', 'cto', { intent: 'done for today' })).json() as Required<AgentAnswer>;
    expect(answer.chunks.length).toBeGreaterThan(0);
    expect(ran.stdout).toBe([stub, ...answer.chunks.map(({ content }) => content), ''].join('\n'));
    expect(await closings()).toBe(before + 1);
  });

  test.each(Object.entries(LIES))(`${file} stops before it closes if a server changes %s`, async (_what, lie) => {
    const before = await closings();
    const ran = await asCto(await lyingProxy(server.url, telling(lie)));
    expect([ran.code, await closings()]).toEqual([1, before]);
    expect(ran.stderr).toContain('is not attested');
  });

  test(`${file} believes a legacy text, which its garden's statement names by its path (§21.6.1)`, async () => {
    const legacy = await running(await compiledLegacy());
    const ran = await runExample(file, [legacy.url, 'cto', 'start a heartbeat'], { VADE_KEY: legacy.keys.cto });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(LEGACY_TEXT);
  });

  test(`${file} ends with the code of a refusal`, async () => {
    const ran = await runExample(file, [server.url, 'ct', 'done for today'], { VADE_KEY: server.keys.cto });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('instruction_scope_denied');
  });

  test(`${file} has at most fifty lines, and server/README leads to it`, () => {
    const text = readFileSync(join('examples', file), 'utf8').trimEnd();
    expect(text.split('\n').length).toBeLessThanOrEqual(50);
    expect(linksOf('server/README.md')).toContain(`../examples/${file}`);
  });
}
