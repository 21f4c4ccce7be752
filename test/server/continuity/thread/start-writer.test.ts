import { expect, test } from 'vitest';
import { startWriter } from '../../../../server/continuity/thread/start-writer.ts';

test('a thread that dies while its server stops is reported, and does not fail the stop', async () => {
  const troubles: string[] = [];
  // without options the thread throws before it answers anything
  const thread = startWriter(null as never, (it) => troubles.push(it));
  const refused = expect(thread.health()).rejects.toMatchObject({ code: 'continuity_unavailable' });
  await expect(thread.end()).resolves.toBeUndefined();
  await refused;
  expect([thread.hasEnded(), troubles.length]).toEqual([true, 1]);
});
