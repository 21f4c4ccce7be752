import { resolve } from 'node:path';
import { VERSION } from '../../io/files/version.ts';
import { type Diagnostic, renderDiagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { orgMissing, type Sources } from '../../schema/source/sources.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { heedSignal } from '../../world/heed-signal.ts';
import type { World } from '../../world/world.ts';
import type { LINT } from '../flags/sources.ts';
import type { FixedFile } from './fix-sources.ts';
import type { LintPorts } from './lint-sources.ts';

type Args = Arguments<typeof LINT>;

/**
 * Lints the sources, writes the fixes unless it is a dry run, and reports each diagnostic in the chosen format.
 *
 * @throws argument_invalid, source_not_found, ref_not_found, output_failed
 */
export async function lintAndReport(args: Args, world: World) {
  checkArguments(args);
  const { countTokens } = await import('../../io/models/tokens.ts');
  const sources = await openFiles(args, world);
  const pause = () => heedSignal(world);
  const ports = { countTokens, compiler: VERSION, pause, progress: world.progressOnTerminal };
  const { faults: linted, files, fixed } = await lint(sources, args.fix, ports);
  const found = [...(await findPrivate(sources, args, world)), ...linted];
  // an author looks for errors first
  const faults = ['error', 'warning'].flatMap((severity) => found.filter((it) => it.severity === severity));
  if (!args['dry-run']) await write(sources, fixed, args, world);
  for (const { file, changes } of fixed) world.say(`${file}: ${changes.join(', ')}`);
  await reportDiagnostics(faults, args, world);
  return { faults, files, fixed };
}

function checkArguments({ ref, fix, report: kind, out }: Args): void {
  const refuse = (message: string, flag: string) => new VadeError('argument_invalid', message, { flag });
  if (fix && ref !== undefined)
    throw refuse('--fix changes files of the working tree; it cannot change a commit', 'fix');
  if (kind === 'sarif' && out === undefined) throw refuse('--report sarif needs --out, the file to write', 'out');
  if (kind !== 'sarif' && out !== undefined) throw refuse('--out is for --report sarif', 'out');
}

/** Authors lint before they commit: the working tree is read, unless a commit is named. */
async function openFiles({ repo: given, source, ref }: Args, world: World): Promise<Sources> {
  const repo = resolve(world.cwd, given);
  const { openSourcesAt, readSources } = await import('../../world/read-sources.ts');
  if (ref !== undefined) return requireOrg(await openSourcesAt({ repo, folder: source, ref, lenient: true }, world));
  return requireOrg(await readSources({ repo: given, source, ref }, world));
}

function requireOrg(sources: Sources): Sources {
  const path = `${sources.folder}/org.yaml`;
  if (sources.tree.has(path)) return sources;
  throw orgMissing(path);
}

async function lint(sources: Sources, fix: boolean, ports: LintPorts) {
  if (fix) {
    const { fixSources } = await import('./fix-sources.ts');
    const { fixed, linted } = await fixSources(sources, ports);
    return { ...linted, fixed };
  }
  const { lintSources } = await import('./lint-sources.ts');
  return { ...(await lintSources(sources, ports)), fixed: [] };
}

/** Private files that git tracks now or, with a ref, that its commit has. */
async function findPrivate(sources: Sources, { repo, source, ref }: Args, { cwd }: World): Promise<Diagnostic[]> {
  const { findCommitted, privateBeside } = await import('../../lint/private-files.ts');
  if (ref !== undefined)
    return findCommitted((await sources.find(privateBeside(sources.folder))).map(({ path }) => path));
  const { trackedAmong } = await import('../../io/git/tracked.ts');
  return findCommitted(await trackedAmong(resolve(cwd, repo), privateBeside(source)).catch(() => []));
}

async function write(sources: Sources, fixed: readonly FixedFile[], args: Args, world: World): Promise<void> {
  const { rewriteFile } = await import('../../io/files/rewrite-file.ts');
  const repo = resolve(world.cwd, args.repo);
  await heedSignal(world);
  for (const { file, before, after } of fixed) rewriteFile(repo, sources.folder, file, before, after);
}

async function reportDiagnostics(diagnostics: readonly Diagnostic[], args: Args, world: World): Promise<void> {
  if (args.report === 'github') {
    const { toAnnotation } = await import('../../present/terminal/annotation.ts');
    for (const it of diagnostics) world.say(toAnnotation(it));
    return;
  }
  for (const it of diagnostics) world.say(renderDiagnostic(it));
  if (args.out === undefined || args['dry-run']) return;
  const { toSarif } = await import('../../present/terminal/sarif.ts');
  const { replaceFile } = await import('../../io/files/durable.ts');
  replaceFile(resolve(world.cwd, args.out), `${JSON.stringify(toSarif(diagnostics, VERSION), null, 2)}\n`);
}
