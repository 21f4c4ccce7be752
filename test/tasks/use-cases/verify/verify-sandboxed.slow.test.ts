import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../support/folder.ts';
import { describeIfThere, describeWhere } from '../../../support/loudly.ts';
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

/** A test that passes where it can read none of these files. An empty file in place of one counts as hidden. */
const CURIOUS = (secrets: readonly string[]) => `
const { readFileSync } = require('node:fs');
const text = (it) => { try { return readFileSync(it, 'utf8'); } catch { return ''; } };
require('node:test').test('nothing is read', () => {
  const read = ${JSON.stringify(secrets)}.filter((it) => text(it) !== '');
  if (read.length > 0) throw new Error('READ ' + read.join(' '));
});
`;

/** A repository with keys and the state of others, and the names of their files. */
function secretPlace() {
  const place = agentsPlace({ ...FILES, '.gitignore': '.vade/\n/far/\n' });
  const { repo, common, trees, spawn } = place;
  // a person's own worktree, which lies where a test may read
  const far = join(repo.path, 'far');
  repo.git('worktree', 'add', '--quiet', '--detach', far);
  repo.git('config', 'http.https://example.org/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
  const one = spawn('one', { checks });
  spawn('other', { checks }).write('src/notes.js', 'secret');
  repo.write('.vade/root-key.pem', 'secret').write('deep/.vade/dev-signing-key.pem', 'secret');
  mkdirSync(join(far, '.vade'));
  writeFileSync(join(far, '.vade/root-key.pem'), 'secret');
  const own = ['.vade/root-key.pem', 'deep/.vade/dev-signing-key.pem'].map((it) => join(repo.path, it));
  const state = ['config', 'vade/ledger.db', 'worktrees/other/HEAD'].map((it) => join(common, it));
  const others = [join(trees, 'other/src/notes.js'), join(far, '.vade/root-key.pem'), join(far, 'src/a.js')];
  return { ...place, one, secrets: [...own, ...state, ...others] };
}

for (const form of ['bwrap', 'unshare'] as const) {
  const why = await isConfinable(form);
  describeWhere(
    why === '',
    `judging in ${form}`,
    why,
  )(`work that is judged in ${form}`, () => {
    test('A1: its tests read neither keys and state of the repository nor other worktrees', async () => {
      const { one, repo, verify, secrets } = secretPlace();
      one.write('test/curious.test.js', CURIOUS(secrets));
      expect(secrets.filter((it) => !existsSync(it))).toEqual([]);
      const boxing = { choice: form, hidden: [] };
      const report = await verify('one', { boxing }, { ...world, cwd: join(repo.path, 'deep') });
      expect(report.passes.flatMap((it) => it.findings.map(({ detail }) => detail))).toEqual([null, null]);
      expect([report.verdict, report.sandbox]).toEqual(['holds', form]);
    });
  });
}

test('without one the report says that the tests could do what the person can', async () => {
  const { spawn, verify } = agentsPlace(FILES);
  spawn('one', { checks }).write('src/b.js', '');
  const report = await verify('one', { boxing: { choice: 'none', hidden: [] } }, world);
  expect([report.sandbox, report.cannot_know.filter((it) => it.includes('without a sandbox'))]).toMatchObject([
    'none',
    [{}],
  ]);
});
