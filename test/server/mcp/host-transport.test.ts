import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { HostTransport } from '../../../server/mcp/host-transport.ts';
import { rpc } from './asking.ts';

/** A transport whose requests nobody has answered yet. */
function hosted(highWaterMark = 16_384) {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark })];
  const transport = new HostTransport(input, output);
  const delivered: JSONRPCMessage[] = [];
  const state = { closed: false, faults: [] as string[] };
  transport.onmessage = (message) => void delivered.push(message);
  transport.onclose = () => void (state.closed = true);
  transport.onerror = ({ message }) => void state.faults.push(message);
  void transport.start();
  const say = async (...lines: string[]) => {
    input.write(lines.map((it) => `${it}\n`).join(''));
    await new Promise(setImmediate);
  };
  const ask = (...ids: number[]) => say(...ids.map((id) => rpc('ping', undefined, id)));
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} });
  const cancel = (requestId: number) =>
    say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
  const end = async (rest = '') => {
    input.end(rest);
    await new Promise(setImmediate);
  };
  const told = () => {
    const text = (output.read() as Buffer | null)?.toString('utf8') ?? '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  };
  return { input, output, delivered, state, transport, say, ask, answer, cancel, end, told };
}

const UP_TO_63 = Array.from({ length: 63 }, (_, at) => at + 1);
const refusal = (id: unknown, code: number, data?: object) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) as string, ...(data && { data }) },
});

const UNREAD = { code: 'request_invalid' };

describe('requests that wait for their answer', () => {
  test('the sixty-fourth is delivered, and nothing more is read until one is answered', async () => {
    const { input, delivered, ask, answer } = hosted();
    await ask(...UP_TO_63);
    expect(input.isPaused()).toBe(false);
    await ask(64);
    expect([input.isPaused(), delivered.length]).toEqual([true, 64]);
    await answer(7);
    expect(input.isPaused()).toBe(false);
  });

  test('a cancelled request is not waited for', async () => {
    const { input, ask, cancel } = hosted();
    await ask(...UP_TO_63);
    await cancel(3);
    await ask(64);
    expect(input.isPaused()).toBe(false);
  });

  test('nothing is read while the host does not read', async () => {
    const { input, output, ask, answer } = hosted(8);
    output.write('more than eight bytes');
    await ask(1);
    expect(input.isPaused()).toBe(true);
    const answered = answer(1);
    expect(input.isPaused()).toBe(true);
    output.resume();
    await answered;
    expect(input.isPaused()).toBe(false);
  });
});

describe('the end of the input', () => {
  test('what was read is answered before the connection closes', async () => {
    const { state, ask, answer, end, told } = hosted();
    await ask(1, 2);
    await end();
    await answer(1);
    expect(state.closed).toBe(false);
    await answer(2);
    expect([state.closed, told()]).toEqual([true, [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} }))]);
  });

  test('without a request that waits the connection closes at once', async () => {
    const { state, ask, answer, cancel, end } = hosted();
    await ask(1, 2);
    await answer(1);
    await cancel(2);
    await end();
    expect(state.closed).toBe(true);
  });

  test('a last line without an end is read', async () => {
    const { delivered, state, end, told } = hosted();
    await end(rpc('ping', undefined, 5));
    expect([delivered.length, state.closed]).toEqual([1, false]);
    const other = hosted();
    await other.end('{"jsonrpc":"2.0","id":9,"method":"ping"');
    expect([told(), other.told(), other.state.closed]).toEqual([[], [refusal(null, -32700, UNREAD)], true]);
  });
});

