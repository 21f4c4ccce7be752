import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isScratch, isTemporary } from '../../../compiler/capabilities/atoms/scope-lists.ts';
import type { Target } from '../../../compiler/capabilities/paths/targets.ts';
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

const scratch = (relative: string | null, path = `/home/w/${relative ?? ''}`, isShell = true) =>
  isScratch({ relative, path, isShell } as Target, '/home/w');

test('what builds and tests leave behind is scratch in any folder, and nothing that looks like it', () => {
  const folders =
    'node_modules dist build out target coverage .cache .venv venv __pycache__ .pytest_cache .mypy_cache .ruff_cache .next .nuxt .turbo .parcel-cache .gradle .tox tmp';
  const files = 'x.log x.tmp x.pyc x.orig x.bak x.tsbuildinfo .DS_Store';
  const left = `${folders} ${files}`.split(' ').flatMap((it) => [it, `a/b/${it}`]);
  expect(left.filter((it) => !scratch(it))).toEqual([]);
  expect(['x.ts', 'a/distant/x', 'log', 'x.logs', 'mytmp/x'].filter((it) => scratch(it))).toEqual([]);
});

test('only a shell writes scratch, and where nobody can tell the path there is none', () => {
  expect([scratch('x.log'), scratch('x.log', '/home/w/x.log', false)]).toEqual([true, false]);
  expect(isScratch({ relative: null, path: null, isShell: true } as Target, '/home/w')).toBe(false);
});

test('temporary folders are those of the system, and never the worktree or what lies beside it', () => {
  const temporary = ['/tmp/x', '/var/tmp/x', '/private/tmp/x', '/private/var/folders/x', '/dev/shm/x'];
  expect(temporary.filter((it) => !isTemporary(it, '/home/w'))).toEqual([]);
  expect(['/etc/x', '/home/x', '/tmpx', '/var/x'].filter((it) => isTemporary(it, '/home/w'))).toEqual([]);
  expect(temporary.filter((it) => !scratch(null, it))).toEqual([]);
  expect([isTemporary('/tmp/trees/two/x', '/tmp/trees/one'), isTemporary('/tmp/x', '/tmp/trees/one')]).toEqual([
    false,
    true,
  ]);
  expect([isTemporary('/tmp/one/x', '/tmp/one'), isTemporary('/tmp/two', '/tmp/one')]).toEqual([false, true]);
});
