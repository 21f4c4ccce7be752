import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOST_BYTES, readInside, removeInside, writeInside } from '../../../compiler/io/files/inside-folder.ts';
import { tempFolder } from '../../support/folder.ts';

/** A folder with one file of a size; it takes no room on the disk. */
function folderWith(bytes: number): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '');
  truncateSync(join(folder, 'docs/a.md'), bytes);
  return folder;
}

const REFUSED = expect.objectContaining({ code: 'output_failed' }) as Error;

describe('a file of a repository', () => {
  test('is read up to the limit, and none is null', () => {
    expect(readInside(folderWith(MOST_BYTES), 'docs/a.md')).toHaveLength(MOST_BYTES);
    expect(readInside(tempFolder(), 'docs/a.md')).toBeNull();
  });

  test.each([
    ['read', (folder: string) => readInside(folder, 'docs/a.md')],
    [
      'overwritten',
      (folder: string) => {
        writeInside(folder, 'docs/a.md', Buffer.alloc(0), Buffer.from('new'));
      },
    ],
    [
      'removed',
      (folder: string) => {
        removeInside(folder, 'docs/a.md', Buffer.alloc(0));
      },
    ],
  ])('beyond the limit is not %s, however large it is', (_, act) => {
    expect(() => {
      act(folderWith(64 * 1024 * MOST_BYTES));
    }).toThrow(REFUSED);
    expect(() => {
      act(folderWith(MOST_BYTES + 1));
    }).toThrow(REFUSED);
  });
});

test('a file that could not be read again is not written', () => {
  const folder = tempFolder();
  const write = (bytes: number) => {
    writeInside(folder, 'a.md', null, Buffer.alloc(bytes));
  };
  expect(() => {
    write(MOST_BYTES + 1);
  }).toThrow(REFUSED);
  write(MOST_BYTES);
  expect(readInside(folder, 'a.md')).toHaveLength(MOST_BYTES);
});
