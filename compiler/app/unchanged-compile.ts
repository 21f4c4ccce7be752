import { z } from 'zod';
import type { Compiled } from '../compile.ts';
import { openBundle, type OpenBundle } from '../io/bundle/open-bundle.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { ListedUnits } from '../schema/bundle/manifest.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import { ReportedDiagnostic } from '../schema/report/comparison.ts';
import type { Sources } from '../schema/source/sources.ts';
import { SHARED } from '../schema/uri.ts';
import { sha256 } from '../trust/canonical.ts';
import type { CompileOptions, GateBypass, PreviousFolder } from './compile-options.ts';

const Fault: z.ZodType<Diagnostic> = ReportedDiagnostic.extend({
  details: z.record(z.string(), z.unknown()).exactOptional(),
});

/** The bundle of a commit, and what a compile reports that reuses all of its gardens. */
const KeptCompile = z.strictObject({
  revision: z.string(),
  faults: z.array(Fault),
  listed: z.array(ListedUnits),
});

/** The inputs that a bundle and its report follow from: the commit, the keys and the flags. */
export async function inputsOf(
  { sources, pinned, signer, base }: Pick<CompileOptions, 'sources' | 'pinned' | 'signer' | 'base'>,
  bypass: GateBypass,
): Promise<string> {
  // a history that was fetched later makes another serial of the same commit
  const { size } = await sources.places();
  const signed = [signer?.keyid ?? null, sha256(pinned.envelope)];
  return JSON.stringify([sources.commit, sources.folder, size, signed, base ?? null, bypass]);
}

/**
 * The compile of a commit that the previous bundle is of. Nothing is worked out again, but every byte of the bundle is
 * verified: its signatures, and the digests of all its gardens.
 *
 * @returns null where any of it is not as it was kept
 */
export function findUnchanged(
  inputs: string,
  { folder, pinned }: PreviousFolder,
  kept: KeptResults,
  now: Date,
): Compiled | null {
  const known = kept.find('compile', inputs, KeptCompile);
  if (known === null) return null;
  try {
    const bundle = openBundle(folder, { pinned, now: now.toISOString() });
    if (bundle.revision !== known.revision) return null;
    for (const { garden } of bundle.root.predicate.gardens) bundle.readGarden(garden);
    return compiledOf(bundle, known);
  } catch {
    // the compile reports what is wrong with it
    return null;
  }
}

function compiledOf(proven: OpenBundle, { faults, listed }: z.infer<typeof KeptCompile>): Compiled {
  const { revision, root: statement, files } = proven;
  const { gardens } = statement.predicate;
  const bundle: Bundle = { revision, statement, files, built: [], kept: gardens };
  const reused = gardens.filter(({ garden }) => garden !== SHARED).length;
  return { bundle, trust: proven.trust, faults, standing: faults, gardens: gardens.length, reused, listed };
}

/** Keeps a compile for the next one of the same commit. */
export function keepCompiled(inputs: string, compiled: Compiled, sources: Sources, kept: KeptResults): void {
  const { bundle, standing, listed } = compiled;
  if (bundle === null || !isSettled(bundle, sources, standing)) return;
  kept.keep('compile', inputs, { revision: bundle.revision, faults: standing, listed });
}

/** Whether two compiles of one commit cannot differ: no branch, bypass of the gate, library or named model. */
function isSettled({ statement, capabilities, files }: Bundle, sources: Sources, faults: readonly Diagnostic[]) {
  const approvals = `${sources.folder}/approvals/`;
  const isApproved = [...sources.tree.keys()].some((path) => path.startsWith(approvals));
  const isBypassed = statement.predicate.gardens.some((it) => it.recertify_by !== null);
  const lacksGraphs = faults.some(({ rule }) => rule.startsWith('graph_'));
  const isOwnModel = MODEL.safeParse(JSON.parse(files.get('org.json')?.toString('utf8') ?? '')).success;
  return capabilities === undefined && !isApproved && !isBypassed && !lacksGraphs && isOwnModel;
}

/** The built-in model is part of the program; the files of another one may be replaced. */
const MODEL = z.object({ model: z.object({ name: z.literal('builtin') }).nullable() });
