import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openChannel, type Answers, type Channel } from '../../../server/workers/questions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LEASE = { granted: 1, left: 2, until: 3 };
const REQUEST = { limit: 'agent', quota: 3, key: 'key:1' };

/** Two ends of a channel, whose messages are copied as between processes. */
function ends(answers: Answers): readonly [Channel, Channel] {
  const copied = (message: object): unknown => JSON.parse(JSON.stringify(message));
  const one: Channel = openChannel((message) => {
    other.take(copied(message));
  }, {});
  const other: Channel = openChannel((message) => {
    one.take(copied(message));
  }, answers);
  return [one, other];
}

test('a question gets the answer of the other process, also one that takes its time', async () => {
  const [one] = ends({ lease: ({ quota }) => ({ ...LEASE, left: quota }), settle: () => Promise.resolve(null) });
  const answers = await Promise.all([one.ask('lease', REQUEST), one.ask('settle', null)]);
  expect(answers).toEqual([{ ...LEASE, left: REQUEST.quota }, null]);
});

test('a question that the other process refuses, or does not know, is refused here', async () => {
  const [one] = ends({
    settle: () => {
      throw new Error('not now');
    },
  });
  await expect(one.ask('settle', null)).rejects.toThrow('not now');
  await expect(one.ask('scrape', null)).rejects.toThrow('scrape');
});

test('a question without an answer is given up, and a late answer changes nothing', async () => {
  let late: () => void = () => undefined;
  const [one] = ends({
    settle: () =>
      new Promise(
        (resolve) =>
          (late = () => {
            resolve(null);
          }),
      ),
  });
  const asked = expect(one.ask('settle', null)).rejects.toThrow('in time');
  await vi.advanceTimersByTimeAsync(5000);
  await asked;
  late();
  await vi.advanceTimersByTimeAsync(0);
});

test('what is asked of a process that has gone is refused at once', async () => {
  const one = openChannel(() => undefined, {});
  const asked = expect(one.ask('settle', null)).rejects.toThrow('has ended');
  one.close();
  await asked;
});

test.each([null, 'text', 7, {}, { told: 'ready' }])(
  'a message that is no question and no answer is ignored: %j',
  (message) => {
    const sent: object[] = [];
    const one = openChannel((it) => sent.push(it), {});
    one.take(message);
    one.take({ answered: 99, answer: 'to nothing' });
    expect(sent).toEqual([]);
  },
);
