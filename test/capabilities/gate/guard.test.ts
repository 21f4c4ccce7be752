import { expect, test } from 'vitest';
import { gateOn, roleWith } from '../../support/gate.ts';

const gate = gateOn(() => ({ role: roleWith({ gates: [] }), spawns: ['x'] }));
const NAMED = { subagent_type: 'x', path: '.claude/settings.json' };

test.each('Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite Agent Task'.split(' '))(
  '%s only reads, and may name what guards the agents',
  (tool) => {
    expect(gate.ask(tool, NAMED).answer.exit).toBe(0);
  },
);

test('another tool that names it anywhere in its input is denied', () => {
  const ask = (input: Record<string, unknown>) => gate.ask('mcp__files__put', input).answer.exit;
  expect([ask(NAMED), ask({ all: [{ to: '.git/hooks/x' }] }), ask({ to: 'src/x', n: 1, none: null })]).toEqual([
    2, 2, 0,
  ]);
  expect(ask({ files: { '.git/hooks/pre-push': 'x' } })).toBe(2);
});

test('however deep its name lies in the input, it is found', () => {
  const nested = (text: string) => {
    let value: unknown = text;
    for (let depth = 0; depth < 500; depth++) value = [value];
    return gate.ask('mcp__files__put', { value }).findings[0]?.outcome.outcome;
  };
  expect([nested('.git/hooks/x'), nested('src/x')]).toEqual(['deny', 'not_applicable']);
});

test('where a command writes to a file that nobody can tell, it may not name what guards the agents', () => {
  const told = ['cd "$X"; echo .git/HEAD > a', 'cd "$X"; echo x > a', 'echo .git/HEAD > src/a'];
  expect(told.map((it) => gate.bash(it).answer.exit)).toEqual([2, 0, 0]);
});

test('a word that is no longer than a path may be is resolved as one', () => {
  const word = (length: number) => `.git/${'./'.repeat((length - 10) / 2)}/HEAD`;
  expect(word(4096)).toHaveLength(4096);
  expect([4096, 4098].map((it) => gate.bash(`mytool ${word(it)}`).answer.exit)).toEqual([2, 0]);
});
