import { resolve } from 'node:path';
import { agentNames } from '../../io/bundle/load-garden.ts';
import { openBundle, type OpenBundle } from '../../io/bundle/open-bundle.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import { withdrawnFrom } from '../../io/bundle/sidecar-files.ts';
import type { AgentReading, GardenReading } from '../../quality/report/garden-reading.ts';
import { SHARED } from '../../schema/uri.ts';
import type { SignedRoot } from '../../trust/root-chain.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPORT } from '../../world/flags/quality.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

type BundleFlags = Pick<Arguments<typeof REPORT>, 'trust' | 'dev'>;

/** A bundle to report on. */
export interface ReportedBundle {
  readonly bundle: OpenBundle;
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly shared: GardenReading;
  readonly read: (agent: string) => AgentReading;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Opens a bundle to report on it; `pinned` for one with a trust root of its own.
 *
 * @throws bundle_not_found, bundle_unverified
 */
export function openReportedBundle(
  folder: string,
  flags: BundleFlags,
  world: World,
  pinned: SignedRoot = pinnedRoot(flags, world),
): ReportedBundle {
  const now = world.now().toISOString();
  const bundle = openBundle(resolve(world.cwd, folder), { pinned, now });
  const withdrawn = withdrawnFrom(bundle);
  const shared = readReading(filesOf(bundle), SHARED, withdrawn);
  return {
    bundle,
    agents: agentNames(bundle),
    shared,
    read: (name) => ({ own: readReading(filesOf(bundle), name, withdrawn), shared }),
    now,
  };
}
