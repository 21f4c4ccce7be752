import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertOwnWay } from '../../compiler/io/files/own-way.ts';
import { tempFolder } from '../support/folder.ts';
import { guaranteed, staffed, type Staffed } from '../support/staffed.ts';

type Words = (place: Staffed) => readonly string[];

/** Folders of the working tree that a branch has made links, each with a command that writes there. */
const WRITERS: readonly [folder: string, words: Words][] = [
  [
    'instructions/approvals',
    ({ ann, trust }) => [
      'approve',
      '--kind',
      'guarantee_load',
      '--agent',
      'cto',
      '--unit',
      'limits',
      '--key',
      ann.file,
      ...trust,
    ],
  ],
  ['.github/workflows', () => ['workflows']],
  ['instructions/capabilities', () => ['capability', 'add', '--role', 'edit-local']],
  ['instructions/agents/newtwo', () => ['migrate', '--write', '--agent', 'newtwo', '--from', 'rules.md']],
  ['bundle', () => ['compile', '--dev']],
  ['.vade', () => ['compile', '--dev', '--out', 'elsewhere']],
  ['instructions/trust', () => ['trust', 'keygen', '--out', 'instructions/trust/a.pem']],
  ['reports', () => ['lint', '--report', 'sarif', '--out', 'reports/a.sarif']],
  ['.claude', () => ['init', '--deployment', 'acme', '--force']],
];

describe('SECURITY: no command writes through a link that a branch brought', () => {
  test.each(WRITERS)('into %s', async (folder, words) => {
    const place = staffed((repo) => guaranteed(repo).write('rules.md', '# Rules\n\n- Never delete data.\n'));
    const { path } = place.repo;
    const outside = tempFolder();
    const at = join(path, folder);
    mkdirSync(dirname(at), { recursive: true });
    if (existsSync(at)) renameSync(at, `${at}-before`);
    symlinkSync(outside, at);
    const ran = await place.run(words(place));
    expect(readdirSync(outside)).toEqual([]);
    expect(ran.code).not.toBe(0);
  });
});

describe('which links are refused', () => {
  const tree = () => {
    const top = tempFolder();
    mkdirSync(join(top, '.git'));
    return top;
  };
  const refuses = (path: string) => {
    expect(() => {
      assertOwnWay(path);
    }).toThrow(/symbolic link/);
  };

  test('a link below the top of a working tree is, wherever it leads, also to another working tree', () => {
    const [top, other] = [tree(), tree()];
    symlinkSync(other, join(top, 'link'));
    mkdirSync(join(other, 'sub'));
    refuses(join(top, 'link/file'));
    refuses(join(top, 'link/sub/file'));
    refuses(join(top, 'link/new/file'));
  });

  test('a link that leads to a working tree is not, nor one without a working tree above', () => {
    const [top, plain] = [tree(), tempFolder()];
    symlinkSync(top, join(plain, 'checkout'));
    mkdirSync(join(top, 'sub'));
    for (const it of ['checkout/file', 'checkout/sub/file', 'a/file']) assertOwnWay(join(plain, it));
    symlinkSync(plain, join(top, 'sub/link'));
    refuses(join(plain, 'checkout/sub/link/file'));
  });

  test('links in a home folder that git keeps are its user’s own', () => {
    const home = tree();
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    symlinkSync(tempFolder(), join(home, '.claude'));
    assertOwnWay(join(home, '.claude/settings.json'));
    writeFileSync(join(home, 'x'), '');
    process.env['HOME'] = before;
  });
});
