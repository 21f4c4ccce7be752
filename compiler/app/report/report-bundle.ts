import { resolve } from 'node:path';
import { agentNames, loadProven, loadShared } from '../../io/bundle/load-garden.ts';
import { openBundle, type OpenBundle, type ProvenGarden } from '../../io/bundle/open-bundle.ts';
import { filesOf, readReading } from '../../io/bundle/read-garden.ts';
import { withdrawnFrom } from '../../io/bundle/sidecar-files.ts';
import type { AgentReading, GardenReading } from '../../quality/report/garden-reading.ts';
import { playgroundFiles } from '../../quality/report/playground.ts';
import { withoutWithdrawn } from '../../recall/recall-garden.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { SHARED } from '../../schema/uri.ts';
import type { SignedRoot } from '../../trust/root-chain.ts';
import { isWithdrawn } from '../../trust/withdrawal.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPORT } from '../../world/flags/quality.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

type BundleFlags = Pick<Arguments<typeof REPORT>, 'trust' | 'dev'>;

/** One agent's verified garden, ready to report. */
interface ReportedAgent {
  readonly reading: AgentReading;
  /** The data of the page's playground. */
  readonly playground: () => Buffer;
}

/** A bundle to report on. */
export interface ReportedBundle {
  readonly bundle: OpenBundle;
  readonly named: { readonly revision: string; readonly root: OpenBundle['root']['predicate'] };
  /** Short names, sorted. */
  readonly agents: readonly string[];
  readonly shared: GardenReading;
  readonly read: (agent: string) => AgentReading;
  readonly open: (agent: string) => ReportedAgent;
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
  const facts = loadShared(bundle);
  const shared = readReading(filesOf(bundle), SHARED, withdrawn);
  return {
    bundle,
    named: { revision: bundle.revision, root: bundle.root.predicate },
    agents: agentNames(bundle),
    shared,
    read: (name) => ({ own: readReading(filesOf(bundle), name, withdrawn), shared }),
    open: (name) => openAgent(bundle.readGarden(name), { bundle, facts, shared, withdrawn }),
    now,
  };
}

interface AgentContext {
  readonly bundle: OpenBundle;
  readonly facts: readonly Fact[];
  readonly shared: GardenReading;
  readonly withdrawn: ReadonlySet<string>;
}

/** Reads and verifies each file of the garden once. */
function openAgent(proven: ProvenGarden, { bundle, facts, shared, withdrawn }: AgentContext): ReportedAgent {
  const garden = withoutWithdrawn(loadProven(bundle, proven, facts).recall, (fact) => isWithdrawn(withdrawn, fact));
  const file = (_: string, path: string) => proven.files.get(path) ?? null;
  const reading = { own: readReading({ envelope: () => proven, file }, proven.name, withdrawn), shared };
  return {
    reading,
    playground: () => Buffer.from(JSON.stringify(playgroundFiles(proven.files, garden))),
  };
}
