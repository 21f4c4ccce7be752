import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../../server/http/openapi.ts';
import { OPERATIONS } from '../../../../server/http/operations.ts';
import type { Contract, Operation } from '../../../../server/operations/operation.ts';
import { STORE_OPERATIONS } from '../../../../server/operations/tables/store-operations.ts';
import { endpointMap, rawInputOf, toolCatalog } from '../../../../server/operations/tables/tool-catalog.ts';

const { tools } = toolCatalog(OPERATIONS);
const operations = Object.entries<Contract>(OPERATIONS);

describe('GET /v1/discovery/tools returns full JSON schemas for every endpoint', () => {
  test('every operation of the table is there once, under a name that MCP allows', () => {
    expect(tools.map((it) => it.operation)).toEqual(Object.keys(OPERATIONS));
    expect(new Set(tools.map((it) => it.name)).size).toBe(tools.length);
    for (const { name } of tools) expect(name).toMatch(/^[a-z][a-z_]{0,63}$/);
  });

  test.each(operations)('the members of %s have one meaning each, in path, query and body', (id, operation) => {
    const { input_schema } = tools.find((it) => it.operation === id) ?? {};
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const { query = {}, body = {} } = EXAMPLES[id as keyof typeof EXAMPLES] as { query?: object; body?: object };
    const members = [...inPath, ...Object.keys(operation.query?.shape ?? {}), ...Object.keys(body)];
    expect(new Set(members).size).toBe(members.length);
    expect(input_schema?.['type']).toBe('object');
    const known = Object.keys(input_schema?.['properties'] as object);
    expect([...members, ...Object.keys(query)].filter((it) => !known.includes(it))).toEqual([]);
  });

  test.each(operations)('what one object says of %s is its request', (id, operation) => {
    const { query = {}, body } = EXAMPLES[id as keyof typeof EXAMPLES] as { query?: object; body?: object };
    const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']));
    expect(rawInputOf(operation, { ...path, ...query, ...body })).toEqual({
      path,
      query,
      body: operation.body && (body ?? {}),
    });
  });

  test('GET /v1/manifest has the same operations, without schemas', () => {
    const { endpoints, keeps_capsules } = endpointMap(OPERATIONS, true);
    expect(endpoints).toEqual(tools.map(({ input_schema: _, output_schema: __, ...it }) => it));
    expect(keeps_capsules).toBe(true);
  });
});

describe('the operations on a store', () => {
  test('are all that need a scope of continuity and are an agent’s', () => {
    const found = operations.filter(([, it]) => it.access === 'agents' && scopeOf(it).startsWith('continuity:'));
    expect(found.map(([id]) => id).sort()).toEqual(Object.keys(STORE_OPERATIONS).sort());
  });

  const scopeOf = (it: Contract) => (it as Partial<Operation>).needs?.scope ?? '';
});
