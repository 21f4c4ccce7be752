import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CURRENT } from '../io/bundle/open-bundle.ts';
import { mustLock } from '../io/files/only-writer.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';
import { endedBy } from '../world/heed-signal.ts';
import { UNCOMPILED } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import { publishedBy, runVade } from './child-publisher.ts';

/** Held by the session of a checkout that compiles. */
const LOCK = `${PRIVATE_FOLDER}/compile.lock`;

/** Hosts wait half a minute for a server. */
const MOST_WAIT_MS = 20_000;
const PAUSE_MS = 100;

/**
 * Compiles HEAD for development once in a session: in a child process, which ends with this one, and not while another
 * session of the checkout does. A failure leaves the bundle as it is, and is said once.
 *
 * @returns begins it beside a server; without a bundle it is done, and the first one is there
 * @throws bundle_not_found, interrupted, terminated
 */
export async function childCompiler(bundle: string, world: World): Promise<() => void> {
  const lock = resolve(world.cwd, LOCK);
  const begin = () =>
    void compileUnder(lock, world).catch((error: unknown) => {
      if (error instanceof VadeError && error.code === 'file_locked') return;
      world.say(`warning: vade compile --dev failed, and the bundle stays as it was: ${messageOf(error)}`);
    });
  const isThere = () => existsSync(join(bundle, CURRENT));
  if (isThere()) return begin;
  begin();
  const ended = world.ended.then((signal) => Promise.reject(endedBy(signal)));
  for (let waited = 0; waited < MOST_WAIT_MS && !isThere() && existsSync(lock); waited += PAUSE_MS)
    await Promise.race([setTimeout(PAUSE_MS), ended]);
  if (!isThere()) throw new VadeError('bundle_not_found', UNCOMPILED);
  return () => undefined;
}

/** @throws file_locked, output_failed, and the error of the compile */
async function compileUnder(lock: string, { cwd, env: { VADE_SIGNING_KEY: _, ...env } }: World): Promise<void> {
  const release = mustLock(lock, 'another session compiles');
  try {
    publishedBy(await runVade(['compile', '--dev', '--format=json', '--quiet'], Buffer.alloc(0), { cwd, env }));
  } finally {
    release();
  }
}
