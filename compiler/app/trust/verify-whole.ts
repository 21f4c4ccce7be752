import { resolve } from 'node:path';
import { gardenOf } from '../../io/bundle/load-garden.ts';
import { currentRevision, openBundle } from '../../io/bundle/open-bundle.ts';
import { verifyBundle } from '../../io/bundle/verify-bundle.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { VERIFY } from '../flags/trust.ts';

/**
 * Verifies a whole bundle, or the garden that the flags name, step by step; a failed step does not end it.
 *
 * @throws bundle_not_found, agent_not_found, trust_required
 */
export async function verifyWhole(args: Arguments<typeof VERIFY>, world: World) {
  const folder = resolve(world.cwd, args.bundle);
  const belief = { pinned: pinnedRoot(args, world), now: world.now().toISOString() };
  currentRevision(folder);
  const garden = args.agent === undefined ? null : gardenOf(openBundle(folder, belief), args.agent);
  const previous = args.previous === undefined ? null : resolve(world.cwd, args.previous);
  return verifyBundle(folder, { ...belief, garden, previous });
}
