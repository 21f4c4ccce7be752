import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Example } from '../../../server/http/examples/example.ts';
import { AGENT, WRAP_UP } from '../../../server/http/examples/sample.ts';
import { EXAMPLES } from '../../../server/http/operation-examples.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { Contract } from '../../../server/operations/operation.ts';
import { OPENAPI } from '../contract.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

interface Shown {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly example?: unknown }> }>>;
}

const examples: Readonly<Record<string, Example>> = EXAMPLES;
const operations = Object.entries<Contract>(OPERATIONS).map(([id, it]) => [id, it, examples[id]!] as const);
const shown = ({ path, method }: Contract) => OPENAPI.paths[path]![method]! as unknown as Shown;

/** What a schema refuses of a value. */
const faultsOf = (schema: z.ZodType | undefined, value: unknown) =>
  schema?.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

describe('every operation of /openapi.json has an example', () => {
  test.each(operations)('%s shows a value for each parameter, its body and its answer', (_, operation, example) => {
    const { parameters, requestBody, responses } = shown(operation);
    expect(parameters.filter((it) => it.example === undefined).map((it) => it.name)).toEqual([]);
    expect(requestBody?.content['application/json']?.example).toEqual(example.body);
    const content = Object.entries(responses[`${operation.success.status}`]?.content ?? {});
    expect(content.map(([type, it]) => [type, it.example])).toEqual(
      example.answer === null ? [] : [[operation.success.type, example.answer]],
    );
  });

  test.each(operations)('the schemas of %s accept its example', (_, { query, headers, body, success }, example) => {
    expect(faultsOf(query?.strict(), example.query)).toEqual([]);
    expect(faultsOf(headers, example.headers)).toEqual([]);
    expect(faultsOf(body, example.body)).toEqual([]);
    expect(body === undefined).toBe(example.body === undefined);
    if (success.schema) expect(faultsOf(success.schema, example.answer)).toEqual([]);
    else expect(typeof (example.answer ?? '')).toBe('string');
    expect(example.answer === null).toBe(success.type === undefined);
  });
});

describe('a real server takes every example', () => {
  let server: Running;

  beforeAll(async () => {
    server = await running(await compiledPeers());
  });

  /** The same request of an agent that this server has. */
  const here = (text: string) => text.replaceAll(`/agent/${AGENT}/`, '/agent/cto/').replaceAll(AGENT, 'cto');

  test.each(operations)('%s is not refused as invalid with its example', async (_, operation, example) => {
    const path = shown(operation)
      .parameters.filter((it) => it.in === 'path')
      .reduce((all, it) => all.replace(`{${it.name}}`, encodeURIComponent(String(it.example))), operation.path);
    const query = new URLSearchParams({ ...example.query } as Record<string, string>).toString();
    const who = operation.access === 'agents' ? 'cto' : 'admin';
    const answer = await server.ask(who, operation.method.toUpperCase(), here(`${path}?${query}`), {
      ...(example.body !== undefined && { json: example.body }),
      headers: { ...example.headers } as Record<string, string>,
    });
    expect(answer.code ?? 'done').not.toMatch(/^(request_invalid|intent_required|route_not_found|internal)$/);
  });

  test('the example of a closing closes a recall, once it has the token of the answer', async () => {
    const { audit_token } = (await server.recall('cto', 'cto', EXAMPLES.recallInstruction.body)).json();
    const json = { ...EXAMPLES.closeRecall.body, audit_token };
    expect((await server.ask('cto', 'POST', '/v1/instruction/audit', { json })).status).toBe(204);
  });

  test.each([
    ['getBootStub', 200],
    ['recallInstruction', 200],
    ['heartbeat', 403],
    ['closeRecall', 400],
    ['publishManifest', 405],
    ['getFact', 200],
    ['tryRecall', 200],
  ] as const)('%s with its example ends with %i, for the reason that a real request would', async (id, status) => {
    const { path, method, access } = OPERATIONS[id] as Contract;
    const named = here(path.replace('{agent_id}', AGENT).replace('{fact_uri}', encodeURIComponent(WRAP_UP.uri)));
    const { body } = examples[id]!;
    const answer = await server.ask(access === 'agents' ? 'cto' : 'admin', method.toUpperCase(), named, {
      ...(body !== undefined && { json: body }),
    });
    expect([answer.code, answer.status]).toEqual([
      { heartbeat: 'wake_reason_unverified', closeRecall: 'audit_token_invalid', publishManifest: 'publish_disabled' }[
        id as string
      ],
      status,
    ]);
  });
});
