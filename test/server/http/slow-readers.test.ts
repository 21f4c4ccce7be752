import { Duplex } from 'node:stream';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONNECTION_LIMITS, limitConnections } from '../../../server/http/connections.ts';

const { answerMs } = CONNECTION_LIMITS;
const WAITING = 1_000_000;

/** A connection whose client has taken so many bytes of an answer, and for which so many still wait. */
function connection() {
  const counts = { taken: 0, waits: WAITING };
  const socket = new Duplex({ read: () => undefined });
  Object.defineProperties(socket, {
    bytesWritten: { get: () => counts.taken + counts.waits },
    writableLength: { get: () => counts.waits },
  });
  return { counts, socket };
}

let client: ReturnType<typeof connection>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  client = connection();
  limitConnections(express(), () => ({})).emit('connection', client.socket);
});

afterEach(() => {
  client.socket.destroy();
  vi.useRealTimers();
});

/** The client reads steadily for so many seconds; whether it is still connected afterwards. */
function reads(bytesPerSecond: number, seconds: number): boolean {
  for (let second = 0; second < seconds; second++) {
    client.counts.taken += bytesPerSecond;
    vi.advanceTimersByTime(1000);
  }
  return !client.socket.destroyed;
}

describe('DESIGN §6.12 the least speed of a reading client', () => {
  test('a client that reads a little more than 1 KiB/s is never disconnected', () => {
    expect(reads(1100, 600)).toBe(true);
  });

  test('a client that reads less than 1 KiB/s is disconnected after 30 seconds, not sooner', () => {
    expect(reads(900, 30)).toBe(true);
    expect(reads(900, 2)).toBe(false);
  });

  test('a client that stops reading is disconnected, however fast it read before', () => {
    expect(reads(1_000_000, 60)).toBe(true);
    expect(reads(0, 29)).toBe(true);
    expect(reads(0, 3)).toBe(false);
  });

  test('a client that asks for more and more, and reads nothing, is disconnected', () => {
    for (let second = 0; second < 40; second++) {
      client.counts.waits += 100_000;
      vi.advanceTimersByTime(1000);
    }
    expect(client.socket.destroyed).toBe(true);
  });

  test('a client that has read its answer completely can be silent for any time', () => {
    expect(reads(0, 20)).toBe(true);
    client.counts.waits = 0;
    expect(reads(0, 600)).toBe(true);
    client.counts.waits = WAITING;
    expect(reads(0, answerMs / 1000)).toBe(true);
    expect(reads(0, 2)).toBe(false);
  });
});
