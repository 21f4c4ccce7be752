import { describe, expect, test } from 'vitest';
import { CHECK_MODULES } from '../../../compiler/capabilities/schema/modules.ts';
import { checkModule } from '../../../compiler/tasks/checks/registry.ts';
import { judge, type Given } from '../../support/work.ts';

const resultOf = async (module: string, given: Given) => {
  const { result, detail } = await judge(`verifies::${module}`, given);
  return [result, detail];
};

test('every check that an atom may name is registered, and no name of an object is', () => {
  expect(CHECK_MODULES.filter((it) => checkModule(it) === undefined)).toEqual([]);
  expect(checkModule('constructor')).toBeUndefined();
});

describe('scope', () => {
  const task = {
    'files-whitelist': ['src/**'],
    'ssot-patterns': ['OWNERS'],
    'files-denylist': ['src/keys/**', 'Cargo.lock'],
  };

  test('every changed file is on the whitelist or has one owner; one that is gone counts too', async () => {
    const after = { 'src/a': 'x', 'src/.hidden/b': 'x', OWNERS: 'x' };
    expect(await resultOf('scope_files_whitelist', { task, after })).toEqual(['pass', null]);
    const given = { task, before: { 'docs/a': 'x' }, after: { 'docs/a': null, 'src/../x': 'x', 'src/b': 'x' } };
    expect(await resultOf('scope_files_whitelist', given)).toEqual(['fail', 'docs/a\nsrc/../x']);
  });

  test('without a list there is no limit', async () => {
    expect(await resultOf('scope_files_whitelist', { after: { x: 'x' } })).toEqual(['not_applicable', null]);
    expect(await resultOf('scope_files_denylist', { after: { x: 'x' } })).toEqual(['not_applicable', null]);
  });

  test('the denylist wins, in any case of letters and any way to write an accent', async () => {
    const after = { 'src/keys/a': 'x', 'SRC/Keys/b': 'x', 'cargo.LOCK': 'x', 'src/b': 'x' };
    const [result, detail] = await resultOf('scope_files_denylist', { task, after });
    expect([result, String(detail).split('\n').sort()]).toEqual(['fail', ['SRC/Keys/b', 'cargo.LOCK', 'src/keys/a']]);
    const accents = { task: { 'files-denylist': ['na\u00efve'] }, after: { 'nai\u0308ve': 'x' } };
    expect((await resultOf('scope_files_denylist', accents))[0]).toBe('fail');
  });

  test('rules of agents do not change: those of the atom, else the usual ones', async () => {
    const after = { 'deep/CLAUDE.md': 'x', 'instructions/x': 'x' };
    expect(await resultOf('scope_no_rule_edits', { after })).toEqual(['fail', 'deep/CLAUDE.md']);
    const paths = ['~/.claude/**', 'instructions/**'];
    expect(await resultOf('scope_no_rule_edits', { after, paths })).toEqual(['fail', 'instructions/x']);
    expect(await resultOf('scope_no_rule_edits', { after: { 'src/a': 'x' }, paths })).toEqual(['pass', null]);
  });
});

describe('safety', () => {
  test('manifests and lock files stay, unless the task lets dependencies change', async () => {
    const after = { 'web/package-lock.json': 'x', 'Cargo.toml': 'x', 'src/package.json.ts': 'x' };
    expect(await resultOf('safety_no_dep_bump', { after })).toEqual(['fail', 'Cargo.toml\nweb/package-lock.json']);
    const task = { 'allow-dependency-changes': true };
    expect((await resultOf('safety_no_dep_bump', { after, task }))[0]).toBe('not_applicable');
    const refusing = { 'allow-dependency-changes': false };
    expect((await resultOf('safety_no_dep_bump', { after, task: refusing }))[0]).toBe('fail');
    expect(await resultOf('safety_no_dep_bump', { after: { 'src/a': 'x' } })).toEqual(['pass', null]);
    const paths = ['vendor/**'];
    expect((await resultOf('safety_no_dep_bump', { after: { 'vendor/a': 'x' }, paths }))[0]).toBe('fail');
  });

  test('files that are gone are counted, and those that moved are not', async () => {
    const before = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, `text ${n}`]));
    const gone = Object.fromEntries(Object.keys(before).map((it) => [it, null]));
    expect((await resultOf('safety_no_mass_delete', { before, after: gone }))[0]).toBe('fail');
    expect((await resultOf('safety_no_mass_delete', { before, after: { ...gone, f0: 'other' } }))[0]).toBe('pass');
    const moved = Object.fromEntries(Object.entries(before).map(([path, text]) => [`to/${path}`, text]));
    expect((await resultOf('safety_no_mass_delete', { before, after: { ...gone, ...moved } }))[0]).toBe('pass');
    const strict = { before, after: { f0: null }, task: { 'mass-delete-max': 0 } };
    expect(await resultOf('safety_no_mass_delete', strict)).toEqual(['fail', 'f0']);
    const broken = { before, task: { 'mass-delete-max': true } };
    await expect(judge('verifies::safety_no_mass_delete', broken)).rejects.toThrow(TypeError);
  });
});

