import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdAgent } from '../../../compiler/tasks/use-cases/agent-lock.ts';
import { tempFolder } from '../../support/folder.ts';

const coded = (code: string) => expect.objectContaining({ code }) as unknown;

test('an agent is held by one at a time, and each agent for itself', () => {
  const tasks = tempFolder();
  const release = holdAgent({ tasks }, 'a-1');
  expect(existsSync(join(tasks, 'locks/a-1'))).toBe(true);
  expect(() => holdAgent({ tasks }, 'a-1')).toThrow(coded('file_locked'));
  holdAgent({ tasks }, 'a-2')();
  release();
  holdAgent({ tasks }, 'a-1')();
});

test('where the folder of locks cannot be made, nothing is held', () => {
  const tasks = tempFolder();
  writeFileSync(join(tasks, 'locks'), 'a file where the folder should be');
  expect(() => holdAgent({ tasks }, 'a-1')).toThrow(coded('output_failed'));
});
