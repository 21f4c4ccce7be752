import { resolve } from 'node:path';
import { startHere } from '../../../server/local.ts';
import { openBundle } from '../../io/bundle/open-bundle.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { fitStartup, startupView } from '../fit-startup.ts';
import { CHARACTERS_PER_TOKEN, SELECTORS } from '../schema/limits.ts';
import { capsulesFrom } from './capsules-place.ts';
import type { STARTUP } from './flags.ts';

/**
 * Reads what an agent sees of its capsules at a start, and the text of it.
 *
 * @throws bundle_not_found, bundle_unverified, agent_not_found, continuity_unavailable
 */
export async function readStartup({ agent, budget, continuity, ...flags }: Arguments<typeof STARTUP>, world: World) {
  const belief = { pinned: pinnedRoot(flags, world), now: world.now().toISOString() };
  const start = await startHere(
    {
      bundle: openBundle(resolve(world.cwd, flags.bundle), belief),
      queries: () => Promise.resolve(null),
      agent,
      audit: null,
      continuity: capsulesFrom(continuity, world),
      now: () => world.now().getTime(),
    },
    SELECTORS.most,
  );
  const { text, views, left_out } = fitStartup(start, budget * CHARACTERS_PER_TOKEN);
  const { unreadable, handoffs, due, more } = start;
  return { views: views.map(startupView), left_out, unreadable, handoffs, due: due.items, more, text };
}
