import { blobsOf } from '../history/unit-versions.ts';
import type { RootEntry } from '../schema/bundle/bundle.ts';
import { untriggeredIn } from '../schema/bundle/coverage.ts';
import type { Garden } from '../schema/bundle/garden.ts';
import { countListed, type ListedUnits } from '../schema/bundle/manifest.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { loadSkillFiles, unitBlobs, type BlobStore } from '../sources/blobs.ts';
import type { Configuration } from '../sources/config.ts';
import { byText } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';
import type { FoundDiagnostics } from './found-diagnostics.ts';
import { planGardens, planSharedGarden, type GardenPlan } from './garden-plan.ts';
import { buildAgentGarden, buildSharedGarden, type BuiltAgentGarden, type BuiltSharedGarden } from './garden.ts';
import type { Previous } from './previous-bundle.ts';
import { findReusable } from './reusable-gardens.ts';

/** The gardens of a bundle. */
export interface BuiltGardens {
  /** Gardens that were built now. */
  readonly built: readonly Garden[];
  /** The gardens that recall answers from, as the root names them. */
  readonly entries: readonly RootEntry[];
  /** Number of gardens that are reused from the previous bundle. */
  readonly reused: number;
  /** Number of its units that each agent's manifest lists, by agent. */
  readonly listed: readonly ListedUnits[];
  /** Diagnostics of the agents' gardens that were built now. */
  readonly faults: readonly Diagnostic[];
}

/** Builds the shared garden, then each agent's garden if its inputs have changed since the previous bundle. */
export async function buildGardens(
  context: CompileContext,
  configuration: Configuration,
  blobs: BlobStore,
  found: FoundDiagnostics,
  progress: (done: number, total: number) => void,
): Promise<BuiltGardens> {
  const sharedPlan = planSharedGarden(context);
  const shared = found.take(await buildSharedGarden(context, sharedPlan));
  const plans = planGardens(context, configuration, shared.garden.digest);
  const reusable = findReusable(context.previous, plans, context.signers);
  const changed = plans.filter(({ name }) => !reusable.has(name));
  const built: Garden[] = [shared.garden];
  const entries = [...reusable.values(), toEntry(shared.garden, null, sharedPlan.inputs)];
  const listed = [...reusable.keys()].flatMap((it) => listedBefore(context.previous, it));
  const faults: Diagnostic[] = [];
  let done = 0;
  for await (const [plan, made] of buildAgentGardens(context, changed, shared, blobs)) {
    progress(done++, changed.length);
    const { garden } = found.take(made);
    faults.push(...made.faults);
    built.push(garden);
    if (made.listed) listed.push(made.listed);
    entries.push(toEntry(garden, plan.agent.config.agent_id, plan.inputs));
  }
  listed.sort((a, b) => byText(a.agent, b.agent));
  return { built, entries, reused: reusable.size, listed, faults };
}

function listedBefore(previous: Previous | null, garden: string): ListedUnits[] {
  const manifest = previous?.manifest(garden);
  return manifest ? [countListed(garden, manifest, untriggeredIn(previous?.coverage(garden)?.units ?? []))] : [];
}

/** From so many gardens on, threads save more than it takes to start them. */
const MANY = 16;
/** Number of gardens in work beyond the number of threads: the compile itself always has something to do. */
const SPARE = 2;

/** Builds gardens in their order; while git reads for some and threads work for others, the next ones are begun. */
async function* buildAgentGardens(
  context: CompileContext,
  plans: readonly GardenPlan[],
  shared: BuiltSharedGarden,
  blobs: BlobStore,
): AsyncGenerator<readonly [GardenPlan, BuiltAgentGarden]> {
  const threads = plans.length < MANY ? undefined : context.startThreads?.();
  const together = threads ? { ...context, threads } : context;
  const left = readInOrder(plans, async ({ site, name }) => {
    await blobs.load([...unitBlobs(site), ...blobsOf(context.histories.get(name))]);
    await loadSkillFiles(site.units, blobs);
  });
  const begun: { readonly plan: GardenPlan; readonly garden: Promise<BuiltAgentGarden> }[] = [];
  const begin = () => {
    const next = left.shift();
    if (!next) return;
    const { plan } = next;
    const garden = next.read.then(() => buildAgentGarden(together, plan, shared));
    begun.push({ plan, garden });
    // a failure is thrown in its turn
    garden.then(begin, () => undefined);
  };
  try {
    for (let at = threads ? threads.room + SPARE : 1; at > 0; at--) begin();
    for (let next = begun.shift(); next; next = begun.shift()) yield [next.plan, await next.garden];
  } finally {
    // none is begun after a failure
    left.length = 0;
    await threads?.end();
  }
}

/**
 * Reads for one garden after the other. The first is built while git still reads for the last.
 *
 * @param read of one garden
 */
function readInOrder(plans: readonly GardenPlan[], read: (plan: GardenPlan) => Promise<void>) {
  let before = Promise.resolve();
  return plans.map((plan) => {
    before = before.then(() => read(plan));
    // a failure is thrown where a garden is built
    before.catch(() => undefined);
    return { plan, read: before };
  });
}

function toEntry({ name, digest, statement }: Garden, agent_id: string | null, inputs: string): RootEntry {
  const { held, recertify_by, approvals } = statement.predicate;
  const readers = approvals.flatMap(({ reader }) => reader ?? []);
  return { garden: name, agent_id, digest, held, recertify_by, ...(readers.length > 0 && { readers }), inputs };
}
