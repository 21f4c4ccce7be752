import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appendYaml, editYaml } from '../../compiler/sources/edit-yaml.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';

describe('an edit of YAML', () => {
  test('items come to the end of a list, and every other line stays', () => {
    const before = '# first\nlist:\n- {a: b} # kept\nmore: 1\n';
    expect(appendYaml(before, 'list', [{ a: 'c: d', of: ['x', 'y'] }])).toBe(
      '# first\nlist:\n- {a: b} # kept\n- a: "c: d"\n  of: [x, y]\nmore: 1\n',
    );
  });

  test.each(['list: 1\n', 'list: {}\n', 'other: []\n', 'list: [\n', '- list\n'])(
    '%j has no list to append to',
    (text) => {
      expect(appendYaml(text, 'list', [{ a: 'b' }])).toBeNull();
    },
  );

  test('an edit that would write one key twice is not made', () => {
    expect(editYaml('units:\n  1: x\n', [{ path: ['units', '1'], value: 'y' }])).toBeNull();
    expect(editYaml('units:\n  "1": x\n', [{ path: ['units', '1'], value: 'y' }])).toBe('units:\n  "1": y\n');
  });
});

describe('a decoded YAML text', () => {
  const Any = z.looseObject({ units: z.record(z.string(), z.number()).optional() });

  test.each([
    ['__proto__: 1\n', 1, 1],
    ['units:\n  ? "__proto__"\n  : 1\n', 2, 5],
    ['{"units": {"\\u005f_proto__": 1}}', 1, 12],
  ])('the one key that schemas leave out without a word is a fault: %j', (text, line, column) => {
    const { value, faults } = decodeYaml(Any, text, 'a.yaml');
    expect([value, faults.map((it) => [it.rule, it.line, it.column])]).toEqual([null, [['key_unknown', line, column]]]);
  });
});
