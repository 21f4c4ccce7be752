import { randomBytes } from 'node:crypto';
import { VadeError } from '../schema/errors.ts';
import type { World } from '../world/world.ts';
import type { DeploymentOptions } from './options.ts';

/** The world of a program that calls the library: no terminal, no signals, and no environment but what it hands in. */
export function silentWorld({ cwd, env, now, onNotice }: DeploymentOptions): World {
  const nothing = () => undefined;
  const noTerminal = () => {
    throw new VadeError('internal', 'a library has no standard input');
  };
  return {
    cwd: cwd ?? process.cwd(),
    env: env ?? {},
    now: now ?? (() => new Date()),
    random: randomBytes,
    say: (text) => {
      onNotice?.(typeof text === 'string' ? text : text.join('\n'));
    },
    detail: nothing,
    note: nothing,
    stdin: noTerminal,
    streams: noTerminal,
    progress: nothing,
    progressOnTerminal: nothing,
    ended: new Promise(nothing),
  };
}

/** Trust root that the caller names. */
export function trustOf({ trust, dev = false }: DeploymentOptions): { trust: string | undefined; dev: boolean } {
  return { trust, dev };
}
