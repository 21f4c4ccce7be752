import { startHere } from '../../../server/local.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
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
  const start = await startHere(
    {
      bundle: pinnedBundle(flags, world),
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
