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

const PADDING = ' '.repeat(5000);
/** Longer than any path that the kernel takes, and yet the name of one file once it is normalised. */
const DOTS = './'.repeat(3000);
const TURNS = 'src/../'.repeat(1000);

test.each([
  ['the code of an editor', `vim -c '${PADDING}:w .claude/settings.json'`],
  ['an expression', `emacs --batch --eval '${PADDING}(write-file ".git/hooks/pre-push")'`],
  ['a list of files', `mytool --outputs ${'src/a,'.repeat(1000)}.claude/settings.json`],
  ['a path that a program normalises', `mytool .git/${DOTS}HEAD`],
  ['a path with turns that a program normalises', `mytool ${TURNS}.vade/keys.json`],
  ['such a path as the value of an option', `mytool --out=${DOTS}.git/HEAD`],
  ['such a path with a glob', `mytool ${DOTS}.cl*/settings.json`],
  ['a path longer than any file', `mytool ${'src/'.repeat(3000)}.git/config`],
])('%s is looked at, however long it is', (_, command) => {
  expect(gate.bash(command).answer.exit).toBe(2);
});

test.each([
  ['a long text', `mytool '${PADDING}.gitignore'`],
  ['a long path', `mytool ${DOTS}src/index.ts`],
  ['a path of many folders', `mytool ${'src/'.repeat(15_000)}x`],
  ['a long text for a program that only prints it', `echo '${PADDING}.git/HEAD'`],
])('%s that names nothing of the guard is allowed', (_, command) => {
  expect(gate.bash(command).answer.exit).toBe(0);
});
