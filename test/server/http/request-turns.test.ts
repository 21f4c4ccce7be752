import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { gatherRequests } from '../../../server/http/connections.ts';

function send(listener: RequestListener, url: string): void {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  listener(request, new ServerResponse(request));
}

/** A listener that notes which requests it got, and when another step of each ran. */
function noted() {
  const steps: string[] = [];
  const listener = gatherRequests((request) => {
    steps.push(`${String(request.url)} begins`);
    void Promise.resolve().then(() => steps.push(`${String(request.url)} goes on`));
  });
  return { steps, send: send.bind(null, listener) };
}

describe('requests of one turn', () => {
  test('none begins before all were read, and each step runs for all of them before the next', async () => {
    const { steps, send } = noted();
    send('/a');
    send('/b');
    await Promise.resolve();
    expect(steps).toEqual([]);
    await nextTurn();
    expect(steps).toEqual(['/a begins', '/b begins', '/a goes on', '/b goes on']);
  });

  test('a request of a later turn is handed over too', async () => {
    const { steps, send } = noted();
    send('/a');
    await nextTurn();
    send('/b');
    await nextTurn();
    expect(steps).toEqual(['/a begins', '/a goes on', '/b begins', '/b goes on']);
  });

  test('a request that comes while others are handed over waits for the next turn', async () => {
    const begun: string[] = [];
    const listener = gatherRequests((request) => {
      begun.push(String(request.url));
      if (request.url === '/a') send(listener, '/b');
    });
    send(listener, '/a');
    await nextTurn();
    expect(begun).toEqual(['/a']);
    await nextTurn();
    expect(begun).toEqual(['/a', '/b']);
  });
});
