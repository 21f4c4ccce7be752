import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCall } from '../../../compiler/capabilities/atoms/gate-module.ts';
import { secondNameOf } from '../../../compiler/capabilities/gate/second-name.ts';
import { STAR } from '../../../compiler/capabilities/shell/field.ts';
import { gateOn, roleWith } from '../../support/gate.ts';

/** A worktree with one file of two names in each of some folders; the other name is outside of it. */
function linkedGate() {
  const gate = gateOn(() => ({ role: roleWith({ gates: [] }) }));
  writeFileSync(join(gate.root, 'config'), '[core]\n');
  for (const folder of ['src', 'node_modules/a', 'target/debug', '.venv/lib']) {
    mkdirSync(join(gate.worktree, folder), { recursive: true });
    linkSync(join(gate.root, 'config'), join(gate.worktree, folder, 'linked.txt'));
  }
  return gate;
}

test('H2: a file with a second name is written by no tool and no command, though each of them may write its folder', () => {
  const { ask, bash, worktree } = linkedGate();
  const tools = ['Write', 'Edit', 'MultiEdit'].map(
    (it) => ask(it, { file_path: `${worktree}/src/linked.txt` }).answer.exit,
  );
  expect(tools).toEqual([2, 2, 2]);
  const commands = [
    ': > src/linked.txt',
    'echo x >> src/linked.txt',
    'cd src && tee linked.txt < main.ts',
    'sed -i s/a/b/ src/linked.txt',
    'cp src/main.ts src/linked.txt',
    'cp docs/linked.txt src',
    'mv docs/linked.txt ./src',
    'cd docs && install linked.txt ../src',
    'truncate -s 0 src/l*.txt',
    'echo x > src/link?d.txt',
    'sh -c "dd of=src/linked.txt"',
  ];
  expect(commands.filter((it) => bash(it).answer.exit !== 2)).toEqual([]);
});

test('H2: one of two names may be taken away, and build folders are full of such files', () => {
  const { bash } = linkedGate();
  const commands = [
    'rm src/linked.txt',
    'mv src/linked.txt src/other.txt',
    'cat src/linked.txt',
    'echo x > node_modules/a/linked.txt',
    'touch target/debug/linked.txt .venv/lib/linked.txt',
    'echo x > src/main.ts',
    'echo x > src/linked.txt/below',
  ];
  expect(commands.filter((it) => bash(it).answer.exit !== 0)).toEqual([]);
});

test('H2: what a glob may mean is looked for among two thousand names of a folder, and no more', () => {
  const target = { path: '/w/src/lx', relative: 'src/lx', glob: `/w/src/l${STAR}`, removes: false };
  const isFound = (count: number) => {
    const names = [...Array.from({ length: count - 1 }, (_, at) => `a${at}`), 'linked'];
    const disk = { linksOf: (path: string) => (path === '/w/src/linked' ? 2 : 1), namesIn: () => names };
    const call = { targets: [target], place: { worktree: '/w' }, disk } as unknown as ToolCall;
    return secondNameOf(call) === call.targets[0];
  };
  expect([1, 2000, 2001].map(isFound)).toEqual([true, true, false]);
});
