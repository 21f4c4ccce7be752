import { describe, expect, test } from 'vitest';
import { TASK } from '../../compiler/schema/rules/task.ts';
import { lintRole, lintTask } from '../../compiler/tasks/read-task.ts';
import { libraryRole, taskOf, taskToml } from '../support/tasks.ts';

const EDIT = libraryRole('edit-local');
const ROLES = new Map([
  ['edit-local', true],
  ['read-only', true],
  ['git-ops', false],
]);

const faultsOf = (text: string) => {
  const read = taskOf(text);
  return [...read.faults, ...lintTask(read, EDIT, ROLES)];
};
const rulesOf = (text: string) => faultsOf(text).map((it) => it.rule);
const edit = (more = '') => taskToml('edit-local', 'Mend it.', more);
const SCOPE = '[scope]\nfiles-whitelist = ["src/**"]\n';

describe('task.toml', () => {
  test('a whole task is read, with all its parameters by name', () => {
    const text = edit(`parent-agent = "boss-1"
description = "Mend the login"
spawns = ["read-only"]

[scope]
files-whitelist = ["src/**", "docs/*.md"]
files-denylist = ["src/secret/**"]

[verification]
cargo-check-crates = ["kei-forge"]
test-count-min = 44

[output]
report-fields-required = ["files-touched"]

[escalation]
policy = "fail-fast"
`);
    expect(faultsOf(text)).toEqual([]);
    expect(taskOf(text).task?.parameters).toEqual({
      'files-whitelist': ['src/**', 'docs/*.md'],
      'files-denylist': ['src/secret/**'],
      'cargo-check-crates': ['kei-forge'],
      'test-count-min': 44,
      'report-fields-required': ['files-touched'],
    });
  });

  test('an unknown key is named with the nearest one, at its line', () => {
    const [fault] = faultsOf(edit('[scope]\nfiles-whitelst = ["src/**"]\n'));
    expect(fault).toMatchObject({ rule: 'key_unknown', line: 4, column: 1 });
    expect(fault?.help).toContain('files-whitelist');
  });

  test.each([
    ['no role', '[body]\ntext = "x"\n'],
    ['no text', '[task]\nrole = "edit-local"\n'],
    ['an empty text', taskToml('edit-local', '')],
    ['a parent with ..', edit('parent-agent = "../boss"\n')],
    ['an id of its own with a slash', edit('agent-id = "a/b"\n')],
    ['an id of its own that looks like an option', edit('agent-id = "-f"\n')],
    ['an absolute path', edit('[scope]\nfiles-whitelist = ["/etc/**"]\n')],
    ['a path that leaves the repository', edit('[scope]\nfiles-whitelist = ["src/../../x"]\n')],
    ['an entry of a list of files that is empty', edit('[scope]\nfiles-denylist = [""]\n')],
    ['an entry that begins with !', edit('[scope]\nfiles-denylist = ["!src/**"]\n')],
    ['an entry with too many choices', edit(`[scope]\nfiles-whitelist = ["${'{a,b}'.repeat(7)}"]\n`)],
    ['a crate that looks like an option', edit('[verification]\ncargo-check-crates = ["--config=x"]\n')],
    ['a count below zero', edit('[verification]\ntest-count-min = -1\n')],
    ['a parameter in the wrong table', edit('[output]\ntest-count-min = 1\n')],
    ['a policy that nobody knows', edit('[escalation]\npolicy = "ask"\n')],
    ['a line break in the description', edit('description = "a\\nb"\n')],
  ])('a task with %s is refused', (_what, text) => {
    expect(taskOf(text).task).toBeNull();
    expect(taskOf(text).faults.every((it) => it.severity === 'error')).toBe(true);
  });

  test('an error of the parser has its line and column', () => {
    expect(taskOf('[task]\nrole = null\n').faults).toMatchObject([{ rule: 'toml_invalid', line: 2, column: 8 }]);
  });

  test('a file that is no text is refused', () => {
    expect(taskOf('\u0000\u0001').task).toBeNull();
  });
});

describe('what a task may give', () => {
  test('a parameter that no atom of the role accepts is refused, at its line', () => {
    const text = edit('[scope]\nfiles-whitelist = ["src/**"]\nssot-patterns = ["x"]\n');
    expect(faultsOf(text)).toMatchObject([{ rule: 'task_parameter_refused', line: 5, column: 1 }]);
  });

  test.each([
    ['that is not there', 'spawns = ["reed-only"]\n', 'read-only'],
    ['that is never started', 'spawns = ["git-ops"]\n', 'remove it'],
  ])('a role to start %s is refused', (_what, more, help) => {
    const [fault] = faultsOf(edit(`${more}${SCOPE}`));
    expect(fault).toMatchObject({ rule: 'task_spawns_unknown', line: 3, column: 1 });
    expect(fault?.help).toContain(help);
  });

  test.each(['', '[scope]\nfiles-whitelist = []\n'])('a whitelist that is empty is a warning: %j', (more) => {
    const line = more === '' ? 1 : 3;
    expect(faultsOf(edit(more))).toMatchObject([{ rule: 'task_whitelist_empty', severity: 'warning', line }]);
  });

  test('a role that the bundle does not have is refused, with the nearest one', () => {
    const [fault] = lintRole(taskOf(taskToml('edit-locl', 'x')), ROLES);
    expect(fault).toMatchObject({ rule: 'task_role_unknown', line: 2, column: 1 });
    expect(fault?.help).toContain('edit-local');
    expect(lintRole(taskOf(edit()), ROLES)).toEqual([]);
  });

  test('the help names everything that there is, or that there is nothing', () => {
    const far = taskOf(taskToml('zzzzzzzzzzzz', 'x'));
    const roles = (it: ReadonlyMap<string, boolean>) => lintRole(far, it)[0]?.help;
    expect(roles(ROLES)).toContain('edit-local, read-only, git-ops');
    expect(roles(new Map())).toContain('none');
    const read = taskOf(edit('[scope]\nssot-patterns = ["x"]\n'));
    const accepted = (accepts: string[]) => lintTask(read, { ...EDIT, accepts }, ROLES)[0]?.help;
    expect(accepted(['aaaa', 'bbbb'])).toContain('aaaa, bbbb');
    expect(accepted([])).toContain('none');
    expect(accepted(['ssot-pattern'])).toContain('ssot-pattern');
  });

  test('a task that could not be read has no further fault', () => {
    const read = taskOf('[task]\n');
    expect([lintRole(read, ROLES), lintTask(read, EDIT, ROLES)]).toEqual([[], []]);
    expect(read.task).toBeNull();
    expect(taskOf('\u0000').at(['task'])).toEqual({ line: 1, column: 1 });
  });

  test('every rule of tasks has a test here', () => {
    const shown = [
      'task_role_unknown',
      ...rulesOf(edit('[scope]\nssot-patterns = ["x"]\n')),
      ...rulesOf(edit('spawns = ["git-ops"]\n')),
    ];
    expect(Object.keys(TASK).filter((rule) => !shown.some((it) => it === rule))).toEqual([]);
  });
});
