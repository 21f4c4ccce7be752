import { describe, expect, test } from 'vitest';
import type { HubModel } from '../../compiler/schema/source/org.ts';
import { editModel } from '../../compiler/sources/edit-model.ts';

const HEAD = '# ours\ndeployment: acme\ncompiler: 0.1.0 # exact\n';
const TAIL = '# the gate\nprobes: { least_coverage: 0.5 }\nwake_reasons: [manual]\n';
const model: HubModel = {
  name: 'Acme/tiny',
  revision: '0123456789abcdef0123456789abcdef01234567',
  files: {
    'config.json': 'a'.repeat(64),
    'tokenizer.json': 'b'.repeat(64),
    'tokenizer_config.json': 'c'.repeat(64),
    'onnx/model_quantized.onnx': 'd'.repeat(64),
  },
};

describe('naming a model in org.yaml', () => {
  test.each([
    ['no model', ''],
    ['a word', 'model: builtin # the table\n'],
    ['a model in flow style', 'model: { name: Acme/old }\n'],
    ['a model in block style', 'model:\n  # ours\n  name: Acme/old\n  pooling: cls\n'],
    ['nothing', 'model:\n'],
  ])('%s is replaced, and every other line stays as it is', (_, before) => {
    const text = editModel(`${HEAD}${before}${TAIL}`, model, { mode: 'with_builtin' }) ?? '';
    const [first, second] = before === '' ? [HEAD + TAIL, ''] : [HEAD, TAIL];
    expect(text.startsWith(first)).toBe(true);
    expect(text.endsWith(second)).toBe(true);
    expect(text).toContain('mode: with_builtin');
    expect(editModel(text, model, {})).toBe(text);
  });

  test('comments inside of the model stay, and settings of another model go', () => {
    const text = editModel(`${HEAD}model:\n  # ours\n  name: Acme/old\n  pooling: cls\n${TAIL}`, model, {});
    expect(text).toContain('  # ours\n  name: Acme/tiny\n');
    expect(text).not.toContain('cls');
  });

  test('the last line needs no line break', () => {
    expect(editModel('deployment: acme\ncompiler: 0.1.0', model, {})).toContain('compiler: 0.1.0\nmodel:\n');
  });

  test.each([
    ['broken YAML', 'deployment: [acme\n'],
    ['a list', '- acme\n'],
    ['flow style', '{ deployment: acme, compiler: 0.1.0 }\n'],
    ['an alias', `deployment: acme\ncompiler: 0.1.0\nx: &m { name: a }\nmodel: *m\n`],
    ['an anchor that is used elsewhere', 'deployment: acme\ncompiler: 0.1.0\nmodel: &m { name: a }\nx: *m\n'],
    ['keys that org.yaml does not have', `${HEAD}colour: red\n`],
    ['an end of the document', `${HEAD}...\n`],
  ])('%s is not edited', (_, text) => {
    expect(editModel(text, model, {})).toBe(null);
  });
});
