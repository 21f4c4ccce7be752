import { describe, expect, test } from 'vitest';
import { bash, outcomes } from '../../support/outcomes.ts';

describe('programs of other languages under policy::no-git-ops', () => {
  const of = (...commands: string[]) => outcomes('policy::no-git-ops', 'PreToolUse:Bash', commands.map(bash));

  test('a program that is started by a name that is written out, and is not git, is allowed', () => {
    const allowed = [
      `python3 -c 'import subprocess; subprocess.run(["ls", "-l"])'`,
      `python3 -c 'import os; os.system("ls")'`,
      `node -e 'require("child_process").execSync("ls")'`,
      `python3 -c 'print(1)'`,
      `ruby -e 'puts 1'`,
      `awk 'BEGIN { system("ls") }'`,
      `awk '{ print | "sort" }'`,
      `awk -f x.awk`,
      `awk '{ print }' 'system(x)'`,
    ];
    expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
  });

  test.each([
    `python3 -c 'import os; os.system(x)'`,
    `python3 -c 'import os; os.system("g" + "it push")'`,
    `python3 -c 'import os; os.system("ls"); os.system(y)'`,
    `python3 -c 'import os; os.system(chr(103))'`,
    `python3 -c 'import os; os.system("git push")'`,
    `python3 -c 'import git'`,
    `node -e 'require("simple-git")()'`,
    `node -e 'require("child_process").execSync(x)'`,
    `ruby -e 'x = "git push"'`,
    `ruby -e 'system(x)'`,
    `perl -e 'exec(x)'`,
    `ipython -c '!x'`,
    `python3 -c "$X"`,
    `awk 'BEGIN { system(x) }'`,
    `awk 'BEGIN { "git push" | getline }'`,
    `awk '{ print | x }'`,
    `awk '{ x | getline }'`,
    `awk --source 'BEGIN { system(x) }'`,
    `gawk -e 'BEGIN { system(x) }'`,
    `sed -e 'e ls' x`,
    `sed 's/a/b/e' x`,
    `sed -n -e p -e 'e' x`,
    `sed --expression 'e ls' x`,
    `echo 'e ls' > s; sed -f s x`,
    `python -m git push`,
    `python -Im dulwich push`,
    `GIT push`,
  ])('%s is denied', (command) => {
    expect(of(command)).toEqual(['deny']);
  });

  test('a command is denied by a pattern of its name and all of its words', () => {
    const calls = ['npm publish', 'npm publish --dry-run', 'npm run publish', 'npm'].map(bash);
    const said = outcomes('policy::no-git-ops', 'PreToolUse:Bash', calls, {}, { patterns: ['^npm publish( |$)'] });
    expect(said).toEqual(['deny', 'deny', 'allow', 'allow']);
  });

  test('only a program that looks may be given the file of git’s program', () => {
    const looks = ['file /usr/bin/git', 'ls -l /usr/bin/git', 'test -x /usr/bin/git'];
    expect(of(...looks)).toEqual(looks.map(() => 'allow'));
    const denied = [
      'mytool /usr/bin/git',
      'cp /usr/bin/git x',
      'ln -s /usr/libexec/git-core/git x',
      'tar cf a -C /usr/bin git',
    ];
    expect(of(...denied)).toEqual(denied.map(() => 'deny'));
  });

  test('a text with a command of git is denied as a variable, and to a program that may run it', () => {
    const denied = [
      "X='git push' ls",
      "mytool 'git push'",
      "mytool 'git -c a=b push'",
      'mytool git push',
      'nix shell nixpkgs#git',
    ];
    expect(of(...denied)).toEqual(denied.map(() => 'deny'));
    const allowed = ["X='git is good' ls", "echo 'git push'", 'mytool git', 'nix shell nixpkgs#jq'];
    expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
  });

  test('a tool that runs no command is not its matter', () => {
    expect(outcomes('policy::no-git-ops', 'PreToolUse:Edit', ['src/x'])).toEqual(['not_applicable']);
  });

  test('gh and glab may look, and change nothing', () => {
    const denied = [
      'gh repo view',
      'gh pr merge 1',
      'gh pr -R a/b checkout 1',
      'gh release create x',
      'gh --hostname h --repo a/b pr merge 1',
      'gh gist clone x',
      'gh alias set x y',
    ];
    const more = [
      'gh workflow run x',
      'gh cs ssh',
      'glab mr merge 1',
      'gh api /repos/a/b',
      'gh api -X POST graphql',
      'gh extension install x',
    ];
    expect(of(...denied, ...more)).toEqual([...denied, ...more].map(() => 'deny'));
    const allowed = [
      'gh pr list',
      'gh pr view 1',
      'gh release list',
      'gh gist list',
      'gh issue list',
      'gh api user',
      'gh',
      'gh constructor',
    ];
    expect(of(...allowed)).toEqual(allowed.map(() => 'allow'));
  });
});
