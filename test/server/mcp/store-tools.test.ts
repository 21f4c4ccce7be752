import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startText } from '../../../compiler/continuity/fit-startup.ts';
import type { ReadAnswer } from '../../../compiler/continuity/schema/reading/read.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { ToolCatalog, ToolEntry } from '../../../compiler/schema/api/discovery.ts';
import { EXAMPLES } from '../../../server/http/openapi.ts';
import { STORE_OPERATIONS } from '../../../server/operations/tables/store-operations.ts';
import { toolName } from '../../../server/operations/tables/tool-catalog.ts';
import { capsuleOf } from '../../continuity/capsules.ts';
import { serving, type Serving } from '../continuity/serving.ts';
import { httpClient } from '../doors.ts';
import { errorIn, textIn } from './asking.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
let now = NOW;
const ids = Object.keys(STORE_OPERATIONS) as (keyof typeof STORE_OPERATIONS)[];

let server: Serving;
let curated: Client;
let full: Client;
let catalog: ToolCatalog;

beforeAll(async () => {
  server = await serving(undefined, { now: () => (now += 1) });
  [curated, full] = [await httpClient(server, 'cto'), await httpClient(server, 'cto', '/v1/mcp')];
  catalog = (await server.ask(null, 'GET', '/v1/discovery/tools')).json() as unknown as ToolCatalog;
});

afterAll(async () => {
  await curated.close();
  await full.close();
});

interface ToolAnswer {
  readonly isError: boolean;
  readonly value: unknown;
}

async function toldBy(client: Client, name: string, given: object): Promise<ToolAnswer> {
  const told = await client.callTool({ name, arguments: { ...given } });
  const { isError = false, structuredContent } = told;
  if (isError) return { isError, value: { error: errorIn(told) } };
  return { isError, value: client === full ? structuredContent : jsonIn(told) };
}

/** The answer of a curated tool: JSON as text, or a text; never twice. */
function jsonIn(told: Awaited<ReturnType<Client['callTool']>>): unknown {
  expect(told).not.toHaveProperty('structuredContent');
  const text = textIn(told);
  return text.startsWith('{') ? JSON.parse(text) : text;
}

/** The operation by its own tool, or by the one that performs all others. */
async function toldByCurated(name: string, given: object): Promise<ToolAnswer> {
  const { tools } = await curated.listTools();
  const isOwn = tools.some((it) => it.name === name);
  return isOwn ? toldBy(curated, name, given) : toldBy(curated, 'continuity', { operation: name, input: given });
}

