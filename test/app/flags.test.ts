import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesIn } from '../support/architecture.ts';

/** Flags that a use case lists by hand: an interface of flags, or a member with a name that only a flag has. */
function handCopies(text: string): string[] {
  return text.match(/\binterface \w*Flags\b|\breadonly '[a-z]+(?:-[a-z]+)+'\??:|\breadonly dev: boolean;/g) ?? [];
}

test('use cases derive the types of their arguments from the tables of flags', () => {
  const rooms = ['app', 'world', 'capabilities/use-cases', 'tasks/use-cases', 'continuity/use-cases'];
  const files = rooms.flatMap((room) => sourcesIn(`compiler/${room}`));
  expect(files).toContain('compiler/world/flags/quality.ts');
  expect(files.filter((file) => handCopies(readFileSync(file, 'utf8')).length > 0)).toEqual([]);
});

test.each([
  'export interface ReportFlags extends BundleFlags {',
  "{ readonly 'dry-run': boolean }",
  '  readonly dev: boolean;',
])('the hand copy %s is seen', (text) => {
  expect(handCopies(text)).toHaveLength(1);
});
