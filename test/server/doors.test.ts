import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf } from '../../server/operations/operation.ts';
import { OWN_OPERATIONS, type OwnOperation } from '../../server/operations/tables/agent-caller.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { flipByte } from './damage.ts';
import { compiledPeers, withoutDocuments, type CompiledPeers } from './deployment.ts';
import { BEFORE, casesOf, ONE_DOOR } from './door-cases.ts';
import type { Case, Clock, World } from './door-cases.ts';
import { httpClient, httpDoor, IN_MCP, localDoor, mcpDoor, RECORDED, stdioClient } from './doors.ts';
import type { Door, Kept, DoorAnswer } from './doors.ts';
import { running, type Running } from './running.ts';

const started = Date.now();
const clock: Clock = { at: started };

type Doors = Readonly<Record<'http' | 'local' | 'mcp' | 'stdio', Door | null>>;

let server: Running;
let peers: CompiledPeers;
let worlds: Readonly<Record<World, Doors>>;
const clients: Client[] = [];

beforeAll(async () => {
  peers = await compiledPeers();
  server = await served(peers);
  const broken = { ...peers, bundle: tempFolder() };
  cpSync(peers.bundle, broken.bundle, { recursive: true });
  flipByte(broken.bundle, 'cto', 'facts.json');
  const bare = await withoutDocuments();
  worlds = {
    peers: await doorsOf(peers, server, 'cto'),
    bare: await doorsOf(bare, await served(bare), 'cto'),
    broken: await doorsOf(broken, await served(broken), 'cto'),
    ghost: await doorsOf(peers, server, 'ghost'),
  };
});

afterAll(async () => {
  for (const client of clients) await client.close();
});

const CASES = casesOf(clock);
const INTENT = { intent: 'hand over' };

const now = () => clock.at;
const auditKey = 'the same for every door';
const served = (of: CompiledPeers) => running({ ...of, now, auditKey });
const kept = (): Kept => ({ audit: join(tempFolder(), 'audit.db'), auditKey, now });

async function doorsOf(of: CompiledPeers, host: Running, agent: 'cto' | 'ghost'): Promise<Doors> {
  const mcp = await httpClient(host, agent, '/v1/mcp');
  // stdio does not start for an agent without a garden
  const stdio = agent === 'ghost' ? null : await stdioClient(of, agent, kept());
  clients.push(mcp, ...(stdio ? [stdio] : []));
  const http = httpDoor(host, agent, agent);
  return { http, local: localDoor(of, agent, kept()), mcp: mcpDoor(mcp), stdio: stdio && mcpDoor(stdio) };
}

/** Answers of every door, without what differs in every answer. */
async function toldBy(
  world: World,
  id: OwnOperation,
  asked: Case['asked'],
): Promise<Partial<Record<keyof Doors, DoorAnswer>>> {
  const told: Partial<Record<keyof Doors, DoorAnswer>> = {};
  for (const [name, door] of Object.entries(worlds[world]) as [keyof Doors, Door | null][]) {
    clock.at = started;
    // stdio answers these as texts, and knows the tokens itself (`test/server/mcp/process.test.ts`)
    if (name === 'stdio' && RECORDED.includes(id)) continue;
    const answer = door && (await door(id, await asked(door)));
    if (answer) told[name] = withoutToken(answer);
  }
  return told;
}

function withoutToken(told: DoorAnswer): DoorAnswer {
  if ('error' in told || typeof told.value !== 'object' || told.value === null) return told;
  const { audit_token: _, ...value } = told.value as Record<string, unknown>;
  return { value: Array.isArray(told.value) ? told.value : value };
}

/** The answer of HTTP, as far as a door has a place for it. */
function expectedOf(id: OwnOperation, name: keyof Doors, told: DoorAnswer): DoorAnswer {
  const inMcp = IN_MCP[id];
  if ('error' in told || inMcp === undefined || name === 'local') return told;
  return { value: inMcp(told.value) };
}

