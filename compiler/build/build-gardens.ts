import { blobsOf } from '../history/unit-versions.ts';
import type { RootEntry } from '../schema/bundle/bundle.ts';
import type { CapabilityGarden } from '../schema/bundle/capability-garden.ts';
import type { Garden } from '../schema/bundle/garden.ts';
import { unitBlobs, type BlobStore } from '../sources/blobs.ts';
import type { Configuration } from '../sources/config.ts';
import { assertUnmutated } from '../trust/lineage.ts';
import { buildCapabilities, type BuiltCapabilities } from './capabilities/capability-garden.ts';
import type { CompileContext } from './compile-context.ts';
import type { FoundDiagnostics } from './found-diagnostics.ts';
import { planGardens, planSharedGarden, type GardenPlan } from './garden-plan.ts';
import { buildAgentGarden, buildSharedGarden, type BuiltGarden, type BuiltSharedGarden } from './garden.ts';
import { findReusable } from './incremental.ts';
import type { Previous } from './previous-bundle.ts';

/** The gardens of a bundle. */
export interface BuiltGardens {
  /** Gardens that were built now. */
  readonly built: readonly Garden[];
  /** The atoms and roles; null for a handbook that has none. */
  readonly capabilities: CapabilityGarden | null;
  /** All gardens, as the root names them. */
  readonly entries: readonly RootEntry[];
  /** How many gardens are reused from the previous bundle. */
  readonly reused: number;
}

/**
 * Builds the shared garden, then each agent's garden if its inputs have changed since the previous bundle.
 *
 * @throws fact_mutated if a published fact would have another text
 */
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
  await blobs.load(changed.flatMap((plan) => [...unitBlobs(plan.site), ...blobsOf(context.histories.get(plan.name))]));
  const capable = found.take(buildCapabilities(context));
  const built: Garden[] = [shared.garden];
  const entries = [...reusable.values(), toEntry(shared.garden, null, sharedPlan.inputs)];
  let done = 0;
  for await (const [plan, made] of buildAgentGardens(context, changed, shared)) {
    progress(done++, changed.length);
    const { garden } = found.take(made);
    built.push(garden);
    entries.push(toEntry(garden, plan.agent.config.agent_id, plan.inputs));
  }
  if (!found.hasErrors()) {
    for (const it of built) assertFollows(context.previous, it);
    assertCapabilitiesFollow(context.previous, capable);
  }
  if (capable.entry) entries.push(capable.entry);
  return { built, capabilities: capable.garden, entries, reused: reusable.size };
}

/** From so many gardens on, threads save more than it takes to start them. */
const MANY = 16;
/** How many gardens are in work at once. */
const AT_ONCE = 8;

/** Builds gardens in their order; while threads work for some of them, the next ones are begun. */
async function* buildAgentGardens(
  context: CompileContext,
  plans: readonly GardenPlan[],
  shared: BuiltSharedGarden,
): AsyncGenerator<readonly [GardenPlan, BuiltGarden]> {
  const threads = plans.length < MANY ? undefined : context.startThreads?.();
  const together = threads ? { ...context, threads } : context;
  const left = [...plans];
  const begun: { readonly plan: GardenPlan; readonly garden: Promise<BuiltGarden> }[] = [];
  const begin = () => {
    const plan = left.shift();
    if (!plan) return;
    const garden = buildAgentGarden(together, plan, shared);
    begun.push({ plan, garden });
    // a failure is thrown in its turn
    garden.then(begin, () => undefined);
  };
  try {
    for (let at = threads ? AT_ONCE : 1; at > 0; at--) begin();
    for (let next = begun.shift(); next; next = begun.shift()) yield [next.plan, await next.garden];
  } finally {
    // none is begun after a failure
    left.length = 0;
    await threads?.end();
  }
}

function toEntry({ name, digest, statement }: Garden, agent_id: string | null, inputs: string): RootEntry {
  const { held, recertify_by, approvals } = statement.predicate;
  const readers = approvals.flatMap(({ reader }) => reader ?? []);
  return { garden: name, agent_id, digest, held, recertify_by, ...(readers.length > 0 && { readers }), inputs };
}

/** A garden with the published digest has not changed, even if its files are damaged. @throws fact_mutated */
function assertFollows(previous: Previous | null, { name, digest, statement }: Garden): void {
  const before = previous?.root.predicate.gardens.find((it) => it.garden === name);
  if (before === undefined || before.digest === digest) return;
  assertUnmutated(previous?.statement(name)?.subject ?? [], statement.subject);
}

/** A version of an atom or a role that was published keeps its bytes; without any there is nothing to keep. */
function assertCapabilitiesFollow(previous: Previous | null, { garden }: BuiltCapabilities): void {
  const before = garden && previous?.capabilities();
  if (garden && before) assertUnmutated(before.subject, garden.statement.subject);
}
