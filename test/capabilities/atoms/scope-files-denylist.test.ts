import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gateOn } from '../../support/gate.ts';

describe('scope::files-denylist', () => {
  const gate = gateOn();
  const wrong = (wanted: 0 | 2, commands: readonly string[]) =>
    commands.filter((it) => gate.bash(it).answer.exit !== wanted);

  test('it overrides the whitelist', () => {
    const both = gateOn(() => ({ parameters: { 'files-whitelist': ['**'], 'files-denylist': ['src/main.ts'] } }));
    expect(both.ask('Edit', { file_path: join(both.worktree, 'src/main.ts') }).answer.exit).toBe(2);
    expect(both.ask('Edit', { file_path: 'src/other.ts' }).answer.exit).toBe(0);
  });

  test('a shell writes past neither list', () => {
    expect(
      wrong(2, [
        'echo x > .github/workflows/ci.yml',
        'cd .github && echo x > ci.yml',
        'tee package-lock.json < /tmp/x',
        'cp /tmp/x lib/x.ts',
        'mv src/main.ts lib/',
        'sed -i s/a/b/ package-lock.json',
        'ln -sf /tmp/x README.txt',
        'rm -rf .github',
        'echo x > ../two/x',
        'echo x > src/../lib/x',
        'f=lib/x; echo x > "$f"',
        'echo x > "$UNKNOWN"',
        'dd if=/tmp/x of=lib/x',
        'bash -c "echo x > lib/x"',
        'find . -name main.ts -exec cp {} lib/x \\;',
        '> lib/x',
        'exec > lib/x',
        'sed lib/x -i -e s/a/b/',
        'sed --in-p s/a/b/ lib/x',
        'cp src/main.ts --target-directory=lib',
        'cp src/main.ts --target=lib',
        'sudo --us x tee lib/x',
        'xargs --process-slot-var X tee lib/x',
        'cd lib && touch +page.svelte',
        '{ echo; } >> lib/x',
      ]),
    ).toEqual([]);
    expect(
      wrong(0, [
        'echo x > src/x',
        'cp src/main.ts src/b',
        'cd src && echo > x',
        'ls > /tmp/x',
        'echo x > /dev/stderr',
        'ls &> >(cat)',
      ]),
    ).toEqual([]);
  });
});
