import { describe, expect, test } from 'vitest';
import { readEvent } from '../../../compiler/capabilities/gate/read-event.ts';

const EVENT = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/w',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const read = (change: object) => readEvent(JSON.stringify({ ...EVENT, ...change }));

describe('an event of the host', () => {
  test('it is read by the fields that the gate needs, and no others', () => {
    expect(read({ permission_mode: 'x' })).toEqual(EVENT);
  });

  test('the id of a subagent is read where there is one', () => {
    expect(read({ agent_id: 'a' })).toEqual({ ...EVENT, agent_id: 'a' });
    expect(read({ agent_id: null })).toEqual(EVENT);
  });

  test.each(['session_id', 'cwd', 'tool_name', 'agent_id'])(
    '%s has at least one character and at most 4096',
    (name) => {
      expect(read({ [name]: 'x'.repeat(4096) })).toHaveProperty(name);
      expect(() => read({ [name]: 'x'.repeat(4097) })).toThrow(TypeError);
      expect(() => read({ [name]: '' })).toThrow(TypeError);
      expect(() => read({ [name]: 1 })).toThrow(TypeError);
    },
  );

  test.each([
    ['another event', { hook_event_name: 'PostToolUse' }],
    ['an input that is a list', { tool_input: [] }],
    ['an input that is missing', { tool_input: undefined }],
    ['a working directory with a NUL byte', { cwd: '/w\0' }],
    ['an agent of another type', { agent_id: false }],
  ])('%s is refused', (_, change) => {
    expect(() => read(change)).toThrow(TypeError);
  });
});
