import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusOf } from '../support/corpus.ts';
import { tempFolder } from '../support/folder.ts';

/** The corpus as tests find it, and what they say of it. */
function found(part: string, named: string | undefined) {
  const said: string[] = [];
  const { path, isThere } = corpusOf(part, { VADE_CORPUS: named }, (line) => said.push(line));
  return { path, isThere, warnings: said.length };
}

describe('the corpus of real documents', () => {
  test('is the folder that VADE_CORPUS names', () => {
    const corpus = tempFolder();
    mkdirSync(join(corpus, 'companies'));
    expect(found('companies', corpus)).toEqual({ path: join(corpus, 'companies'), isThere: true, warnings: 0 });
  });

  test('must be there if VADE_CORPUS names one: its tests fail rather than be skipped', () => {
    expect(() => found('companies', tempFolder())).toThrow('VADE_CORPUS');
  });

  test('may be missing if nothing names one: its tests are skipped with a warning', () => {
    for (const nothing of [undefined, '']) {
      expect(found('no-such-part', nothing)).toMatchObject({ isThere: false, warnings: 1 });
    }
  });
});
