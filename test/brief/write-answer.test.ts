import { describe, expect, test } from 'vitest';
import { writePhrases, writeProbes, type Phrased } from '../../compiler/brief/write-answer.ts';
import type { Probe } from '../../compiler/schema/source/probe.ts';

const DIGEST = 'a'.repeat(64);
const OLD = 'b'.repeat(64);
const phrased = (units: Record<string, string[]>) =>
  new Map(Object.entries(units).map(([unit, phrases]): [string, Phrased] => [unit, { digest: DIGEST, phrases }]));
const probe = (intent: string, unit = 'limits'): Probe => ({ intent, required: [unit], forbidden: [] });
const why = expect.any(String) as string;

describe('phrases of an answer in their file', () => {
  test('a new file has who wrote them, and each unit with the digest of its text', () => {
    expect(writePhrases(null, 'a model', phrased({ limits: ['may I: or not', '- yes'], null: ['123'] }))).toEqual({
      text: `by: a model
units:
  limits:
    digest: ${DIGEST}
    phrases:
      - "may I: or not"
      - "- yes"
  "null":
    digest: ${DIGEST}
    phrases:
      - "123"
`,
    });
  });

  test('phrases of other units stay as they are, with comments, and so does who wrote them', () => {
    const before = `# by hand\nby: Ann\nunits:\n  # ask Bo\n  refunds:\n    phrases: [money back] # plain\n  limits:\n    digest: ${OLD}\n    phrases:\n      - old\n`;
    expect(writePhrases(before, 'a model', phrased({ limits: ['new'] }))).toEqual({
      text: `# by hand\nby: Ann, a model\nunits:\n  # ask Bo\n  refunds:\n    phrases: [money back] # plain\n  limits:\n    digest: ${DIGEST}\n    phrases:\n      - new\n`,
    });
  });

  test.each([
    ['all phrases are replaced', `by: Ann\nunits:\n  limits:\n    phrases: [x]\n`, 'a model'],
    ['the writer is named already', `by: Bo, a model\nunits:\n  refunds:\n    phrases: [x]\n`, 'Bo, a model'],
    ['a line cannot hold both', `by: ${'x'.repeat(75)}\nunits:\n  refunds:\n    phrases: [x]\n`, 'a model'],
  ])('a file names the last writer alone, or those that it named, where %s', (_, before, by) => {
    expect(writePhrases(before, 'a model', phrased({ limits: ['new'] }))).toMatchObject({
      text: expect.stringMatching(new RegExp(`^by: ${by}\n`)) as string,
    });
  });

  test.each([
    ['its phrases are an anchor of others', 'by: x\nunits:\n  limits: &a\n    phrases: [x]\n  refunds: *a\n'],
    ['a name is written as a number', 'by: x\nunits:\n  123:\n    phrases: [x]\n', '123'],
    ['it is no phrase file', 'by: x\nunits: []\n'],
    ['it is broken', 'by: [\n'],
  ])('a file is not changed where %s', (_, before, unit = 'limits') => {
    expect(writePhrases(before, 'a model', phrased({ [unit]: ['new'] }))).toEqual({ why });
  });
});

describe('probes of an answer in their file', () => {
  test('new probes come last, and all other lines stay', () => {
    const before = '# real\nprobes:\n  - intent: "old" # kept\n    required: [limits]\n    forbidden: [wrap-up]\n';
    expect(writeProbes(before, [probe('may I: or not'), probe('done')])).toEqual({
      text: `${before}  - intent: "may I: or not"\n    required: [limits]\n  - intent: done\n    required: [limits]\n`,
    });
  });

  test.each([null, 'probes: []\n'])('the first probes are written one below the other: %j', (before) => {
    expect(writeProbes(before, [probe('may I')])).toEqual({
      text: 'probes:\n  - intent: may I\n    required: [limits]\n',
    });
  });

  test('a file takes no more probes than may be read', () => {
    const many = Array.from({ length: 10_001 }, (_, i) => probe(`may I ${i}`));
    expect(writeProbes(null, many.slice(1))).toHaveProperty('text');
    expect(writeProbes(null, many)).toEqual({ why: expect.stringContaining('10001') as string });
  });

  test.each(['probes: &a []\nmore: *a\n', 'probes: {}\n', '[]\n'])(
    'a file that is no list of probes is not changed: %j',
    (before) => {
      expect(writeProbes(before, [probe('may I')])).toEqual({ why });
    },
  );
});
