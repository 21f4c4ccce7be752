import { describe, expect, test } from 'vitest';
import { BoundedJson, JsonKey, recordOf } from '../../../compiler/continuity/schema/json.ts';
import { ScheduleMetadata } from '../../../compiler/continuity/schema/schedule/item.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';

const Metadata = recordOf(JsonKey, BoundedJson);
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

const pathsOf = (json: string) =>
  Metadata.safeParse(JSON.parse(json)).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('a JSON object of the caller', () => {
  test.each([
    ['{"n":1e400}', ['n']],
    ['{"deep":{"list":[0,-1e999]}}', ['deep.list.1']],
    ['{"\\ud800":1}', ['\ufffd']],
    ['{"a":{"\\ud800":1}}', ['a.\ufffd']],
    ['{"a":"\\udc00"}', ['a']],
    ['{"a":1e400,"b":"\\ud800"}', ['a', 'b']],
  ])('%s is refused with the place of each fault', (json, paths) => {
    expect(pathsOf(json)).toEqual(paths);
  });

  test('a long key is shown by its beginning where its value is refused', () => {
    expect(pathsOf(`{"a":{"${'k'.repeat(65)}":1e400}}`)).toEqual([`a.${'k'.repeat(64)}`]);
  });

  test('that is too deep is refused, however deep', () => {
    const open = '{"a":'.repeat(5000);
    expect(pathsOf(`${open}1${'}'.repeat(5000)}`)).toHaveLength(1);
    expect(Metadata.safeParse({ a: nested(8) }).success).toBe(true);
    expect(Metadata.safeParse({ a: nested(9) }).success).toBe(false);
  });

  test.each([Metadata, ScheduleMetadata])('keeps the key __proto__ as every other', (schema) => {
    const sent: unknown = JSON.parse('{"__proto__":"kept","a":1}');
    expect(canonicalJson(schema.parse(sent))).toBe('{"__proto__":"kept","a":1}');
  });

  test.each(['1e400', '{}', '[1]', '"\\ud800"'])('a member %s of a schedule is refused', (member) => {
    expect(ScheduleMetadata.safeParse(JSON.parse(`{"a":${member}}`)).success).toBe(false);
  });

  test('that passes can always be written', () => {
    for (const json of ['{"a":-0}', '{"1":2,"b":[null,true]}', '{"a":1.7976931348623157e308}', '{"":""}'])
      expect(() => canonicalJson(Metadata.parse(JSON.parse(json)))).not.toThrow();
  });
});
