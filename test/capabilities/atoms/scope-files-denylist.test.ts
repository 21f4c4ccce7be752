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

  test('what a file is unpacked to is denied like the file itself', () => {
    const both = gateOn(() => ({ parameters: { 'files-whitelist': ['**'], 'files-denylist': ['package-lock.json'] } }));
    const exits = ['gunzip package-lock.json.gz', 'xz -d package-lock.json.xz', 'gunzip -c package-lock.json.gz'];
    expect(exits.map((it) => both.bash(it).answer.exit)).toEqual([2, 2, 0]);
  });

  test('a shell writes past neither list', () => {
    expect(
      wrong(2, [
        'echo x > .github/workflows/ci.yml',
        'cd .github && echo x > ci.yml',
        'tee package-lock.json < /tmp/x',
        'cp /tmp/x lib/x.ts',
        'pigz lib/x',
        'unpigz lib/x.gz',
        'mv src/main.ts lib/',
        'sed -i s/a/b/ package-lock.json',
        'ln -sf /tmp/x README.txt',
        'rm -rf .github',
        'echo x > ../two/x',
        'echo x > src/../lib/x',
        'f=lib/x; echo x > "$f"',
        'echo x > "$UNKNOWN"',
        'dd if=/tmp/x of=lib/x',
        'curl -o lib/x https://example.org',
        'bash -c "echo x > lib/x"',
        'find . -name main.ts -exec cp {} lib/x \\;',
        '> lib/x',
        'exec > lib/x',
        'curl https://example.org -o lib/x',
        'curl https://example.org --out lib/x',
        'wget https://example.org -O lib/x',
        'sort src/main.ts -o lib/x',
        'sort src/main.ts --outp=lib/x',
        'sed lib/x -i -e s/a/b/',
        'sed --in-p s/a/b/ lib/x',
        "perl -i -E 'print 1' lib/x",
        'cp src/main.ts --target-directory=lib',
        'cp src/main.ts --target=lib',
        'runuser -u x tee lib/x',
        'sudo --us x tee lib/x',
        'xargs --process-slot-var X tee lib/x',
        'sem tee lib/x',
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
