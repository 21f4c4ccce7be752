import { describe, expect, test } from 'vitest';
import { contextAnswer, readHostEvent } from '../../compiler/hosts/host-event.ts';

const read = (event: object) => readHostEvent(JSON.stringify({ session_id: 's', ...event }));
const COMMON = { session: 's', subagent: '', subagentType: '' };

describe('An event of a host', () => {
  test.each([
    ['Claude Code', 'UserPromptSubmit'],
    ['Gemini CLI', 'BeforeAgent'],
  ])('with a prompt is read as %s writes it', (_host, name) => {
    expect(read({ hook_event_name: name, prompt: 'ship it' })).toEqual({
      ...COMMON,
      name,
      kind: 'prompt',
      intent: 'ship it',
    });
  });

  test.each([
    ['Claude Code', 'PreToolUse', { tool_name: 'Write', tool_input: { file_path: '/p/a.ts', content: 'x' } }],
    [
      'Claude Code in a notebook',
      'PreToolUse',
      { tool_name: 'NotebookEdit', tool_input: { notebook_path: '/p/a.ts' } },
    ],
    ['Copilot', 'PreToolUse', { tool_name: 'Edit', tool_input: { path: '/p/a.ts' } }],
    ['Gemini CLI', 'AfterTool', { tool_name: 'replace', tool_input: { file_path: '/p/a.ts' } }],
  ])('about a file is read as %s writes it', (_host, name, event) => {
    expect(read({ hook_event_name: name, ...event })).toEqual({ ...COMMON, name, kind: 'file', files: ['/p/a.ts'] });
  });

  test('with a patch is about its files, as Codex writes it into a tool, or into a shell command', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n*** Add File: b.ts\n+x\n*** Delete File: c.ts\n';
    for (const tool_input of [{ command: patch }, { command: ['bash', '-lc', patch] }]) {
      const event = read({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input });
      expect(event).toMatchObject({ kind: 'file', files: ['src/a.ts', 'b.ts'] });
    }
  });

  test('of a start has its source, and one that nobody knows is a startup', () => {
    const sources = ['resume', 'compact', 'new'].map((source) => read({ hook_event_name: 'SessionStart', source }));
    expect(sources.map((it) => it?.kind === 'start' && it.source)).toEqual(['resume', 'compact', 'startup']);
  });

  test.each([
    ['a stop, whose answer would make the model go on', { hook_event_name: 'Stop' }],
    ['a stop of a sub-agent', { hook_event_name: 'SubagentStop', agent_id: 'a' }],
    [
      'a tool that is about no file',
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ],
    [
      'the prompt that an agent wrote for its sub-agent',
      { hook_event_name: 'UserPromptSubmit', agent_id: 'a', prompt: 'p' },
    ],
    ['a command that operates the host', { hook_event_name: 'UserPromptSubmit', prompt: '/clear' }],
    ['a name that objects have', { hook_event_name: 'constructor' }],
    ['input of another shape', { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: ['/etc/passwd'] }],
  ])('is not answered: %s', (_what, event) => {
    expect(read(event)).toBeNull();
  });

  test.each(['', 'null', '[]', '{', '"text"'])('that is no JSON object is not answered: %s', (text) => {
    expect(readHostEvent(text)).toBeNull();
  });
});

describe('The answer to an event', () => {
  const event = { ...COMMON, name: 'SessionStart', kind: 'start', source: 'startup' } as const;
  const nested = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'text' } };

  test('has the one member that Claude Code and Codex read, since Codex refuses any other', () => {
    for (const host of ['claude-code', 'codex'] as const)
      expect(JSON.parse(contextAnswer(event, 'text', host, false))).toEqual(nested);
  });

  test('has the members that Copilot reads where it runs a hook of Claude Code', () => {
    expect(JSON.parse(contextAnswer(event, 'text', 'claude-code', true))).toEqual({
      additionalContext: 'text',
      ...nested,
    });
  });

  test('has the member that Cursor reads', () => {
    expect(JSON.parse(contextAnswer(event, 'text', 'cursor', false))).toEqual({ additional_context: 'text' });
  });
});
