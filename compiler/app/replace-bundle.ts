import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CURRENT, currentRevision } from '../io/bundle/open-bundle.ts';
import { writeBundle } from '../io/bundle/write-bundle.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../schema/errors.ts';

const TRIES = 300;
const WAIT_MS = 100;

/** Writes the bundle once no other writer locks its folder, unless a newer bundle is there by then. */
export async function replaceBundle(folder: string, bundle: Bundle, commit: string): Promise<void> {
  const isOutdated = () =>
    existsSync(join(folder, CURRENT)) &&
    Number.parseInt(currentRevision(folder), 10) > bundle.statement.predicate.serial;
  for (let tries = 1; ; tries++) {
    try {
      writeBundle(folder, bundle, null, isOutdated);
      return;
    } catch (error) {
      const locked = error instanceof VadeError && error.code === 'file_locked';
      if (!locked || tries === TRIES) {
        const message = `${commit} is published, but its bundle is not written (${messageOf(error)}): run vade compile`;
        throw new VadeError('bundle_not_written', message, { commit });
      }
      await setTimeout(WAIT_MS);
    }
  }
}
