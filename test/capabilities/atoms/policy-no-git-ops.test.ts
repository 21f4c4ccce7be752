import { describe, expect, test } from 'vitest';
import { bash, outcomes } from '../../support/outcomes.ts';

describe('policy::no-git-ops', () => {
  const of = (...commands: string[]) => outcomes('policy::no-git-ops', 'PreToolUse:Bash', commands.map(bash));

  test('code of another language is not read: only a command of git that it writes out is seen', () => {
    const allowed = [`python3 -c 'import os; os.system(x)'`, `awk 'BEGIN { system("ls") }'`, `sed 's/a/b/e' x`];
    expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
    const denied = [
      `python3 -c 'import os; os.system("git push")'`,
      `awk 'BEGIN { "git push" | getline }'`,
      `python3 - <<'E'\nimport subprocess\nsubprocess.run(["git", "push"])\nE`,
      'python -m git push',
      'python -Im dulwich push',
    ];
    expect(of(...denied)).toEqual(denied.map(() => 'deny'));
  });

  test('a command is denied by a pattern of its name and all of its words', () => {
    const calls = ['npm publish', 'npm publish --dry-run', 'npm run publish', 'npm'].map(bash);
    const said = outcomes('policy::no-git-ops', 'PreToolUse:Bash', calls, {}, { patterns: ['^npm publish( |$)'] });
    expect(said).toEqual(['deny', 'deny', 'allow', 'allow']);
  });

  test('only a program that looks may be given the file of git’s program', () => {
    const looks = ['file /usr/bin/git', 'ls -l /usr/bin/git', 'test -x /usr/bin/git'];
    expect(of(...looks)).toEqual(looks.map(() => 'allow'));
    const denied = ['mytool /usr/bin/git', 'cp /usr/bin/git x', 'ln -s /usr/libexec/git-core/git x'];
    expect(of(...denied)).toEqual(denied.map(() => 'deny'));
  });

  test('a text with a command of git is denied as a variable, and to a program that may run it', () => {
    const denied = ["X='git push' ls", "mytool 'git push'", "mytool 'git -c a=b push'", 'mytool git push'];
    expect(of(...denied)).toEqual(denied.map(() => 'deny'));
    const allowed = ["X='git is good' ls", "echo 'git push'", 'mytool git'];
    expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
  });

  test('a tool that runs no command is not its matter', () => {
    expect(outcomes('policy::no-git-ops', 'PreToolUse:Edit', ['src/x'])).toEqual(['not_applicable']);
  });
});
