import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../support/folder.ts';
import { describeIfThere } from '../../../support/loudly.ts';
import { isConfinable } from '../../../support/sandboxes.ts';
import { agentsPlace, AT, told } from '../../../support/spawned.ts';
import { plannedCheck } from '../../../support/work.ts';
import { worldIn } from '../../../support/world.ts';

const FILES = { 'package.json': '{"scripts":{"test":"node --test"}}', 'src/a.js': '' };
const checks = [plannedCheck('verifies::quality_tests_green', [])];
const env = { PATH: process.env['PATH'] ?? '' };
const world = { ...worldIn('/', new Date(AT)), env };
const missing = await isConfinable('auto');

/** A test that passes, and first does harm wherever it can. */
const EVIL = (outside: readonly string[], mark: string) => `
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const attempt = (work) => { try { work(); } catch {} };
for (const it of ${JSON.stringify(outside)}) attempt(() => writeFileSync(join(it, 'evil'), 'x'));
// the git that checks out the second pass
for (let at = process.cwd(); at !== dirname(at); at = dirname(at)) {
  const git = join(at, 'git');
  if (!existsSync(join(git, 'info'))) continue;
  attempt(() => appendFileSync(join(git, 'config'), '[filter "evil"]\\n smudge = touch ${mark}; cat\\n'));
  attempt(() => writeFileSync(join(git, 'info/attributes'), '* filter=evil\\n'));
}
require('node:test').test('fine', () => {});
`;

describeIfThere(
  missing === '',
  'judging in a sandbox',
  missing,
)('work that is judged in a sandbox', () => {
  test('its tests can write neither to the repository, nor to the git that judges, nor to another worktree', async () => {
    const { spawn, verify, repo, common } = agentsPlace(FILES);
    const [one, other] = [spawn('one', { checks }), spawn('other', { checks })];
    const mark = join(tempFolder(), 'smudged');
    const outside = [common, repo.path, one.worktree, other.worktree];
    one.write('test/evil.test.js', EVIL(outside, mark));
    const report = await verify('one', { boxing: { choice: 'auto', hidden: [] } }, world);
    expect(told(report)).toEqual({ verdict: 'holds', proposal: 'merge', failed: [], git: [] });
    expect(report.sandbox).not.toBe('none');
    expect([...outside.map((it) => join(it, 'evil')), mark].filter((it) => existsSync(it))).toEqual([]);
  });
});

test('without one the report says that the tests could do what the person can', async () => {
  const { spawn, verify } = agentsPlace(FILES);
  spawn('one', { checks }).write('src/b.js', '');
  const report = await verify('one', { boxing: { choice: 'none', hidden: [] } }, world);
  expect([report.sandbox, report.cannot_know.filter((it) => it.includes('without a sandbox'))]).toMatchObject([
    'none',
    [{}],
  ]);
});
