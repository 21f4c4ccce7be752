import { PassThrough, Readable } from 'node:stream';
import type { World } from '../../compiler/world/world.ts';

/** A world for commands that run in this process: silent, and never ended. */
export function worldIn(cwd: string, now: Date = new Date(0)): World {
  const silent = () => undefined;
  const never = new Promise<never>(silent);
  return {
    cwd,
    env: {},
    now: () => now,
    random: (bytes) => Buffer.alloc(bytes),
    say: silent,
    detail: silent,
    progress: silent,
    progressOnTerminal: silent,
    stdin: () => never,
    streams: () => ({ input: Readable.from([]), output: new PassThrough() }),
    note: () => undefined,
    ended: never,
  };
}
