import { describe, expect, test } from 'vitest';
import { MAX_PHRASE_LENGTH, MAX_PHRASES, PhraseSet } from '../../../compiler/schema/source/phrases.ts';
import { decodeYaml } from '../../../compiler/sources/yaml.ts';

const DIGEST = 'a'.repeat(64);
const decoded = (text: string) => decodeYaml(PhraseSet, text, 'phrases/cto.yaml');
const faults = (text: string) => decoded(text).faults.map((it) => `${it.line}:${it.column} ${it.rule}`);
const head = 'by: some agent\nunits:\n';
const list = (phrases: readonly string[]) => `${head}  refunds:\n    phrases: ${JSON.stringify(phrases)}\n`;

describe('a phrase file', () => {
  test('a phrase file names its writer, and gives units phrases and the digest of their text', () => {
    const text = `${head}  refunds:\n    digest: ${DIGEST}\n    phrases:\n      - " they want it back "\n  wrap-up:\n    phrases: []\n`;
    expect(decoded(text).value).toEqual({
      by: 'some agent',
      units: { refunds: { digest: DIGEST, phrases: ['they want it back'] }, 'wrap-up': { phrases: [] } },
    });
  });

  test.each([
    ['nobody wrote it', 'units: {}\n', '1:1 value_invalid'],
    ['its writer is empty', 'by: " "\nunits: {}\n', '1:1 value_invalid'],
    ['a key of the file is unknown', 'by: x\nunits: {}\npath: ../org.yaml\n', '3:1 key_unknown'],
    ['a unit has no name', `${head}  ../cto:\n    phrases: []\n`, '3:3 value_invalid'],
    ['a key of a unit is unknown', `${head}  refunds:\n    phrase: []\n    phrases: []\n`, '4:5 key_unknown'],
    ['a digest is none', `${head}  refunds:\n    digest: abc\n    phrases: []\n`, '4:5 value_invalid'],
    ['a phrase is empty', list(['money back', ' ']), '4:28 value_invalid'],
    ['a phrase has two lines', list(['money\nback']), '4:15 value_invalid'],
    ['a phrase is too long', list(['x'.repeat(MAX_PHRASE_LENGTH + 1)]), '4:15 value_invalid'],
    ['a unit has too many phrases', list(Array<string>(MAX_PHRASES + 1).fill('x')), '4:5 value_invalid'],
  ])('a phrase file is refused at the place where %s', (_, text, place) => {
    expect(faults(text)).toEqual([place]);
  });

  test('a phrase file says which key of a unit was meant', () => {
    expect(decoded(`${head}  refunds:\n    phrase: []\n    phrases: []\n`).faults[0]?.help).toContain('phrases');
  });

  test('a unit that is called as a member of every object is none', () => {
    const { value } = decoded(`${head}  __proto__:\n    phrases: [polluted]\n`);
    expect(Object.keys(value?.units ?? {})).toEqual([]);
    expect(({} as Record<string, unknown>)['phrases']).toBeUndefined();
  });

  test('a phrase of the greatest length, and as many as are allowed, are read', () => {
    const phrases = Array<string>(MAX_PHRASES).fill('x'.repeat(MAX_PHRASE_LENGTH));
    expect(decoded(list(phrases)).value?.units['refunds']?.phrases).toEqual(phrases);
  });
});
