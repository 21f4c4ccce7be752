import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matchesPattern } from '../../compiler/capabilities/atoms/pattern-match.ts';
import { readCommand } from '../../compiler/capabilities/shell/read-command.ts';
import { builtGate, GATE } from '../support/built-gate.ts';
import { report, spread } from './measure.ts';

const ROUNDS = 31;

const { root, one: tree, hookArguments } = builtGate();
const args = [join(process.cwd(), GATE), ...hookArguments];

/** Writes an event to a file, as `cpu` feeds it. */
function eventFile(command: string): string {
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: tree,
    tool_name: 'Bash',
    tool_input: { command },
  };
  const path = join(root, 'event.json');
  writeFileSync(path, JSON.stringify(event));
  return path;
}

/** Milliseconds of CPU, user and system, of one process with all that it starts. */
function cpu(words: readonly string[], input: string): number {
  const script = '"$@" < "$INPUT" > /dev/null 2>&1; times';
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...words], {
    env: { ...process.env, INPUT: input },
    encoding: 'utf8',
  });
  const [, children = ''] = stdout.trim().split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}

test('an allowed command costs little more than starting Node', () => {
  const event = eventFile('cd src && npm test 2>&1 | tail -20');
  const times = { node: [] as number[], gate: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.node.push(cpu(['-e', '0'], '/dev/null'));
    times.gate.push(cpu(args, event));
  }
  // the fastest: others share this machine
  const ratio = Math.min(...times.gate) / Math.min(...times.node);
  report('gate, one allowed command, CPU', `${ratio.toFixed(2)} × node -e 0`, '≤ 1.7 ×');
  expect(ratio).toBeLessThanOrEqual(1.7);
});

const LONG = 256 * 1024 - 64;
const fill = (piece: string) => piece.repeat(Math.floor(LONG / piece.length));

test.each([
  ['plain words', `echo ${fill('word ')}`],
  ['one word', `echo ${'x'.repeat(LONG)}`],
  ['a heredoc', `cat > src/x <<'E'\n${fill('line of text\n')}E\n`],
  ['commands', fill('a;')],
  ['quotes', fill(`"a"'b'`)],
  ['substitutions', fill('$(a)')],
  ['open substitutions', fill('$(')],
  ['braces', `echo ${fill('{a,b}')}`],
  ['open braces', `echo ${fill('{')}`],
  ['variables', `a=1; echo ${fill('$a ')}`],
  ['assignments', fill('a=$a;')],
  ['wrappers', fill('env ')],
  ['files', `rm ${fill('src/a ')}`],
  ['links', fill('ln -s a b;')],
  ['git in text', `my-tool '${fill('git -c ')}'`],
  ['here-strings', fill('a <<< b;')],
  ['pipes', `a ${fill('| a')}`],
  ['commands of some words', fill('command with some words;')],
  ['arithmetic', fill('$((a+')],
])('a command of 256 kB costs at most as much as five starts of Node: %s', (what, command) => {
  const event = eventFile(command);
  const rounds = [1, 2, 3, 4, 5].map(() => ({ node: cpu(['-e', '0'], '/dev/null'), gate: cpu(args, event) }));
  const gate = spread(rounds.map((it) => it.gate)).median;
  const ratio = gate / spread(rounds.map((it) => it.node)).median;
  report(`gate, 256 kB of ${what}, CPU`, `${gate.toFixed(0)} ms, ${ratio.toFixed(1)} × node -e 0`, '≤ 5 ×');
  expect(ratio).toBeLessThanOrEqual(5);
});

test('a pattern that backtracks elsewhere is matched in linear time', () => {
  const start = performance.now();
  expect(matchesPattern(`${'a'.repeat(100_000)}!`, '^(a+)+$')).toBe(false);
  const taken = performance.now() - start;
  report('gate, (a+)+$ on 100 kB', `${taken.toFixed(0)} ms`, '≤ 200 ms');
  expect(taken).toBeLessThanOrEqual(200);
});

test('reading an everyday command takes no time', () => {
  const start = performance.now();
  for (let n = 0; n < 1000; n++) readCommand('cd src && npm test 2>&1 | tail -20', { cwd: '/w', home: '/h' });
  report('gate, reading one command', `${((performance.now() - start) / 1000).toFixed(3)} ms`, '');
});
