import { describe, expect, test } from 'vitest';
import { gateEntry, gateOn, roleWith } from '../../support/gate.ts';

const DENIED = gateEntry('scope::files-denylist', '', { parameters: ['files-denylist'] });
const under = (event: string) =>
  gateOn(() => ({ role: roleWith({ gates: [{ ...DENIED, event }] }), parameters: { 'files-denylist': ['lib/**'] } }));
const listed = (allowed: string[], denied: string[] = [], spawns: string[] = ['critic']) =>
  gateOn(() => ({ role: roleWith({ gates: [], tools: { allowed, denied } }), spawns }));

describe('the event of an atom', () => {
  const write = (event: string, tool: string) =>
    under(event).ask(tool, {
      ...(tool === 'Bash' ? { command: 'touch lib/x' } : { file_path: 'lib/x', notebook_path: 'lib/x' }),
    }).answer.exit;

  test.each(['PreToolUse:Edit', 'PreToolUse:Write', 'PreToolUse:Edit|Write', 'PreToolUse:Agent|Write'])(
    '%s means every way of writing',
    (event) => {
      const tools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Bash'];
      expect(tools.map((it) => [it, write(event, it)])).toEqual(tools.map((it) => [it, 2]));
    },
  );

  test('an event of one tool means no other', () => {
    const of = (event: string) => ['Edit', 'MultiEdit', 'Bash'].map((it) => write(event, it));
    expect(of('PreToolUse:Bash')).toEqual([0, 0, 2]);
    expect(of('PreToolUse:MultiEdit')).toEqual([0, 2, 0]);
    expect(of('PreToolUse:Agent')).toEqual([0, 0, 0]);
  });

  test('an event of the tool that starts agents means what older hosts call it', () => {
    const gates = ['Agent', 'Bash'].map((it) =>
      gateEntry('tools::read-only', `PreToolUse:${it}`, { tools_denied: ['Agent', 'Task'] }),
    );
    const denied = (entry: (typeof gates)[number] | undefined, tool: string) =>
      gateOn(() => ({ role: roleWith({ gates: entry === undefined ? [] : [entry] }), spawns: ['x'] })).ask(tool, {
        subagent_type: 'x',
      }).answer.exit;
    expect(['Agent', 'Task'].flatMap((tool) => gates.map((it) => denied(it, tool)))).toEqual([2, 0, 2, 0]);
  });

  test.each(['PostToolUse:Bash', 'PreToolUse:', 'PreToolUse:Bash ', 'xPreToolUse:Bash'])(
    '%s is none, and denies every call',
    (event) => {
      expect(under(event).bash('ls').answer.exit).toBe(2);
    },
  );

  test('a module that nobody knows denies the call', () => {
    const unknown = gateEntry('policy::no-git-ops', 'PreToolUse:Agent', { module: 'gates::none' });
    const gate = gateOn(() => ({ role: roleWith({ gates: [unknown] }) }));
    expect(gate.bash('ls').findings.at(-1)).toMatchObject({ severity: 'block', outcome: { outcome: 'deny' } });
  });
});

