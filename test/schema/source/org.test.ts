import { describe, expect, test } from 'vitest';
import { MODEL_FILES, ModelChoice, ModelPin, Org } from '../../../compiler/schema/source/org.ts';
import { decodeYaml } from '../../../compiler/sources/yaml.ts';

const DIGEST = 'a'.repeat(64);
const REVISION = '0123456789abcdef0123456789abcdef01234567';
const files = Object.fromEntries(MODEL_FILES.map((it) => [it, DIGEST]));
const hub = { name: 'Xenova/all-MiniLM-L6-v2', revision: REVISION, files };
const accepts = (choice: object) => ModelChoice.safeParse(choice).success;
const org = (model: string) => decodeYaml(Org, `deployment: acme\ncompiler: 0.1.0\n${model}`, 'org.yaml');
const faults = (model: string) => org(model).faults.map((it) => `${it.line}:${it.column} ${it.rule}`);

describe('the model of org.yaml', () => {
  test('is a word, a folder or a pinned model of the hub', () => {
    for (const word of ['builtin', 'none']) expect(org(`model: ${word}`).value?.model).toBe(word);
    expect(org('model: { name: tiny, pooling: cls }').value?.model).toEqual({
      name: 'tiny',
      pooling: 'cls',
      query_prefix: '',
      passage_prefix: '',
    });
    expect(org('').value?.model).toBe('builtin');
    expect(org(`model: ${JSON.stringify(hub)}`).value?.model).toMatchObject(hub);
  });

  test.each([
    ['another word', 'model: some\n', '3:1 value_invalid'],
    ['a number', 'model: 3\n', '3:1 value_invalid'],
    ['nothing', 'model:\n', '3:1 value_invalid'],
    ['a misspelt key', 'model:\n  name: tiny\n  poolling: cls\n', '5:3 key_unknown'],
    ['an unknown pooling', 'model:\n  name: tiny\n  pooling: max\n', '5:3 value_invalid'],
    ['a branch', `model:\n  name: tiny\n  files: ${JSON.stringify(files)}\n  revision: main\n`, '6:3 value_invalid'],
    ['a revision without files', `model:\n  name: tiny\n  revision: "${REVISION}"\n`, '5:3 value_invalid'],
    ['files without a revision', `model:\n  name: tiny\n  files: ${JSON.stringify(files)}\n`, '5:3 value_invalid'],
    ['no name', 'model:\n  pooling: cls\n', '3:1 value_invalid'],
    ['a word as a name', 'model:\n  name: builtin\n', '4:3 value_invalid'],
  ])('is told at its place when it is %s', (_, model, place) => {
    expect(faults(model)).toEqual([place]);
  });

  test('says which key was meant', () => {
    expect(org('model: { name: tiny, poolling: cls }').faults[0]?.help).toContain('pooling');
  });

  test.each(['main', 'v1.0', REVISION.slice(1), REVISION.toUpperCase(), `${REVISION}\n`, '', '../main'])(
    'is pinned to a commit, never to %j',
    (revision) => {
      expect(accepts({ ...hub, revision })).toBe(false);
    },
  );

  test('names exactly the files that are read, each by its sha256', () => {
    expect(accepts(hub)).toBe(true);
    for (const file of MODEL_FILES) {
      const { [file]: _, ...fewer } = files;
      expect(accepts({ ...hub, files: fewer })).toBe(false);
      expect(accepts({ ...hub, files: { ...files, [file]: DIGEST.toUpperCase() } })).toBe(false);
    }
    for (const path of ['../config.json', 'onnx/model.onnx', '/etc/passwd', '__proto__x']) {
      expect(accepts({ ...hub, files: { ...files, [path]: DIGEST } })).toBe(false);
    }
  });

  test.each(['../tiny', '/tiny', 'a/b/c', 'a/..', '..', '.hidden', 'a\\b', 'a b', '', 'a?b', 'a%2e'])(
    'has no name that leads elsewhere: %j',
    (name) => {
      expect(accepts({ name })).toBe(false);
    },
  );

  test('is pinned by a bundle as it was chosen, and the built-in one by its word', () => {
    const found = { digest: DIGEST, tokenizer_digest: DIGEST, dims: 256, runtime: 'x' };
    expect(ModelPin.parse({ ...hub, ...found })).toMatchObject(hub);
    expect(ModelPin.parse({ name: 'builtin', ...found }).name).toBe('builtin');
  });
});
