import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMissing } from '../../../compiler/io/files/database-file.ts';
import { isSqliteFile, openSqliteFile } from '../../../server/audit/sqlite/file.ts';
import { openState } from '../../../server/continuity/state/state-file.ts';
import { bePresent } from '../../../server/continuity/store/presence.ts';
import { tempFolder } from '../../support/folder.ts';
import { locksOn } from '../../support/locks.ts';
import { describeIfThere } from '../../support/loudly.ts';

const newPath = () => join(tempFolder(), 'one.db');

/** Ways to open a database; each returns a function that closes it. */
const OPENINGS = {
  audit: (path: string) => {
    const db = openSqliteFile(path);
    return () => void db.close();
  },
  'index of capsules': (path: string) => openState(path).end,
  presence: (path: string) => bePresent(path).end,
};

describeIfThere(
  existsSync('/proc/locks'),
  'locks of the kernel',
  'this system has no /proc/locks',
)('a file that this process has open as a database', () => {
  test.each(Object.entries(OPENINGS))('%s: a second opening takes no lock of the first one away', (_, open) => {
    const path = newPath();
    onTestFinished(open(path));
    const before = locksOn(path);
    expect(before).toBeGreaterThan(0);
    const end = open(path);
    expect(locksOn(path)).toBeGreaterThanOrEqual(before);
    end();
    expect(locksOn(path)).toBeGreaterThanOrEqual(before);
  });

  test('is recognised as one without a loss of its locks', () => {
    const path = newPath();
    onTestFinished(OPENINGS.audit(path));
    const before = locksOn(path);
    expect(isSqliteFile(path)).toBe(true);
    expect(locksOn(path)).toBe(before);
  });
});

describe('a new file', () => {
  test('is for its owner alone, and an existing one stays as it is', () => {
    const path = newPath();
    OPENINGS.audit(path)();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = readFileSync(path);
    createMissing(path, 0o666);
    expect(readFileSync(path)).toEqual(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is not created behind a link, where others could read it', () => {
    const folder = tempFolder();
    symlinkSync(join(folder, 'elsewhere.db'), join(folder, 'one.db'));
    expect(() => openSqliteFile(join(folder, 'one.db'))).toThrow('is a link to a file that does not exist');
    expect(existsSync(join(folder, 'elsewhere.db'))).toBe(false);
  });
});
