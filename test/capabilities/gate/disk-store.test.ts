import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendLog, diskStore } from '../../../compiler/capabilities/gate/disk-store.ts';
import { tempFolder } from '../../support/folder.ts';

describe('the log of advisory findings', () => {
  const grown = (bytes: number) => {
    const folder = tempFolder();
    const log = join(folder, 'advisory.log');
    writeFileSync(log, 'x'.repeat(bytes));
    appendLog(folder, ['one', 'two']);
    return { text: readFileSync(log, 'utf8'), folder };
  };
  const MOST = 1024 * 1024;

  test('has each finding on a line, behind the earlier ones, up to a mebibyte', () => {
    expect(grown(1).text).toBe('xone\ntwo\n');
    expect(grown(MOST - 8).text).toHaveLength(MOST);
  });

  test('begins anew where it would be longer, and the earlier one stays beside it', () => {
    const { text, folder } = grown(MOST - 7);
    expect(text).toBe('one\ntwo\n');
    expect(readFileSync(join(folder, 'advisory.log.1'))).toHaveLength(MOST - 7);
  });

  test('is not begun without a finding, and stops no call where it cannot be written', () => {
    const folder = tempFolder();
    appendLog(folder, []);
    expect(() => readFileSync(join(folder, 'advisory.log'))).toThrow();
    expect(() => {
      appendLog(join(folder, 'none'), ['one']);
    }).not.toThrow();
  });
});

test('what the gate remembers is found by its kind and name, and nothing is where it wrote nothing', () => {
  const store = diskStore(tempFolder(), { key: '', root: '' }, 0);
  store.write('callers', 'a', 'one');
  store.write('callers', 'a', 'two');
  store.write('heirs', 'a', 'x\ny');
  expect([store.read('callers', 'a'), store.read('heirs', 'a')]).toEqual(['two', 'x\ny']);
  expect([store.read('callers', 'b'), store.read('agents', 'a'), store.binding('a')]).toEqual([null, null, null]);
});
