import { Agent, request } from 'node:http';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { keepFigure } from './page/figure.ts';

/** Median and 99th percentile of some durations, in milliseconds. */
export interface Spread {
  readonly median: number;
  readonly p99: number;
}

export function spread(durations: readonly number[]): Spread {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

/** Milliseconds that some work takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Median milliseconds of two works in turns, without the first turns: neither alone pays for a cold disk. */
export async function inTurns(one: () => unknown, other: () => unknown, turns = 7) {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    ours.push(await time(one));
    theirs.push(await time(other));
  }
  return { ours: spread(ours.slice(1)).median, theirs: spread(theirs.slice(1)).median };
}

/** Prints one figure with what it must reach, and keeps it for the page of figures. */
export function report(what: string, figure: string, target: string): void {
  process.stdout.write(`  ${what.padEnd(58)} ${figure.padStart(22)}   ${target}\n`);
  const bench = basename(expect.getState().testPath ?? '', '.bench.ts');
  keepFigure({ bench, what, measured: figure, limit: target });
}

/** A client with one keep-alive connection. */
export function keepAlive(url: string, headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string) =>
    new Promise<Buffer>((resolve, reject) => {
      const call = request(url, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve(Buffer.concat(chunks));
        });
      });
      call.on('error', reject);
      call.end(body);
    });
  const end = () => {
    agent.destroy();
  };
  return { post, end };
}
