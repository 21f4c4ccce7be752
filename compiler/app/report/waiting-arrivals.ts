import { takeWaiting } from '../../../server/audit/take-arrivals.ts';
import { arrivalsPlace } from '../../world/arrivals-place.ts';
import { writtenAudit } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { AUDIT } from '../../world/flags/shared.ts';
import type { World } from '../../world/world.ts';

/** Takes what hooks of the current folder wrote into its audit, before a command reads that. */
export async function takeWaitingArrivals(flags: Arguments<typeof AUDIT>, world: World): Promise<void> {
  const problems = await takeWaiting(arrivalsPlace(world.cwd), writtenAudit(flags, world));
  if (problems.length > 0) world.say(problems.map((it) => `arrivals of hooks: ${it}`));
}
