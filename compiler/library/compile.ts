import { resolve } from 'node:path';
import type { PreviousFolder } from '../app/compile-options.ts';
import { compileWith } from '../app/compile.ts';
import type { Compiled } from '../compile.ts';
import type { BundleWrite } from '../io/bundle/write-bundle.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { VadeError } from '../schema/errors.ts';
import { openSourcesAt } from '../world/read-sources.ts';
import { signingRoot, previousRoot, signingKey } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import type { DeploymentOptions } from './options.ts';
import { silentWorld, trustOf } from './silent-world.ts';

export interface CompileOptions extends DeploymentOptions {
  /** The git repository. Default: `cwd`. */
  readonly repo?: string;
  /** Folder of the sources in it. Default: `instructions`. */
  readonly source?: string;
  /** Commit to compile. Default: `HEAD`. */
  readonly ref?: string;
  /** Folder of the bundle to write. Default: `bundle`. */
  readonly out?: string;
  /** File of the Ed25519 signing key in PEM. Default: `VADE_SIGNING_KEY` of `env`; with `dev`, the development key. */
  readonly key?: string;
  /** Earlier bundle to reuse, and its trust root where that is another. */
  readonly previous?: string;
  readonly previousTrust?: string;
  /** Branch that the commit will be merged into. Default: the trunk. */
  readonly base?: string;
  /** Folder of models other than the built-in one. Default: `models`. */
  readonly models?: string;
  /** Bypass the coverage gate where administrators approved it. */
  readonly skipCoverageGate?: boolean;
  /** Quarantine units that fail a security rule, instead of failing. */
  readonly allowQuarantine?: boolean;
}

/** A finding in the sources; an error stops a compile, a warning does not. */
export interface Diagnostic {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly help: string;
}

export interface CompileResult {
  /** `updated`: damaged files were written again; `noop`: the folder had this bundle already. */
  readonly effect: 'created' | 'updated' | 'noop';
  readonly revision: string;
  readonly deployment: string;
  readonly serial: number;
  readonly commit: string;
  readonly gardens: number;
  /** Gardens that the earlier bundle had already. */
  readonly reused: number;
  /** The folder, as an absolute path. */
  readonly out: string;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Compiles the sources at a commit into a signed bundle, as `vade compile` does.
 *
 * @throws VadeError such as `sources_invalid` (`details.faults` has all findings), `trust_required`,
 *   `signing_key_required`, `source_not_found`, `history_incomplete`
 */
export async function compile(options: CompileOptions): Promise<CompileResult> {
  const world = silentWorld(options);
  const { source: folder = 'instructions', ref = 'HEAD', models = 'models', base } = options;
  const flags = trustOf(options);
  const pinned = signingRoot(flags, world);
  const signer = signingKey(options.key, flags, world);
  const repo = resolve(world.cwd, options.repo ?? '.');
  const sources = await openSourcesAt({ repo, folder, ref, lenient: flags.dev }, world);
  const previous = previousFolder(options, world);
  const { skipCoverageGate: skip = false, allowQuarantine = false } = options;
  const compiled = await compileWith(
    { sources, pinned, signer, previous, base, models },
    { skip, allowQuarantine },
    world,
  );
  if (compiled.bundle === null) throw refusal(compiled);
  const out = resolve(world.cwd, options.out ?? 'bundle');
  const { writeBundle } = await import('../io/bundle/write-bundle.ts');
  return resultOf(compiled, compiled.bundle, writeBundle(out, compiled.bundle, previous?.folder ?? null), out);
}

function previousFolder(options: CompileOptions, world: World): PreviousFolder | null {
  const { previous, previousTrust } = options;
  const flags = { ...trustOf(options), previous, 'previous-trust': previousTrust };
  const pinned = previousRoot(flags, world);
  return previous === undefined ? null : { folder: resolve(world.cwd, previous), pinned };
}

function refusal({ faults }: Compiled): VadeError {
  const errors = faults.filter((it) => it.severity === 'error');
  return new VadeError('sources_invalid', `${errors.length} errors in the sources; nothing was written`, { faults });
}

function resultOf(
  { gardens, reused, faults }: Compiled,
  { revision, statement }: Bundle,
  { effect }: BundleWrite,
  out: string,
): CompileResult {
  const { deployment, serial, commit } = statement.predicate;
  return { effect, revision, deployment, serial, commit, gardens, reused, out, warnings: faults };
}
