import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArrivalsPlace } from '../io/files/arrivals-spool.ts';
import { realOf } from '../io/files/paths-within.ts';
import { mainCheckout } from '../io/git/main-checkout.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';

/**
 * The folders of a project in which its hooks keep their arrivals. A linked worktree shares those of its main checkout.
 * Nothing is created, and git is not run.
 *
 * @param project the folder of the project
 */
export function arrivalsPlace(project: string): ArrivalsPlace {
  const own = realOf(project);
  const main = mainCheckout(own) ?? own;
  const user = process.geteuid?.() ?? 'user';
  const scratch = join(tmpdir(), `vade-${user}`, hash('sha256', main, 'hex').slice(0, 16));
  return { folder: join(main, PRIVATE_FOLDER), scratch };
}