describe('policy::no-git-ops', () => {
  const change = { path: 'refs/heads/main', before: 'text a', after: null };

  test('a change in the agent’s own worktree is its own; one in what all share is blamed on nobody', async () => {
    expect(await resultOf('policy_no_git_ops', {})).toEqual(['pass', null]);
    expect((await resultOf('policy_no_git_ops', { git: { shared: [change] } }))[0]).toBe('unknown');
    const own = await resultOf('policy_no_git_ops', { git: { own: [change], shared: [change] } });
    expect(own).toEqual(['fail', 'refs/heads/main: text a → none']);
  });
});

describe('output', () => {
  test('without a report nothing holds', async () => {
    for (const it of ['output_report_format', 'output_severity_grade', 'output_ledger_row_required']) {
      expect((await resultOf(it, { report: null }))[0]).toBe('fail');
    }
  });

  test.each([
    ['files-touched: a\nresult: done', true],
    ['- **files-touched**: a\n- **result:** done', true],
    ['Files-Touched:\n  - a\n  - b\nresult: done', true],
    ['`files-touched`: a\r\nresult: done\r\n', true],
    ['files-touched:\nresult: done', false],
    ['files-touched: a', false],
    ['the result: it has files-touched', false],
    ['result: files-touched: a', false],
    ['', false],
  ])('a report %j has the usual fields: %s', async (report, holds) => {
    expect((await resultOf('output_report_format', { report }))[0]).toBe(holds ? 'pass' : 'fail');
  });

  test('a task says which fields are required', async () => {
    const task = { 'report-fields-required': ['cargo-test', 'loc-delta'] };
    expect(await resultOf('output_report_format', { task, report: 'cargo-test: 4 passed' })).toEqual([
      'fail',
      'loc-delta',
    ]);
  });

  test.each([
    ['## Findings\n- [high] one\n- [low] two', true],
    ['findings: none', true],
    ['**Findings:** none.', true],
    ['1. [critical] one', true],
    ['[medium] one\nmore of it', true],
    ['see [high](https://example.org) and - [x] done\nfindings: none', true],
    ['## Findings\n- [high] one\n- two', false],
    ['## Findings\n- [high] one\n## Files\n- src/a', true],
    ['## Files\n- src/a\n## Findings\n- [high] one\n- two\n# Rest', false],
    ['## Findings\n- one', false],
    ['- [severe] one', false],
    ['- [High] one', false],
    ['- [high] [low] one', false],
    ['nothing was found', false],
  ])('findings of %j are graded: %s', async (report, holds) => {
    expect((await resultOf('output_severity_grade', { report }))[0]).toBe(holds ? 'pass' : 'fail');
  });

  test.each([
    ['agent-id: fix-login-1\ntask: fix-login\noutcome: done', true],
    ['# Report\n\n- **agent-id:** `fix-login-1`\n- **task:** fix-login\n- **outcome:** partly.', true],
    ['agent-id: fix-login-2\ntask: fix-login\noutcome: done', false],
    ['agent-id: none\ntask: fix-login\noutcome: done', false],
    ['agent-id: fix-login-1\ntask: fix-login\noutcome: great', false],
    [`${'x\n'.repeat(20)}agent-id: fix-login-1\ntask: fix-login\noutcome: done`, false],
  ])('the first lines of %j are what the ledger needs: %s', async (report, holds) => {
    expect((await resultOf('output_ledger_row_required', { report }))[0]).toBe(holds ? 'pass' : 'fail');
  });
});
