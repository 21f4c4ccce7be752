import { describe, expect, test } from 'vitest';
import { Agent } from '../../compiler/schema/source/agent.ts';
import { ProbeSet } from '../../compiler/schema/source/probe.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';

const told = (text: string) => decodeYaml(Delivery, text, 'unit.md').faults;

/** The line of a text, replaced by the one that a help proposes, with the indentation it had. */
function asProposed(text: string, { line, help }: { readonly line: number; readonly help: string }): string {
  const proposed = help.replace(/^quote it: /, '');
  return text
    .split('\n')
    .map((it, at) => (at + 1 === line ? `${/^ */.exec(it)?.[0] ?? ''}${proposed}` : it))
    .join('\n');
}

describe('YAML with an unquoted value', () => {
  test.each([
    ['a description with a colon', 'description: Go or no-go: when to roll back'],
    ['a description with two colons', 'description: Note: read this: now'],
    ['a description that ends with a colon', 'description: The three rules are:'],
    ['a description that holds quotes', 'description: Say "stop": then wait'],
    ['a description that holds a backslash', 'description: The path C:\\temp: never'],
    ['a description that begins with an at sign', 'description: @everyone may read this'],
    ['a description that begins with a backtick', 'description: `rm` is not allowed'],
    ['an intent with two colons', 'description: x\nload_triggers:\n  intents:\n    - decide: ship: now'],
  ])('an unquoted value (%s) is one diagnostic, and its proposed line parses', (_name, text) => {
    const faults = told(text);
    expect(faults).toMatchObject([{ rule: 'yaml_invalid', line: text.split('\n').length }]);
    expect(told(asProposed(text, faults[0]!))).toEqual([]);
  });

  test('the proposed line quotes the intent of a probe', () => {
    const text = 'probes:\n  - intent: go or no-go: now\n    required: [limits]';
    const [fault] = decodeYaml(ProbeSet, text, 'cto.yaml').faults;
    expect(decodeYaml(ProbeSet, asProposed(text, fault!), 'cto.yaml')).toMatchObject({
      value: { probes: [{ intent: 'go or no-go: now' }] },
    });
  });

  test('each broken YAML line has its own diagnostic', () => {
    const text = 'description: a: b\nload_triggers:\n  intents:\n    - c: d: e\n';
    expect(told(text).map(({ line, column }) => [line, column])).toEqual([
      [1, 14],
      [4, 7],
    ]);
  });

  test('an intent that YAML reads as key and value must be quoted', () => {
    const text = 'description: x\nload_triggers:\n  intents:\n    - decide: ship the release\n';
    expect(told(text)).toMatchObject([
      { rule: 'value_invalid', line: 4, help: 'quote it: "decide: ship the release"' },
    ]);
  });

  test.each([
    ['2024', '"2024"'],
    ['true', '"true"'],
  ])('a keyword %s that YAML does not read as text must be quoted', (written, quoted) => {
    expect(told(`description: x\nload_triggers: {keywords: [${written}]}\n`)).toMatchObject([
      { rule: 'value_invalid', help: `quote it: ${quoted}` },
    ]);
  });

  test('a line of more than 200 characters is not repeated in the message', () => {
    const [fault] = told(`description: ${'long: '.repeat(60)}end`);
    expect(fault?.help.length).toBeLessThan(100);
  });

  test.each([
    ['a tab as indentation', 'description: x\nload_triggers:\n\tintents: []'],
    ['a key that comes twice', 'description: x\ndescription: y'],
    ['a quote that is not closed', 'description: "x\nlisted: true'],
    ['a value that is quoted well', 'description: "a: b" c'],
  ])('%s is not reported as an unquoted value', (_name, text) => {
    const faults = told(text);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter(({ help }) => help.startsWith('quote it'))).toEqual([]);
  });
});

describe('a value beyond a limit', () => {
  test('the diagnostic of a long description has its length and the limit', () => {
    const [fault] = told(`description: ${'x'.repeat(133)}`);
    expect(fault).toMatchObject({ rule: 'description_too_long', help: 'shorten it by 13' });
    expect(fault?.message).toMatch(/\b133\b.*\b120\b/);
  });

  test('blanks around a text do not count for its length', () => {
    const [fault] = told(`description: "  ${'x'.repeat(121)}  "`);
    expect(fault?.message).toMatch(/\b121\b.*\b120\b/);
  });

  test('the diagnostic of a long list has its number of entries and the limit', () => {
    const intents = Array.from({ length: 40 }, (_, at) => `intent ${at}`);
    const [fault] = told(`description: x\nload_triggers: ${JSON.stringify({ intents })}`);
    expect(fault).toMatchObject({ rule: 'value_invalid', help: 'remove 8' });
    expect(fault?.message).toMatch(/\b40\b.*\b32\b/);
  });

  test('the diagnostic of a long list entry has the length of the entry', () => {
    const [fault] = told(`description: x\nload_triggers: ${JSON.stringify({ keywords: ['short', 'y'.repeat(230)] })}`);
    expect(fault?.message).toMatch(/^load_triggers\.keywords\.1: .*\b230\b.*\b200\b/);
  });

  test('an empty text and a missing key have different messages', () => {
    const empty = decodeYaml(Agent, 'agent_id: 7d6c8b8e-50a5-4b6e-9d2c-3f1a2b4c5d6e\nrole: ""\n', 'agent.yaml').faults;
    expect(empty.map(({ message }) => message)).toEqual(['role: is empty', 'heartbeat_contract: is missing']);
  });

  test('the diagnostic of a probe without required units has the number and the minimum', () => {
    const [fault] = decodeYaml(ProbeSet, 'probes: [{intent: x, required: []}]', 'cto.yaml').faults;
    expect(fault?.message).toMatch(/\b0\b.*\b1\b/);
  });
});
