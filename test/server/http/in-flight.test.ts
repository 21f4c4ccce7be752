import { describe, expect, test } from 'vitest';
import { inFlight } from '../../../server/http/shutdown.ts';

/** Everything that is in flight. */
function all(flight: ReturnType<typeof inFlight<string>>): string[] {
  const found: string[] = [];
  flight.each((it) => found.push(it));
  return found;
}

describe('requests in flight', () => {
  test('what has left is no longer visited, and all that is still there is', () => {
    const flight = inFlight<string>();
    const [a] = ['a', 'b', 'c'].map((it) => flight.enter(it));
    flight.leave(a ?? -1);
    expect(all(flight)).toEqual(['b', 'c']);
  });

  test('a place that is free is taken again, so that as many places exist as were needed at once', () => {
    const flight = inFlight<string>();
    const taken = Array.from({ length: 100 }, (_, i) => {
      const place = flight.enter(String(i));
      flight.leave(place);
      return place;
    });
    expect(new Set(taken)).toEqual(new Set([0]));
    expect(flight.enter('a')).toBe(0);
    expect(flight.enter('b')).toBe(1);
    expect(all(flight)).toEqual(['a', 'b']);
  });
});
