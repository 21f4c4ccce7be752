import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { ToolCatalog, ToolEntry } from '../../../compiler/schema/api/discovery.ts';
import { RECALL_TOOL, toolSchema } from '../../../compiler/schema/api/recall-tool.ts';
import { McpRecallRequest } from '../../../compiler/schema/api/recall.ts';
import { EXAMPLES } from '../../../server/http/openapi.ts';
import { STORE_OPERATIONS } from '../../../server/operations/tables/store-operations.ts';
import { toolName } from '../../../server/operations/tables/tool-catalog.ts';
import { capsuleOf } from '../../continuity/capsules.ts';
import { serving, type Serving } from '../continuity/serving.ts';
import { httpClient } from '../doors.ts';
import { errorIn } from './asking.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const ids = Object.keys(STORE_OPERATIONS) as (keyof typeof STORE_OPERATIONS)[];

let server: Serving;
let curated: Client;
let full: Client;
let catalog: ToolCatalog;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
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
  return { isError, value: isError ? { error: errorIn(told) } : structuredContent };
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
  test('lists every operation of an agent with the schemas of GET /v1/discovery/tools, and the defaults of MCP', async () => {
    const { tools } = await full.listTools();
    const expected = catalog.tools.filter(({ access }) => access === 'agents');
    expect(tools.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    const { max_chunks, candidates } = toolSchema(McpRecallRequest)['properties'] as Record<string, object>;
    for (const { name, inputSchema } of tools) {
      const schema = expected.find((it) => it.name === name)?.input_schema;
      const properties = {
        ...(schema?.['properties'] as object),
        ...(name === RECALL_TOOL && { max_chunks, candidates }),
      };
      expect(inputSchema).toEqual({ ...schema, properties });
    }
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
    const wrong = { colour: 'red', limit: 'x', subject_kind: 3 };
    const target = path.replace(/\{\w+\}/g, 'nobody');
    const query = method === 'get' ? `?${new URLSearchParams({ ...wrong, subject_kind: '3' }).toString()}` : '';
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
      expect(await toldByCurated('read_capsule', asked)).toEqual({ isError: false, value: answer });
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

describe('the example of every operation', () => {
  test.each(ids)('%s has one that its outline takes', async (id) => {
    const { tools } = await curated.listTools();
    const { inputSchema } = tools.find(({ name }) => name === toolName(id)) ?? {};
    const { body = {} } = EXAMPLES[id] as { body?: object };
    const required = inputSchema?.required ?? [];
    expect(required.filter((it) => !(it in body))).toEqual([]);
  });
});
