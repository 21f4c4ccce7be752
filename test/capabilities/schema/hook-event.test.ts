import { expect, test } from 'vitest';
import { HookEvent } from '../../../compiler/capabilities/schema/hook-event.ts';

const EVENT = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_name: 'B', tool_input: {} };
const isRead = (more: object) => HookEvent.safeParse({ ...EVENT, ...more }).success;

test.each([
  ['session_id', 256],
  ['cwd', 4096],
  ['tool_name', 256],
  ['agent_id', 256],
])('the %s of an event has at least one character and at most %i', (name, most) => {
  const read = [0, 1, most, most + 1].map((it) => isRead({ [name]: 'x'.repeat(it) }));
  expect(read).toEqual([false, true, true, false]);
});

test('an event is one before a tool call, with or without an agent, and may have other fields', () => {
  expect([isRead({}), isRead({ permission_mode: 'x' })]).toEqual([true, true]);
  expect(isRead({ hook_event_name: 'PostToolUse' })).toBe(false);
});
