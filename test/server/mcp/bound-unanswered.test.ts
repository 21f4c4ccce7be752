import { PassThrough } from 'node:stream';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { boundUnanswered } from '../../../server/mcp/bound-unanswered.ts';

/** A transport whose requests nobody has answered yet. */
function bounded(highWaterMark = 16_384) {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark })];
  const [transport] = InMemoryTransport.createLinkedPair();
  const delivered: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void delivered.push(message);
  boundUnanswered(transport, { input, output });
  const ask = (id: number) => transport.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} }).catch(() => undefined);
  const cancel = (requestId: number) =>
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  return { input, output, delivered, ask, answer, cancel };
}

describe('requests that wait for their answer', () => {
  test('the sixty-fourth is delivered, and nothing more is read until one is answered', async () => {
    const { input, delivered, ask, answer } = bounded();
    for (let id = 1; id <= 63; id++) ask(id);
    expect(input.isPaused()).toBe(false);
    ask(64);
    expect([input.isPaused(), delivered.length]).toEqual([true, 64]);
    await answer(7);
    expect(input.isPaused()).toBe(false);
  });

  test('a cancelled request is not waited for', () => {
    const { input, ask, cancel } = bounded();
    for (let id = 1; id <= 64; id++) ask(id);
    cancel(3);
    expect(input.isPaused()).toBe(false);
  });

  test('nothing is read while the host does not read', async () => {
    const { input, output, ask, answer } = bounded(8);
    output.write('more than eight bytes');
    ask(1);
    expect(input.isPaused()).toBe(true);
    await answer(1);
    expect(input.isPaused()).toBe(true);
    output.resume();
    await new Promise((resolve) => output.once('drain', resolve));
    ask(2);
    expect(input.isPaused()).toBe(false);
  });
});
