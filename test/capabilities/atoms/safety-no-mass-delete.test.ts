import { expect, test } from 'vitest';
import { noMassDelete } from '../../../compiler/capabilities/atoms/safety-no-mass-delete.ts';
import { readCall } from '../../../compiler/capabilities/gate/read-call.ts';
import type { Disk } from '../../../compiler/capabilities/paths/disk.ts';
import { gateEntry } from '../../support/gate.ts';

/** A worktree with a folder of files, none of which exists. */
const folderOf = (count: number): Disk => ({
  kindOf: (path) => (['/w', '/w/src', '/h'].includes(path) ? 'folder' : /^\/w\/src\/\d+$/.test(path) ? 'file' : null),
  linkOf: () => null,
  linksOf: () => 1,
  namesIn: (path) => (path === '/w/src' ? Array.from({ length: count }, (_, n) => String(n)) : null),
});

function outcomeOf(tool: string, tool_input: Record<string, unknown>, disk: Disk): string {
  const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/w', tool_name: tool, tool_input } as const;
  return noMassDelete(readCall(event, '/w', '/h', disk), gateEntry('safety::no-mass-delete', ''), {}).outcome;
}

test('a folder of more names than are looked at is not removed by a glob, whatever of it matches', () => {
  const remove = (count: number) => outcomeOf('Bash', { command: 'rm src/*.bak' }, folderOf(count));
  expect([remove(19_999), remove(20_000)]).toEqual(['allow', 'deny']);
});

test('no tool but the shell is its matter', () => {
  expect(outcomeOf('Write', { file_path: 'src/1', content: '' }, folderOf(1))).toBe('not_applicable');
});
