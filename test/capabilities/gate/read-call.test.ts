import { describe, expect, test } from 'vitest';
import { readCall } from '../../../compiler/capabilities/gate/read-call.ts';
import { tryExample } from '../../../compiler/capabilities/gate/try-example.ts';
import type { Disk } from '../../../compiler/capabilities/paths/disk.ts';
import { gateEntry } from '../../support/gate.ts';

const NOTHING: Disk = { kindOf: () => null, linkOf: () => null, linksOf: () => 1, namesIn: () => null };
const EVENT = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/w' } as const;

describe('a call that writes a file', () => {
  test.each([
    ['Edit', 'file_path'],
    ['Write', 'file_path'],
    ['MultiEdit', 'file_path'],
    ['NotebookEdit', 'notebook_path'],
  ])('%s names it in %s, by a path that a file can have', (tool_name, field) => {
    const targets = (path: unknown) =>
      readCall({ ...EVENT, tool_name, tool_input: { [field]: path } }, '/w', '/h', NOTHING).targets;
    expect(targets('src/x').map((it) => it.path)).toEqual(['/w/src/x']);
    for (const it of ['', 'a\0b', 7, undefined]) expect(() => targets(it)).toThrow(TypeError);
  });
});

test('the text of an example of a start is the agent’s type', () => {
  const entry = gateEntry('tools::read-only', 'PreToolUse:Agent', { tools_denied: ['Agent'] });
  expect(tryExample(entry, 'critic', {}).outcome).toBe('deny');
});

test.each([
  ['PreToolUse:Edit', 'lib/x'],
  ['PreToolUse:Write', 'lib/x'],
  ['PreToolUse:Bash', 'touch lib/x'],
])('the text of an example of %s is what that tool is given', (event, text) => {
  const entry = gateEntry('scope::files-denylist', event, { parameters: ['files-denylist'] });
  expect(tryExample(entry, text, { 'files-denylist': ['lib/**'] }).outcome).toBe('deny');
});
