import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  appendArrival,
  ARRIVAL_LINE_BYTES,
  ARRIVALS_BYTES,
  ARRIVALS_FILE,
  type ArrivalsPlace,
} from '../../../compiler/io/files/arrivals-spool.ts';
import { tempFolder } from '../../support/folder.ts';
import { NOBODY } from '../../support/unprivileged.ts';

let place: ArrivalsPlace;

beforeEach(() => {
  const base = tempFolder();
  place = { folder: join(base, 'project/.vade'), scratch: join(base, 'vade-0/0123456789abcdef') };
  mkdirSync(join(base, 'project'));
});

const linesOf = (folder: string) => readFileSync(join(folder, ARRIVALS_FILE), 'utf8').split('\n').filter(Boolean);
const modesOf = (...paths: readonly string[]) => paths.map((it) => lstatSync(it).mode & 0o777);
const isRoot = process.geteuid?.() === 0;

describe('the spool of what hooks gave', () => {
  test('lines are appended to a private file, in a folder that git ignores', () => {
    expect([appendArrival(place, '{"a":1}'), appendArrival(place, '{"a":2}')]).toEqual([true, true]);
    expect(linesOf(place.folder)).toEqual(['{"a":1}', '{"a":2}']);
    expect(modesOf(place.folder, join(place.folder, ARRIVALS_FILE))).toEqual([0o700, 0o600]);
    expect(readFileSync(join(place.folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('a line after one that a full disk cut off is whole', () => {
    mkdirSync(place.folder);
    writeFileSync(join(place.folder, ARRIVALS_FILE), '\n{"a":', { mode: 0o600 });
    appendArrival(place, '{"a":3}');
    expect(linesOf(place.folder)).toEqual(['{"a":', '{"a":3}']);
  });

  test('a full file takes no more, and the scratch folder does not either', () => {
    appendArrival(place, '{}');
    truncateSync(join(place.folder, ARRIVALS_FILE), ARRIVALS_BYTES - 3);
    expect([appendArrival(place, '{}'), appendArrival(place, '{}')]).toEqual([true, false]);
    expect(lstatSync(place.scratch, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each(['x'.repeat(ARRIVAL_LINE_BYTES), '{}\n{}'])('a line that is too long or is two is not kept', (line) => {
    expect(appendArrival(place, line)).toBe(false);
  });

  test.each(['ln -s /dev/null', 'mkfifo', 'mkdir'])('what `%s` makes at the place of the file is not written', (it) => {
    mkdirSync(place.folder);
    spawnSync(`${it} ${join(place.folder, ARRIVALS_FILE)}`, { shell: true });
    expect(appendArrival(place, '{"a":1}')).toBe(true);
    expect(linesOf(place.scratch)).toEqual(['{"a":1}']);
    expect(modesOf(place.scratch, join(place.scratch, '..'))).toEqual([0o700, 0o700]);
  });

  test('a link in a working tree of git is not followed', () => {
    mkdirSync(join(place.folder, '../.git'));
    mkdirSync(join(place.folder, '../elsewhere'));
    symlinkSync('elsewhere', place.folder);
    appendArrival(place, '{"a":1}');
    expect(linesOf(place.scratch)).toEqual(['{"a":1}']);
  });

  test('a scratch folder that others can open is refused', () => {
    writeFileSync(place.folder, 'no folder');
    mkdirSync(place.scratch, { recursive: true, mode: 0o700 });
    chmodSync(join(place.scratch, '..'), 0o755);
    expect(appendArrival(place, '{}')).toBe(false);
  });

  test.runIf(isRoot)('a file and a scratch folder of another owner are refused', () => {
    appendArrival(place, '{"a":1}');
    chownSync(join(place.folder, ARRIVALS_FILE), NOBODY, NOBODY);
    mkdirSync(place.scratch, { recursive: true, mode: 0o700 });
    chownSync(join(place.scratch, '..'), NOBODY, NOBODY);
    expect([appendArrival(place, '{"a":2}'), linesOf(place.folder)]).toEqual([false, ['{"a":1}']]);
  });
});