describe('the table of operations', () => {
  test('every operation of an agent is asked through the doors, with every code of its table', () => {
    const codes = Object.entries(OWN_OPERATIONS).map(([id, operation]) => {
      const here = ONE_DOOR[id as OwnOperation];
      return [
        id,
        errorsOf(operation)
          .filter((it) => !BEFORE.includes(it) && !here.includes(it))
          .sort(),
      ];
    });
    const asked = Object.entries(CASES).map(([id, cases]) => {
      const refusals = cases.flatMap(({ code }) => code ?? []);
      return [id, [...new Set(refusals)].sort()];
    });
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(codes));
  });
});

describe.each(Object.entries(CASES) as [OwnOperation, readonly Case[]][])('%s through every door', (id, cases) => {
  test.each(cases.filter(({ code }) => code === null))('the answer to $what is the same', async ({ world, asked }) => {
    const { http, ...others } = await toldBy(world, id, asked);
    expect(http).toHaveProperty('value');
    expect(Object.keys(others)).toContain('local');
    for (const [name, told] of Object.entries(others))
      expect([name, told]).toEqual([name, http && expectedOf(id, name as keyof Doors, http)]);
  });

  test.each(cases.filter(({ code, world }) => code !== null && world !== 'broken'))(
    '$what is refused as $code, with the same message and details',
    async ({ code, world, asked }) => {
      const { http, ...others } = await toldBy(world, id, asked);
      expect(http).toMatchObject({ error: { code, details: expect.any(Object) as object } });
      expect(Object.keys(others)).toContain('local');
      for (const [name, told] of Object.entries(others)) expect([name, told]).toEqual([name, http]);
    },
  );

  test.each(cases.filter(({ world }) => world === 'broken'))(
    '$what is refused as $code where a server may yet get a whole one, and in a single call with the reason',
    async ({ code, world, asked }) => {
      const { http, local, ...others } = await toldBy(world, id, asked);
      expect(http).toMatchObject({ error: { code, retryable: true } });
      expect(local).toMatchObject({ error: { code: 'bundle_unverified', details: { reason: 'digest_mismatch' } } });
      expect(Object.keys(others)).toContain(RECORDED.includes(id) ? 'mcp' : 'stdio');
      for (const [name, told] of Object.entries(others)) expect([name, told]).toEqual([name, http]);
    },
  );
});

describe('what MCP offers', () => {
  test('only heartbeats and publishing are for HTTP alone; an extension has the files of skills', async () => {
    const offered = await Promise.all(
      Object.entries(CASES).map(async ([id, cases]) => {
        const [{ world, asked }] = cases as readonly [Case, ...Case[]];
        const { mcp } = await toldBy(world, id as OwnOperation, asked);
        return mcp ? [] : [id];
      }),
    );
    expect(offered.flat().sort()).toEqual(['getSkillFile', 'heartbeat', 'publishManifest']);
  });
});

describe('the command line', () => {
  const run = (...args: string[]) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'root.json'), peers.trust.root.envelope);
    return vade([...args, '--agent', 'cto', '--trust', 'root.json', '--bundle', peers.bundle], cwd);
  };

  test('vade recall answers as the server', async () => {
    const recalled = (await server.recall('cto', 'cto', INTENT)).json();
    const { data } = (await run('recall', '--intent', 'hand over')).envelope();
    expect(data).toEqual({ ...recalled, audit_token: null });
  });

  test('vade recall refuses as the server does; an invalid request is an argument here', async () => {
    const blank = (await server.recall('cto', 'cto', { intent: ' ' })).json()['error'];
    const { code, ...told } = blank as { code: string; message: string; retryable: boolean };
    const { error } = (await run('recall', '--intent', ' ')).envelope();
    expect(error).toMatchObject({ code: code.toUpperCase(), message: told.message, retryable: told.retryable });
    const body = { intent: 'hand over', max_chunk: 3 };
    const wrong = (await server.recall('cto', 'cto', body)).json()['error'] as { message: string; details: object };
    const file = join(tempFolder(), 'request.json');
    writeFileSync(file, JSON.stringify(body));
    const invalid = (await run('recall', '--input-file', file)).envelope().error;
    expect(invalid).toMatchObject({ code: 'ARGUMENT_INVALID', message: wrong.message, context: wrong.details });
  });
});