describe('what JSON-RPC 2.0 §5 says of a line that is no message', () => {
  test.each([
    ['no JSON', '{not json', refusal(null, -32700, UNREAD)],
    ['a method that is a number', '{"jsonrpc":"2.0","id":7,"method":42}', refusal(7, -32600)],
    [
      'an ID that a reader of JSON rounds',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      refusal(null, -32600, UNREAD),
    ],
    ['a subscription', rpc('subscriptions/listen', {}), refusal(1, -32601)],
    ['a cursor that nobody gave out', rpc('tools/list', { cursor: 'abc' }), refusal(1, -32602)],
  ])('%s is answered, logged, and nothing is delivered', async (_what, line, answer) => {
    const { say, told, delivered, state } = hosted();
    await say(line);
    expect([told(), delivered.length, state.faults.length, state.closed]).toEqual([[answer], 0, 1, false]);
  });

  test('a line that is not UTF-8, and a number that would be rounded, are refused, and the next line is read', async () => {
    const { input, told, delivered, say } = hosted();
    const sent = Buffer.from(rpc('tools/call', { name: 'x', arguments: { intent: 'café' } }), 'latin1');
    input.write(Buffer.concat([sent, Buffer.from('\n')]));
    await say(rpc('ping', { n: 'HERE' }).replace('"HERE"', '1546130668394913822'), rpc('ping'));
    expect([told(), delivered.length]).toEqual([[refusal(null, -32700, UNREAD), refusal(null, -32600, UNREAD)], 1]);
  });

  test('a byte-order mark before the first message, blank lines and CRLF are no fault', async () => {
    const { say, told, delivered } = hosted();
    await say(`\uFEFF${rpc('ping')}\r`, '', '  ', rpc('ping', undefined, 2));
    expect([told(), delivered.length]).toEqual([[], 2]);
  });

  test('a line in many pieces is one message, and one of more than 10 MiB ends the connection', async () => {
    const { input, delivered, state } = hosted();
    for (const letter of `${rpc('ping')}\n`) input.write(letter);
    await new Promise(setImmediate);
    expect(delivered).toHaveLength(1);
    for (let part = 0; part < 11; part++) input.write('x'.repeat(1024 * 1024));
    await new Promise(setImmediate);
    expect([state.closed, state.faults.length]).toEqual([true, 1]);
  });
});

describe('a batch, as JSON-RPC 2.0 §6 has it', () => {
  test('it is answered by one list, once the last of its requests is answered', async () => {
    const { say, answer, told } = hosted();
    await say(
      `[${rpc('ping', undefined, 2)},{"jsonrpc":"2.0","method":"notifications/initialized"},7,${rpc('ping', undefined, 3)}]`,
    );
    await answer(3);
    expect(told()).toEqual([]);
    await answer(2);
    const results = [3, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} }));
    expect(told()).toEqual([[refusal(null, -32600), ...results]]);
  });

  test('a cancelled request of it is not waited for', async () => {
    const { say, answer, cancel, told } = hosted();
    await say(`[${rpc('ping', undefined, 2)},${rpc('ping', undefined, 3)}]`);
    await answer(2);
    await cancel(3);
    expect(told()).toEqual([[{ jsonrpc: '2.0', id: 2, result: {} }]]);
  });

  test('one ID in it twice is answered as often as it was asked', async () => {
    const { say, answer, told, end, state } = hosted();
    await say(`[${rpc('ping', undefined, 2)},${rpc('ping', undefined, 2)}]`);
    await answer(2);
    await answer(2);
    await end();
    const result = { jsonrpc: '2.0', id: 2, result: {} };
    expect([told(), state.closed]).toEqual([[[result], result], true]);
  });

  test.each([
    ['an empty one', '[]', refusal(null, -32600)],
    ['one of 101 messages', `[${Array.from({ length: 101 }, () => rpc('ping')).join()}]`, refusal(null, -32600)],
    ['one of numbers', '[1,2]', [refusal(null, -32600), refusal(null, -32600)]],
  ])('%s is refused', async (_what, line, answer) => {
    const { say, told, delivered } = hosted();
    await say(line);
    expect([told(), delivered.length]).toEqual([[answer], 0]);
  });

  test('notifications alone have no answer', async () => {
    const { say, told, delivered } = hosted();
    await say('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    expect([told(), delivered.length]).toEqual([[], 1]);
  });
});
