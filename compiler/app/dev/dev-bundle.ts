import type { Compiled } from '../../compile.ts';
import type { Previous } from '../../gardens/previous-bundle.ts';
import type { WorkingTree } from '../../io/git/working-tree.ts';
import type { Bundle } from '../../schema/bundle/bundle.ts';
import { sortDiagnostics, type Diagnostic } from '../../schema/diagnostics.ts';
import type { KeptResults } from '../../schema/kept-results.ts';
import type { Sources } from '../../schema/source/sources.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { SignedRoot } from '../../trust/root-chain.ts';
import type { World } from '../../world/world.ts';
import { compileWith } from '../compile.ts';

/** Folder of a session's bundles, and the key that signs them. */
export interface DevBundleOptions {
  readonly tree: WorkingTree;
  /** Folder of the bundle. */
  readonly folder: string;
  readonly key: { readonly signer: Signer; readonly root: SignedRoot };
  readonly models: string;
  /** Results of earlier compiles, to which each compile of the session adds. */
  readonly kept: KeptResults | null;
}

/** One compile of the working tree. */
export interface Attempt {
  /** Null if an error stopped it: the bundle before stays as it was. */
  readonly bundle: Bundle | null;
  readonly gardens: number;
  readonly reused: number;
  /** Milliseconds, until the bundle is on the disk. */
  readonly ms: number;
  /** Diagnostics of the compiler and of `vade lint` about it. */
  readonly lint: () => Promise<readonly Diagnostic[]>;
}

/** Compiles a working tree again and again, each time only the gardens that changed. */
export function devBundle(options: DevBundleOptions, world: World): () => Promise<Attempt> {
  const quiet: World = { ...world, progress: () => undefined };
  let last: Bundle | null = null;
  return async () => {
    const began = world.now().getTime();
    const sources = await options.tree.sources();
    const compiled = await compileOnce(sources, last, options, quiet);
    const { bundle, gardens, reused } = compiled;
    if (bundle) await write(options.folder, bundle);
    last = bundle ?? last;
    const ms = world.now().getTime() - began;
    return { bundle, gardens, reused, ms, lint: () => lint(sources, compiled, options.kept) };
  };
}

async function compileOnce(sources: Sources, last: Bundle | null, options: DevBundleOptions, world: World) {
  const { key, models, kept } = options;
  return compileWith(
    {
      sources,
      pinned: key.root,
      signer: key.signer,
      previous: null,
      reusable: last && reusable(last, key.signer, sources.commit),
      models,
      kept,
    },
    // a unit that recall does not find yet is reported, but still served: the author wants to try it
    { skip: true, allowQuarantine: false },
    world,
  );
}

/**
 * The bundle before, for its unchanged gardens alone. A working tree has no published facts, so nothing is compared
 * with it: the same tree gives the same bundle, whatever was there before.
 *
 * @param commit of the sources
 */
function reusable({ statement }: Bundle, { keyid }: Signer, commit: string): Previous {
  return {
    root: { ...statement, predicate: { ...statement.predicate, commit } },
    signed_by: [keyid],
    withdrawn: () => new Set(),
    statement: () => null,
    capabilities: () => null,
    isWhole: () => true,
    manifest: () => null,
    coverage: () => null,
    probes: () => null,
  };
}

async function write(folder: string, bundle: Bundle): Promise<void> {
  const { writeBundle } = await import('../../io/bundle/write-bundle.ts');
  writeBundle(folder, bundle, null);
}

async function lint(sources: Sources, { faults }: Compiled, kept: KeptResults | null): Promise<readonly Diagnostic[]> {
  const { lintSources } = await import('../lint/lint-sources.ts');
  const { countTokens } = await import('../../io/models/tokens.ts');
  const linted = await lintSources(sources, { countTokens, kept });
  return sortDiagnostics([...faults, ...linted.faults]);
}
