import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/** A server as whoever looks after it sees it. */
export interface Watched {
  readonly url: string;
  /** Of an administrator. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The figures of `/metrics` that have no labels. */
export async function scrape({ url, headers }: Watched): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const lines = text.split('\n').map((line) => /^(vade_\w+) (\S+)$/.exec(line));
  return new Map(lines.flatMap((it) => (it ? [[it[1] ?? '', Number(it[2])] as const] : [])));
}

/** Waits until no row is in the spool any more; answers the last figures. @throws Error where some stay */
export async function caughtUp(server: Watched): Promise<ReadonlyMap<string, number>> {
  let figures = await scrape(server);
  const isDone = () => figures.get('vade_audit_spooled_rows') === 0 && figures.get('vade_audit_up') === 1;
  const patience = { timeout: 60_000, interval: 50 };
  await vi.waitUntil(async () => {
    figures = await scrape(server);
    return isDone();
  }, patience);
  return figures;
}

/** A figure as it was at some moment of `performance.now()`. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Looks at one figure over and over, until it is told to end; answers what it saw, in order. */
export function watchFigure(server: Watched, name: string): () => Promise<readonly Sample[]> {
  const ended = new AbortController();
  const watching = (async () => {
    const samples: Sample[] = [];
    while (!ended.signal.aborted) {
      const value = (await scrape(server)).get(name) ?? 0;
      samples.push({ at: performance.now(), value });
      await sleep(50);
    }
    return samples;
  })();
  return () => {
    ended.abort();
    return watching;
  };
}
