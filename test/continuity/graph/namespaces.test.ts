import { expect, test } from 'vitest';
import { namespaceOf } from '../../../compiler/continuity/graph/sources.ts';

test.each([
  ['tasks/t1.json', 'tasks'],
  ['memory/continuity/thread-x.json', 'continuity'],
  ['memory/schedule/items.json', 'schedule'],
  ['memory/coordination/handoff.json', 'coordination'],
  ['./memory//continuity/./thread-x.json', 'continuity'],
  ['memory/continuity', 'continuity'],
  ['memory/continuity-old/x.json', null],
  ['memory/x.json', null],
  ['docs/tasks/t1.json', null],
  ['', null],
])('%s is of the namespace %s', (path, namespace) => {
  expect(namespaceOf(path)).toBe(namespace);
});
