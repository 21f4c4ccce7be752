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
});
