import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { mainCheckout } from '../../io/git/main-checkout.ts';

/** The place that a session works in. */
export interface Project {
  /** The top of the working tree, to which paths in patterns are relative. */
  readonly tree: string;
  /** The folder of the bundle and of `.vade`: the tree itself, or the main checkout of a linked worktree. */
  readonly home: string;
}

/**
 * Finds the project from the folder that the host started the session in. The folder of an event is not asked: an agent
 * that enters a foreign repository must not be instructed by it.
 *
 * @param start the host's folder of the session
 * @param bundle the bundle's folder, relative to the project
 * @returns null where no folder above has a bundle
 */
export function findProject(start: string, bundle: string): Project | null {
  for (let tree = resolve(start); ; tree = dirname(tree)) {
    if (existsSync(resolve(tree, bundle, 'current'))) return { tree, home: tree };
    const main = mainCheckout(tree);
    if (main !== null && existsSync(resolve(main, bundle, 'current'))) return { tree, home: main };
    if (dirname(tree) === tree) return null;
  }
}
