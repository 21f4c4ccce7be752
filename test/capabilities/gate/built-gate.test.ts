import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { TYPE } from '../../../compiler/capabilities/gate/read-binding.ts';
import { BINDING_TYPE } from '../../../compiler/schema/capability/binding.ts';
import { builtGate } from '../../support/built-gate.ts';

const SESSION = readFileSync('test/capabilities/gate/session.jsonl', 'utf8').trim().split('\n');

describe('the built file', () => {
  let gate: ReturnType<typeof builtGate>;
  let [root, vade, one, two, person] = ['', '', '', '', ''];
  const runWith: (typeof gate)['runWith'] = (...args) => gate.runWith(...args);
  const call: (typeof gate)['call'] = (...args) => gate.call(...args);
  const bash: (typeof gate)['bash'] = (...args) => gate.bash(...args);

  beforeEach(() => {
    gate = builtGate();
    ({ root, vade, one, two, person } = gate);
  });

  test('it names the payload type as the schema does', () => {
    expect(TYPE).toBe(BINDING_TYPE);
  });

  test('a denied call ends with exit 2, and stderr tells atom, rule and what to do instead', () => {
    const { exit, stdout, stderr } = bash('bash -c "git push"');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^policy::no-git-ops: .+\. Instead: .+\.\n$/);
  });

  test('an allowed call says nothing, so that the host still asks the person', () => {
    expect(bash('npm test')).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test('a stream of events as Claude Code writes them is answered as written beside it', () => {
    const answers = SESSION.map((line) => {
      const { event, exit } = JSON.parse(line.replaceAll('$ONE', one).replaceAll('$PERSON', person)) as {
        event: unknown;
        exit: number;
      };
      return { line, wanted: exit, exit: runWith(JSON.stringify(event)).exit };
    });
    expect(answers.length).toBeGreaterThanOrEqual(12);
    expect(answers.filter((it) => it.exit !== it.wanted).map((it) => it.line)).toEqual([]);
  });

  test("nothing of a person's own session is stopped, and nothing is said", () => {
    for (const command of ['git push', 'rm -rf /', 'x=$(', 'a\0b']) {
      expect(bash(command, { cwd: person })).toEqual({ exit: 0, stdout: '', stderr: '' });
      expect(bash(command, { cwd: person, agent_id: 'a-subagent' })).toEqual({ exit: 0, stdout: '', stderr: '' });
    }
  });

  test('a symbolic link to a worktree is the worktree', () => {
    symlinkSync(one, join(root, 'link'));
    expect(bash('git push', { cwd: join(root, 'link', 'src') }).exit).toBe(2);
  });

  test('a symbolic link inside the whitelist leads nowhere else', () => {
    symlinkSync(person, join(one, 'src', 'out'));
    expect(runWith(call('Write', { file_path: join(one, 'src/out/x'), content: '' })).exit).toBe(2);
    expect(runWith(call('Write', { file_path: join(one, 'src/x'), content: '' })).exit).toBe(0);
  });

  test('the environment binds a process that was started elsewhere, and must name a known agent', () => {
    const input = call('Bash', { command: 'git push' }, { cwd: person });
    expect(runWith(input, { VADE_AGENT_ID: 'agent-1' }).exit).toBe(2);
    expect(runWith(call('Bash', { command: 'ls' }, { cwd: two }), { VADE_AGENT_ID: 'agent-1' }).exit).toBe(2);
    expect(
      runWith(call('Bash', { command: 'ls' }, { cwd: person, session_id: 'x' }), { VADE_AGENT_ID: 'no' }).exit,
    ).toBe(2);
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['nothing', ''],
    ['another type', '[]'],
    ['no tool', '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/"}'],
    [
      'a tool that is no text',
      '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":1,"tool_input":{}}',
    ],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0])],
    ['a deep payload', '['.repeat(200_000)],
  ])('%s on stdin ends with exit 2', (_, input) => {
    const { exit, stdout } = runWith(input);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });

  test('a huge payload of a bound agent is judged, and a huge command denied', () => {
    expect(runWith(call('Write', { file_path: join(one, 'src/x'), content: 'x'.repeat(2 ** 24) })).exit).toBe(0);
    expect(bash(`echo ${'x'.repeat(300_000)}`).exit).toBe(2);
    expect(bash('$('.repeat(5000)).exit).toBe(2);
    expect(bash('a;'.repeat(50_000)).exit).toBe(2);
  });

  test('NUL bytes in a command or a path are denied', () => {
    expect(bash('ls\0; git push').exit).toBe(2);
    expect(runWith(call('Write', { file_path: `${one}/src/x\0.ts`, content: '' })).exit).toBe(2);
  });

  test('it writes nothing but what it remembers of callers', () => {
    bash('npm test');
    expect(readdirSync(vade).sort()).toEqual(['agents', 'bindings', 'callers', 'orchestrator.pem', 'trust-root.json']);
    expect(existsSync(join(one, '.claude'))).toBe(false);
  });
});
