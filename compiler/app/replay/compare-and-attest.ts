import { spooledWarnings } from '../../world/audit-place.ts';
import type { World } from '../../world/world.ts';
import { compareAgent, openShadowRun, type ShadowFlags } from './shadow.ts';

/**
 * Compares lazy with eager loading for an agent, and signs evidence of it if the flags say so.
 *
 * @throws what `attest` throws
 */
export async function compareAndAttest(args: ShadowFlags, world: World) {
  const run = openShadowRun(args, world);
  const compared = await compareAgent(run);
  const attested = args.attest ? await (await import('./attest.ts')).attest(args, run, compared, world) : null;
  const { effect = 'noop', checks, warnings = [], evidence = null } = attested ?? {};
  const all = compared.shadowed.heartbeats;
  const listed = args.limit === 0 ? all : all.slice(0, args.limit);
  const shadow = { ...compared.shadow, rules: [...(checks ?? compared.shadow.rules)] };
  return {
    data: { effect, shadow, listed, omitted: all.length - listed.length, evidence },
    attested,
    warnings: [...warnings, ...spooledWarnings(run.spooled)],
  };
}
