import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { EXAMPLES, type Example } from '../../../server/http/openapi.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { Contract } from '../../../server/operations/operation.ts';
import { OPENAPI } from '../contract.ts';
import { recordExamples } from './example-calls.ts';

interface Shown {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly example?: unknown }> }>>;
}

const FILE = 'server/http/examples.json';
/** A run that writes the examples: the ones that the server has read are of before. */
const isUpdate = process.env['VADE_UPDATE_GOLDEN'] === '1';
const examples: Readonly<Record<string, Example>> = EXAMPLES;
const operations = Object.entries<Contract>(OPERATIONS).map(([id, it]) => [id, it, examples[id]!] as const);
const shown = ({ path, method }: Contract) => OPENAPI.paths[path]![method]! as unknown as Shown;

/** Faults that a schema finds in a value. */
const faultsOf = (schema: z.ZodType | undefined, value: unknown) =>
  schema?.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

describe.skipIf(isUpdate)('every operation of /openapi.json has an example', () => {
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

describe('a real server answers every example as /openapi.json shows it', () => {
  let now: Readonly<Record<string, unknown>>;

  // VADE_UPDATE_GOLDEN=1 writes the file again, for an intended change
  beforeAll(async () => {
    now = await recordExamples();
    if (isUpdate) writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
  });

  test.each(Object.keys(OPERATIONS))('%s is called and answers as it was recorded', (id) => {
    const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, unknown>>;
    expect(now[id]).toEqual(recorded[id] ?? 'nothing was recorded');
  });
});
