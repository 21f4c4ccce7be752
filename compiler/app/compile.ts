import { resolve } from 'node:path';
import type { Compiled } from '../compile.ts';
import type { Previous } from '../gardens/previous-bundle.ts';
import { VERSION } from '../io/files/version.ts';
import { GENERATOR } from '../schema/bundle/generator-version.ts';
import { messageOf } from '../schema/errors.ts';
import { assertInForce } from '../trust/root-chain.ts';
import { hubOf } from '../world/model-hub.ts';
import type { World } from '../world/world.ts';
import type { CompileOptions, GateBypass, PreviousFolder } from './compile-options.ts';

/**
 * Compiles with the real ports: tokenizer, encoders, ANN graphs, coverage gate.
 *
 * @throws bundle_unverified: trust_expired, since no reader would accept the bundle; and what a compile throws
 */
export async function compileWith(options: CompileOptions, bypass: GateBypass, world: World): Promise<Compiled> {
  const compiled = await compileOrFind(options, bypass, world);
  if (compiled.trust) assertInForce(compiled.trust, world.now().toISOString());
  return compiled;
}

async function compileOrFind(options: CompileOptions, bypass: GateBypass, world: World): Promise<Compiled> {
  const { kept = null, previous, sources } = options;
  // a working tree has no commit by which it could be known again
  if (kept === null || sources.unversioned) return compileAll(options, bypass, world);
  const { findUnchanged, inputsOf, keepCompiled } = await import('./unchanged-compile.ts');
  const inputs = await inputsOf(options, bypass);
  const unchanged = previous && findUnchanged(inputs, previous, kept, world.now());
  if (unchanged) return unchanged;
  const compiled = await compileAll(options, bypass, world);
  keepCompiled(inputs, compiled, sources, kept);
  return compiled;
}

async function compileAll(
  options: CompileOptions,
  { skip, allowQuarantine }: GateBypass,
  world: World,
): Promise<Compiled> {
  const { sources, pinned, signer, previous, base, models, kept = null } = options;
  const { compile } = await import('../compile.ts');
  const { countKept } = await import('../io/models/tokens.ts');
  const { loadEncoder } = await import('../io/models/encoder.ts');
  const { hnswLibrary } = await import('../recall/ann/hnsw.ts');
  const { coverageJudge } = await import('./coverage-judge.ts');
  const { startBuildThreads } = await import('./build-threads.ts');
  return compile({
    sources,
    compiler: VERSION,
    pinned,
    signers: signer === null ? [] : [signer],
    isUnsigned: signer === null,
    previous: previous ? await openReported(previous, options.onNotice, world) : (options.reusable ?? null),
    published: options.published ?? null,
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
}

async function openReported(
  { folder, pinned }: PreviousFolder,
  onNotice: CompileOptions['onNotice'],
  world: World,
): Promise<Previous> {
  const { openPrevious } = await import('./previous-bundle.ts');
  return openPrevious(folder, pinned, world.now(), (garden, error) => {
    const message = `garden ${garden} of the previous bundle is damaged and is compiled again: ${messageOf(error)}`;
    world.say(`warning: ${message}`);
    onNotice?.(message);
  });
}
