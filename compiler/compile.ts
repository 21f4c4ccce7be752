import { buildCapabilities } from './capabilities/garden/capability-garden.ts';
import { checkApprovers } from './gardens/approvals/branch-approvers.ts';
import { buildGardens } from './gardens/build-gardens.ts';
import type { CompileContext } from './gardens/compile-context.ts';
import { prepareContext, type CompileInputs } from './gardens/compile-inputs.ts';
import { FoundDiagnostics } from './gardens/found-diagnostics.ts';
import type { Previous } from './gardens/previous-bundle.ts';
import { changedSince } from './gardens/published-facts.ts';
import { readConfiguration } from './gardens/read-configuration.ts';
import { signBundle } from './gardens/sign-bundle.ts';
import { checkAdvances } from './migration/stage-gate.ts';
import type { Bundle } from './schema/bundle/bundle.ts';
import type { ListedUnits } from './schema/bundle/manifest.ts';
import type { Diagnostic } from './schema/diagnostics.ts';
import { VadeError } from './schema/errors.ts';
import type { TrustRoot } from './schema/source/trust-root.ts';
import { assertUnmutated } from './trust/unmutated-facts.ts';

/** Everything a compile depends on; what touches the world is handed in. */
export interface CompileInput extends CompileInputs {
  /** The ref that the compiled one will be merged into; null where it is to be told from the repository. */
  readonly base?: string | null;
  /** Published facts, which keep their text; default: those of `previous`, whose gardens are also reused. */
  readonly published?: Previous | null;
  readonly progress: (step: 'reading' | 'history' | 'compiling', done: number, total: number) => void;
}

export interface Compiled {
  /** Null when a diagnostic is an error. */
  readonly bundle: Bundle | null;
  /** The trust root that the bundle is for; null without a bundle. */
  readonly trust: TrustRoot | null;
  readonly faults: readonly Diagnostic[];
  /** Those that a compile of the same commit reports again, although it reuses every agent's garden. */
  readonly standing: readonly Diagnostic[];
  readonly gardens: number;
  readonly reused: number;
  /** Number of its units that each agent's manifest lists, by agent. */
  readonly listed: readonly ListedUnits[];
}

/**
 * From a commit of sources to a signed bundle (DESIGN §2). All problems of a run are gathered; the same
 * commit, compiler and keys give the same bytes, with and without a previous bundle.
 *
 * @throws source_not_found, trust_required, compiler_mismatch, signing_key_required, fact_mutated
 */
export async function compile(input: CompileInput): Promise<Compiled> {
  assertMayBeSigned(input);
  const found = new FoundDiagnostics();
  input.progress('reading', 0, 100);
  const { site, blobs, configuration, trust, org } = await readConfiguration(input, found);
  if (org === null) return refused(found);

  const places = await input.sources.places();
  const prepared = await prepareContext(input, site, configuration, { org, places, trust }, blobs);
  const { context } = found.take(prepared);
  found.add(await checkAdvances(context, configuration, trust, blobs));
  found.add(await checkBranch(context, input));

  const capabilities = found.take(buildCapabilities(context));
  const { built, entries, reused, listed, faults } = await buildGardens(
    context,
    configuration,
    blobs,
    found,
    (done, total) => {
      input.progress('compiling', GARDENS.from * total + (GARDENS.to - GARDENS.from) * done, 100 * total);
    },
  );
  if (found.hasErrors()) return refused(found);
  assertKept(input, context, [...built, ...(capabilities.garden ? [capabilities.garden] : [])]);
  const all = [...entries, ...(capabilities.entry ? [capabilities.entry] : [])];
  const bundle = signBundle(context, trust.envelopes, all, built, capabilities.garden);
  const of = { bundle, trust: trust.current.root };
  return { ...of, faults: found.sorted(), standing: found.without(faults), gardens: all.length, reused, listed };
}

/** DESIGN §6.2. @throws fact_mutated */
function assertKept(
  { published, previous }: CompileInput,
  { administratorDecisions }: CompileContext,
  gardens: Parameters<typeof changedSince>[1],
): void {
  const earlier = published ?? previous;
  if (earlier) assertUnmutated(changedSince(earlier, gardens, administratorDecisions.withdrawn));
}

/** Share of a run that builds gardens, in percent: before it come sources and history, after it the files. */
const GARDENS = { from: 20, to: 95 };

/** A production key signs what a commit has, and nothing else. @throws trust_required */
function assertMayBeSigned({ sources, pinned }: CompileInput): void {
  if (!sources.unversioned || pinned.root.development) return;
  throw new VadeError('trust_required', 'a working tree is compiled under a development root only');
}

/**
 * Reports approvers with commits on the branch that they approve; the branch is read only where anything was approved.
 */
async function checkBranch(
  { administratorDecisions, register }: CompileContext,
  { sources, base, previous }: CompileInput,
) {
  if (administratorDecisions.approvals.length === 0) return [];
  const branch = await sources.branch(base ?? null, previous?.root.predicate.commit ?? null);
  return checkApprovers(administratorDecisions.approvals, branch, register, sources.folder);
}

function refused(found: FoundDiagnostics): Compiled {
  return { bundle: null, trust: null, faults: found.sorted(), standing: [], gardens: 0, reused: 0, listed: [] };
}
