import { resolve } from 'node:path';
import { openBundle, type OpenBundle } from '../io/bundle/open-bundle.ts';
import type { Arguments } from './flags/flag.ts';
import type { BUNDLE_FLAGS } from './flags/shared.ts';
import { pinnedRoot } from './trust-keys.ts';
import type { World } from './world.ts';

/** The bundle of a command, as of now. @throws trust_required, bundle_not_found, bundle_unverified */
export function pinnedBundle(flags: Arguments<typeof BUNDLE_FLAGS>, world: World): OpenBundle {
  const belief = { pinned: pinnedRoot(flags, world), now: world.now().toISOString() };
  return openBundle(resolve(world.cwd, flags.bundle), belief);
}