describe('tools/list of /mcp, where capsules are kept', () => {
  test('costs fewer than 4,000 tokens', async () => {
    const { tools } = await curated.listTools();
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThan(4000);
  });

  test('has every operation on a store, as a tool or as a word of the tool for all others', async () => {
    const { tools } = await curated.listTools();
    const generic = tools.find(({ name }) => name === 'continuity')?.inputSchema.properties as Record<string, unknown>;
    const { enum: words } = generic['operation'] as { enum: string[] };
    const reached = [...tools.map(({ name }) => name), ...words];
    expect(ids.map(toolName).filter((it) => !reached.includes(it))).toEqual([]);
  });

  test.each(ids)('the full schema of %s is a resource', async (id) => {
    const name = toolName(id);
    const { contents } = await curated.readResource({ uri: `vade://tools/${name}` });
    const entry = JSON.parse((contents as { text: string }[])[0]?.text ?? '') as ToolEntry;
    expect(entry).toEqual(catalog.tools.find((it) => it.name === name));
    const { resources } = await curated.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`vade://tools/${name}`);
  });

  test('a schema that is not there is refused', async () => {
    await expect(curated.readResource({ uri: 'vade://tools/__proto__' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('POST /v1/mcp', () => {
  test('lists every operation of an agent with the schemas of GET /v1/discovery/tools', async () => {
    const { tools } = await full.listTools();
    const expected = catalog.tools.filter(({ access }) => access === 'agents');
    expect(tools.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    for (const { name, inputSchema } of tools)
      expect(inputSchema).toEqual(expected.find((it) => it.name === name)?.input_schema);
  });

  test('a document is its bytes, and an answer without content what it means', async () => {
    const { content } = await full.callTool({ name: 'get_boot_stub', arguments: { profile: 'generic' } });
    const stub = await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    expect(content).toEqual([{ type: 'text', text: stub.text }]);
    const recalled = await full.callTool({
      name: 'recall_instruction',
      arguments: { intent: 'hand over', explain: true },
    });
    expect(recalled.structuredContent).toHaveProperty('explain');
    const { audit_token } = recalled.structuredContent as { audit_token: string };
    const closed = await full.callTool({ name: 'close_recall', arguments: { audit_token, used_chunks: [] } });
    expect([closed.isError ?? false, closed.structuredContent]).toEqual([false, undefined]);
  });

  test('an agent may read for whom it supervises, and for nobody else', async () => {
    const denied = await toldBy(full, 'recall_instruction', { agent_id: 'cto2', intent: 'hand over' });
    expect(denied).toMatchObject({ isError: true, value: { error: { code: 'instruction_scope_denied' } } });
  });
});

describe('an operation on a store, through every door', () => {
  test.each(ids)('%s refuses what its schema refuses with the same error', async (id) => {
    const { method, path, access } = { ...STORE_OPERATIONS[id] };
    expect(access).toBe('agents');
    // a time that is missing would be filled in
    const wrong = { colour: 'red', limit: 'x', subject_kind: 3, ...(method !== 'get' && { updated_at: 3 }) };
    const target = path.replace(/\{\w+\}/g, 'nobody');
    const query =
      method === 'get' ? `?${new URLSearchParams({ colour: 'red', limit: 'x', subject_kind: '3' }).toString()}` : '';
    const sent = method === 'get' ? {} : { json: wrong };
    const answer = await server.ask('cto', method.toUpperCase(), `${target}${query}`, sent);
    const named = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'nobody']));
    const given = { ...named, ...wrong };
    const expected = { isError: true, value: { error: answer.json()['error'] } };
    expect(await toldByCurated(toolName(id), given)).toEqual(expected);
    expect(await toldBy(full, toolName(id), given)).toEqual(expected);
  });

  test('a capsule that came by MCP is read over HTTP, and the other way', async () => {
    const body = (id: string) => ({ subject_kind: 'thread', subject_id: id, capsule: capsuleOf({ subject_id: id }) });
    expect((await toldByCurated('upsert_capsule', body('a'))).value).toMatchObject({ created: true });
    expect((await toldBy(full, 'upsert_capsule', body('b'))).value).toMatchObject({ created: true });
    // the first look at a schedule makes it, and says so
    await server.post('cto', 'read', { subject_kind: 'thread', subject_id: 'a', view: 'startup' });
    for (const id of ['a', 'b']) {
      const asked = { subject_kind: 'thread', subject_id: id, view: 'startup' };
      const answer = (await server.post('cto', 'read', asked)).json();
      const start = startText(answer as unknown as ReadAnswer);
      expect(await toldByCurated('read_capsule', asked)).toEqual({ isError: false, value: start });
      expect(start).toMatch(new RegExp(`never an instruction:\\nthread ${id} · `));
      expect(await toldBy(full, 'read_capsule', asked)).toEqual({ isError: false, value: answer });
    }
    expect((await toldByCurated('list_capsules', {})).value).toMatchObject({ count: 2 });
  });

  test('the tool for all others tells what it can, where it cannot', async () => {
    for (const operation of ['__proto__', 'recall_instruction', 3, undefined]) {
      const { isError, value } = await toldBy(curated, 'continuity', { operation, input: {} });
      expect([isError, value]).toMatchObject([true, { error: { code: 'request_invalid' } }]);
    }
  });

  test('another agent finds nothing of it', async () => {
    const other = await httpClient(server, 'cto2');
    const asked = { subject_kind: 'thread', subject_id: 'a' };
    expect(await toldBy(other, 'read_capsule', asked)).toMatchObject({
      value: { error: { code: 'capsule_not_found' } },
    });
    await other.close();
  });
});

describe('times, over the curated tools', () => {
  const untimed = (id: string, more: object = {}) => {
    const capsule = { ...capsuleOf({ subject_id: id }), updated_at: null, verified_at: null, ...more };
    return { subject_kind: 'thread', subject_id: id, capsule };
  };
  const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'and then' }];

  test('no tool shows a date or needs a time, and the server fills them in', async () => {
    const { tools } = await curated.listTools();
    expect(JSON.stringify(tools)).not.toMatch(/\d{4}-\d\d-\d\dT|updated_at|verified_at/);
    expect((await toldByCurated('upsert_capsule', untimed('t'))).value).toMatchObject({ recovery_warnings: [] });
    const patch = { subject_kind: 'thread', subject_id: 't', operations };
    expect((await toldByCurated('patch_capsule', patch)).value).toMatchObject({ updated: true });
    const later = { ...untimed('t'), merge_mode: 'preserve' };
    expect((await toldByCurated('upsert_capsule', later)).isError).toBe(false);
    const { capsule } = (await server.post('cto', 'read', { subject_kind: 'thread', subject_id: 't' })).json();
    expect(Date.parse((capsule as { verified_at: string }).verified_at) - NOW).toBeLessThan(1000);
  });

  test('a time that is a day behind is stored as it is, with a warning; HTTP has none', async () => {
    const guessed = { updated_at: '2025-06-01T00:00:00Z', verified_at: '2026-11-23T11:00:00Z' };
    const { value } = await toldByCurated('upsert_capsule', untimed('old', guessed));
    const warning: unknown = expect.stringMatching(/^updated_at is far behind the clock, 2026-11-23T12/);
    expect(value).toMatchObject({ created: true, recovery_warnings: [warning] });
    const plain = await server.post('cto', 'upsert', untimed('older', guessed));
    expect(plain.json()).toMatchObject({ created: true, recovery_warnings: [] });
    expect((await server.post('cto', 'upsert', untimed('none'))).code).toBe('request_invalid');
  });
});

describe('the example of every operation', () => {
  test.each(ids)('%s has one that its outline takes', async (id) => {
    const { tools } = await curated.listTools();
    const { inputSchema } = tools.find(({ name }) => name === toolName(id)) ?? {};
    const { body = {} } = EXAMPLES[id] as { body?: object };
    const required = inputSchema?.required ?? [];
    expect(required.filter((it) => !(it in body))).toEqual([]);
  });
});
