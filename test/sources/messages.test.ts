import { describe, expect, test } from 'vitest';
import { z } from 'zod';
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

  test.each([
    ['a description', 'description: Post a release note in the #deployments channel'],
    ['a description over two lines', 'description: Post a release note\n  in the #deployments channel'],
    ['a trigger', 'description: x\nload_triggers:\n  intents:\n    - close issue #42 as a duplicate'],
    ['a keyword of one word', 'description: x\nload_triggers:\n  keywords:\n    - post #deployments'],
  ])('a sentence that YAML would cut at “ #” (%s) is an error that shows both halves', (_name, text) => {
    const faults = told(text);
    expect(faults).toMatchObject([
      { rule: 'yaml_invalid', message: expect.stringMatching(/“.+” ends.+“#\w+/s) as string },
    ]);
  });

  test('the proposed line of a sentence that YAML would cut is the whole sentence', () => {
    const text = 'description: x\nload_triggers:\n  intents:\n    - close issue #42 as a duplicate';
    const { value } = decodeYaml(Delivery, asProposed(text, told(text)[0]!), 'unit.md');
    expect(value?.load_triggers.intents).toEqual(['close issue #42 as a duplicate']);
  });

  test.each([
    '007',
    '1.10',
    '0x80070005',
    '1e3',
    '08',
    '+49',
    '0o17',
    '.inf',
    'True',
    '~',
    'null',
    'Article: 007',
    '1.10: x',
  ])('an unquoted %s is quoted as its author wrote it, wherever a text belongs', (written) => {
    const list = `description: x\nload_triggers:\n  keywords: [a, ${written} , b] # as said`;
    const block = `description: x\nload_triggers:\n  intents:\n    - ${written}`;
    for (const text of [list, block, ...(written.includes(':') ? [] : [`description: ${written}`])]) {
      expect(told(text).map((it) => it.help)).toContain(`quote it: "${written}"`);
      expect(told(text.replace(written, `"${written}"`)).map((it) => it.help)).not.toContain(`quote it: "${written}"`);
    }
  });

  test('a probe is quoted as its author wrote it, and for an alias no other text is proposed', () => {
    const probe = decodeYaml(ProbeSet, 'probes:\n  - intent: 1.10\n    required: [007]', 'cto.yaml').faults;
    expect(probe.map((it) => it.help)).toEqual(['quote it: "1.10"', 'quote it: "007"']);
    const alias = told('description: x\nload_triggers:\n  keywords: [&a 007, *a]');
    expect(alias.map((it) => /"007"$|…/.test(it.help))).toEqual([true, true]);
  });

  test('the intent of a probe and the sentences of an answer are not cut either', () => {
    const probe = 'probes:\n  - intent: tell #deployments that the release is out\n    required: [announce]';
    expect(decodeYaml(ProbeSet, probe, 'cto.yaml').faults).toMatchObject([
      { rule: 'yaml_invalid', line: 2, column: 13 },
    ]);
    const answer = 'brief: x\nunits:\n  announce:\n    - tell #deployments now';
    expect(decodeYaml(z.looseObject({}), answer, 'answer.yaml').faults).toMatchObject([
      { rule: 'yaml_invalid', line: 4 },
    ]);
  });

  test('a comment behind a value that is no sentence, or that is quoted, is a comment', () => {
    const text = 'description: "Post in #deployments" # ours\nrelated: [a, b] # both\nlisted: true # for now';
    expect(told(text)).toEqual([]);
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

describe('a time that is not in UTC', () => {
  test.each([
    ['2027-03-28T02:30:00+01:00', '2027-03-28T01:30:00Z'],
    ['2027-03-01', '2027-03-01T00:00:00Z'],
  ])('%s is told with the same time in UTC, which parses', (written, proposed) => {
    const [fault] = told(`description: x\nvalid_until: ${written}`);
    expect(fault).toMatchObject({ rule: 'value_invalid', line: 2, help: expect.stringContaining(proposed) as string });
    expect(told(`description: x\nvalid_until: ${proposed}`)).toEqual([]);
  });

  test('what is no time is told with an example', () => {
    expect(told('description: x\nvalid_until: next year')).toMatchObject([
      { help: expect.stringContaining('Z') as string },
    ]);
  });
});