describe('the tools of a role', () => {
  test.each<[string, string[], string[], string, 0 | 2]>([
    ['without a list every tool is allowed', [], [], 'Read', 0],
    ['with a list no other is', ['Read'], [], 'Grep', 2],
    ['with a list its own are', ['Read', 'Grep'], [], 'Grep', 0],
    ['a star allows every tool', ['*'], [], 'Grep', 0],
    ['a denied tool is denied, though the list allows it', ['Read'], ['Read'], 'Read', 2],
    ['a denied tool is denied under a star', ['*'], ['Read'], 'Read', 2],
    ['a star denies every tool', ['Read'], ['*'], 'Read', 2],
    ['who is denied Task is denied Agent', [], ['Task'], 'Agent', 2],
    ['who is denied Agent is denied Task', [], ['Agent'], 'Task', 2],
    ['who may use Task may use Agent', ['Task'], [], 'Agent', 0],
    ['who may use Agent may use Task', ['Agent'], [], 'Task', 0],
  ])('%s', (_, allowed, denied, tool, exit) => {
    const { answer, findings } = listed(allowed, denied).ask(tool, { subagent_type: 'critic' });
    const deniedBy = findings.filter((it) => it.outcome.outcome === 'deny').map((it) => it.atom);
    expect([answer.exit, deniedBy]).toEqual([exit, exit === 0 ? [] : ['role::tools']]);
  });

  test('a denial names the tools that may be used instead, twelve of them at most', () => {
    const named = (allowed: string[], denied: string[] = []) => {
      const { stderr } = listed(allowed, denied).ask('Grep', {}).answer;
      return /use only ([\w, ]*)/.exec(stderr)?.[1]?.split(', ');
    };
    const tools = Array.from({ length: 13 }, (_, at) => `Tool${at}`);
    expect(named(['Read'])).toEqual(['Read']);
    expect(named(tools)).toEqual(tools.slice(0, 12));
    expect(named([], ['Grep'])).toBeUndefined();
  });

  test('a tool that runs commands of its own is denied, since nobody reads them', () => {
    expect(listed([]).ask('PowerShell', { command: 'git push' }).answer.exit).toBe(2);
    expect(listed([]).ask('PowerShell', { command: 1 }).answer.exit).toBe(0);
    expect(listed([]).ask('Bash', { command: 'ls' }).answer.exit).toBe(0);
  });
});

test.each<[unknown, 0 | 2]>([
  ['critic', 0],
  ['git-ops', 2],
  [undefined, 2],
  [['critic'], 2],
])('an agent that may start a critic starts %s: exit %i', (subagent_type, exit) => {
  for (const tool of ['Agent', 'Task']) expect(listed([]).ask(tool, { subagent_type }).answer.exit).toBe(exit);
});

test('an empty list of commands is no limit, and any other is one', () => {
  const under = (allowed: string[]) => gateOn(() => ({ role: roleWith({ gates: [], shell: { allowed } }) }));
  expect(
    [under([]).bash('ls'), under(['^cat ']).bash('ls'), under(['^ls$']).bash('ls')].map((it) => it.answer.exit),
  ).toEqual([0, 2, 0]);
  expect(under(['^cat ']).ask('Read', { file_path: 'x' }).answer.exit).toBe(0);
});

test('a denial is one line, which no name in it can break or lengthen', () => {
  const { stderr } = under('PreToolUse:Write').ask('Write', {
    file_path: `lib/\n\u2028\u001b[2J${'x'.repeat(900)}`,
  }).answer;
  expect(stderr.split('\n')).toHaveLength(2);
  expect(stderr).not.toMatch(/[\u001b\u2028]/);
  expect(/^scope::files-denylist: (.*?)\. Instead/.exec(stderr)?.[1]).toHaveLength(400);
});

test.each([
  'claude -p "push the branch"',
  'CLAUDE_CONFIG_DIR=/tmp/c claude -p hi',
  'npx -y @anthropic-ai/claude-code -p hi',
  'codex exec "commit and push"',
  'gemini -p hi',
  'aider --yes -m hi',
  'echo hi | claude',
  'goose run -t hi',
  'bunx opencode-ai run hi',
  'ollama launch claude',
  'sh -c "droid exec hi"',
])('L3: %s starts an agent from the shell, which no role may', (command) => {
  const gate = gateOn(() => ({ role: roleWith({ gates: [] }), spawns: ['critic'] }));
  expect(gate.bash(command).findings.find((it) => it.atom === 'role::spawns')?.outcome.outcome).toBe('deny');
});

test.each(['claude --version', 'claude mcp list', 'codex --help', 'goose -dir db status', 'which claude'])(
  '%s starts none',
  (command) => {
    expect(gateOn(() => ({ role: roleWith({ gates: [] }) })).bash(command).answer.exit).toBe(0);
  },
);
