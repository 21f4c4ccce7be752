import { resolve } from 'node:path';
import type { Compiled } from '../compile.ts';
import type { Previous } from '../gardens/previous-bundle.ts';
import { VERSION } from '../io/files/version.ts';
import { GENERATOR } from '../schema/bundle/generator-version.ts';
import { messageOf } from '../schema/errors.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { Sources } from '../schema/source/sources.ts';
import type { Signer } from '../trust/dsse.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import { hubOf } from '../world/model-hub.ts';
import type { World } from '../world/world.ts';

/** The folder of the previous bundle, and the trust root that it is verified under. */
export interface PreviousFolder {
  readonly folder: string;
  readonly pinned: SignedRoot;
}

/** The inputs of a compile that a command chooses. */
export interface CompileOptions {
  readonly sources: Sources;
  readonly pinned: SignedRoot;
  /** Null to sign nothing, for a compile that is not written. */
  readonly signer: Signer | null;
  readonly previous: PreviousFolder | null;
  /** In its place: a bundle of this process. */
  readonly reusable?: Previous | null;
  /** Called for each damaged garden in it. */
  readonly onNotice?: (message: string) => void;
  /** `--base`: the ref that the sources will be merged into. */
  readonly base?: string | undefined;
  /** `--models`. */
  readonly models: string;
  /** Results of earlier runs, of a compile for development alone. */
  readonly kept?: KeptResults | null;
}

/** The gates that the caller bypasses. */
export interface GateBypass {
  /** `--skip-coverage-gate` */
  readonly skip: boolean;
  /** `--allow-quarantine` */
  readonly allowQuarantine: boolean;
}

/** Compiles with the real ports: tokenizer, encoders, ANN graphs, coverage gate. */
export async function compileWith(
  { sources, pinned, signer, previous, reusable = null, base, onNotice, models, kept = null }: CompileOptions,
  { skip, allowQuarantine }: GateBypass,
  world: World,
): Promise<Compiled> {
  const options = { sources, pinned, signer, base, previous };
  // a working tree has no commit by which it could be known again
  const isKnown = kept !== null && !sources.unversioned;
  const again = isKnown ? await unchangedCompile(options, { skip, allowQuarantine }, kept, world) : null;
  if (again?.found) return again.found;
  const { compile } = await import('../compile.ts');
  const { countKept } = await import('../io/models/tokens.ts');
  const { loadEncoder } = await import('../io/models/encoder.ts');
  const { hnswLibrary } = await import('../recall/ann/hnsw.ts');
  const { coverageJudge } = await import('./coverage-judge.ts');
  const { startBuildThreads } = await import('./build-threads.ts');
  const { openPrevious } = await import('./previous-bundle.ts');
  const onDamage = (garden: string, error: unknown) => {
    const message = `garden ${garden} of the previous bundle is damaged and is compiled again: ${messageOf(error)}`;
    world.say(`warning: ${message}`);
    onNotice?.(message);
  };
  const compiled = await compile({
    sources,
    compiler: VERSION,
    pinned,
    signers: signer === null ? [] : [signer],
    isUnsigned: signer === null,
    previous: previous ? openPrevious(previous.folder, previous.pinned, world.now(), onDamage) : reusable,
    base: base ?? null,
    countTokens: countKept(kept),
    loadEncoder: (choice) => loadEncoder(resolve(world.cwd, models), choice, hubOf(world)),
    graphs: { library: hnswLibrary, kept },
    gate: { generator: GENERATOR, judge: coverageJudge(kept), skip },
    startThreads: () => startBuildThreads(),
    kept,
    allowQuarantine,
    progress: world.progress,
  });
  again?.keep(compiled);
  return compiled;
}

/** The compile of a commit that the previous bundle is of, where that is known; and how this one is kept for the next. */
async function unchangedCompile(
  options: Pick<CompileOptions, 'sources' | 'pinned' | 'signer' | 'base' | 'previous'>,
  bypass: GateBypass,
  kept: KeptResults,
  world: World,
) {
  const { findUnchanged, inputsOf, keepCompiled } = await import('./unchanged-compile.ts');
  const inputs = await inputsOf(options, bypass);
  const { previous, sources } = options;
  return {
    found: previous && findUnchanged(inputs, previous, kept, world.now()),
    keep: (compiled: Compiled) => {
      keepCompiled(inputs, compiled, sources, kept);
    },
  };
}
