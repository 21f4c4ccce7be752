import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import type { FixedFile } from '../../../app/lint/fix-sources.ts';
import type { LintPorts } from '../../../app/lint/lint-sources.ts';
import { VERSION } from '../../../io/files/version.ts';
import { renderDiagnostic, RULES, type Diagnostic, type RuleId } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { orgMissing, type Sources, sourcesMissing } from '../../../schema/source/sources.ts';
import type { Arguments, Flags } from '../../../world/flags/flag.ts';
import { DRY_RUN } from '../../../world/flags/shared.ts';
import { heedSignal } from '../../../world/heed-signal.ts';
import { type World } from '../../../world/world.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

const flags = {
  repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
  ref: { type: 'string', description: 'Commit to lint; default: the working tree' },
  fix: { type: 'boolean', description: 'Fix what is safe to fix, in place' },
  report: {
    type: 'enum',
    values: ['text', 'github', 'sarif'],
    default: 'text',
    description: 'Format of the diagnostics: text or workflow commands on stderr, or SARIF 2.1.0 in --out',
  },
  out: { type: 'string', description: 'File for the SARIF report' },
  explain: { type: 'string', description: 'Rule to explain, instead of linting' },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

const DiagnosticShape = z.object({
  rule: z.string(),
  severity: z.enum(['error', 'warning']),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
  help: z.string(),
});

export const lintCommand = defineCommand({
  path: 'lint',
  description: 'Report everything that is wrong with the sources, before they are committed',
  danger: 'mutating',
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.union([
    z.object({
      effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
      files: z.int(),
      errors: z.int(),
      warnings: z.int(),
      faults: z.array(DiagnosticShape),
      mended: z.array(z.object({ file: z.string(), changes: z.array(z.string()) })),
    }),
    z.object({ rule: z.string(), severity: z.enum(['error', 'warning']), explanation: z.string() }),
  ]),
  examples: [
    { description: 'Lint the working tree', command: 'vade lint' },
    { description: 'See what would be fixed', command: 'vade lint --fix --dry-run' },
    { description: 'Annotate a pull request', command: 'vade lint --report github' },
    { description: 'For code scanning', command: 'vade lint --report sarif --out lint.sarif' },
    { description: 'What a rule means', command: 'vade lint --explain trigger_overlap' },
  ],
  run: async (args, world) => {
    if (args.explain !== undefined) return explain(args.explain);
    checkArguments(args);
    const { countTokens } = await import('../../../io/models/tokens.ts');
    const sources = await openFiles(args, world);
    const pause = () => heedSignal(world);
    const progress = world.progressOnTerminal;
    const ports = { countTokens, compiler: VERSION, pause, progress };
    const { faults: linted, files, fixed } = await lint(sources, args.fix, ports);
    const found = [...(await findPrivate(sources, args, world)), ...linted];
    // an author looks for errors first
    const faults = ['error', 'warning'].flatMap((severity) => found.filter((it) => it.severity === severity));
    if (!args['dry-run']) await write(sources, fixed, args, world);
    for (const { file, changes } of fixed) world.say(`${file}: ${changes.join(', ')}`);
    await reportDiagnostics(faults, args, world);
    return conclude(faults, files, fixed, args);
  },
});

type Args = Arguments<typeof flags>;

async function explain(rule: string): Promise<CommandResult> {
  const { explainRule } = await import('../../../present/terminal/rules.ts');
  const known = Object.keys(RULES);
  if (!known.includes(rule)) {
    const suggestion = `did you mean “${closest(rule, known)}”?`;
    throw new VadeError('argument_invalid', `--explain: “${rule}” is not a rule`, { flag: 'explain', suggestion });
  }
  const explanation = explainRule(rule as RuleId);
  return { data: { rule, severity: RULES[rule as RuleId], explanation }, text: explanation };
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
  const { openSourcesAt } = await import('../../../world/read-sources.ts');
  if (ref !== undefined) return requireOrg(await openSourcesAt({ repo, folder: source, ref, lenient: true }, world));
  const { unversionedSources } = await import('../../../io/files/unversioned-sources.ts');
  if (!existsSync(resolve(repo, source))) throw sourcesMissing(source, given);
  return requireOrg(unversionedSources({ repo, folder: source }));
}

function requireOrg(sources: Sources): Sources {
  const path = `${sources.folder}/org.yaml`;
  if (sources.tree.has(path)) return sources;
  throw orgMissing(path);
}

async function lint(sources: Sources, fix: boolean, ports: LintPorts) {
  if (fix) {
    const { fixSources } = await import('../../../app/lint/fix-sources.ts');
    const { fixed, linted } = await fixSources(sources, ports);
    return { ...linted, fixed };
  }
  const { lintSources } = await import('../../../app/lint/lint-sources.ts');
  return { ...(await lintSources(sources, ports)), fixed: [] };
}

/** Private files that git tracks now or, with a ref, that its commit has. */
async function findPrivate(sources: Sources, { repo, source, ref }: Args, { cwd }: World): Promise<Diagnostic[]> {
  const { findCommitted, privateBeside } = await import('../../../lint/private-files.ts');
  if (ref !== undefined)
    return findCommitted((await sources.find(privateBeside(sources.folder))).map(({ path }) => path));
  const { trackedAmong } = await import('../../../io/git/tracked.ts');
  return findCommitted(await trackedAmong(resolve(cwd, repo), privateBeside(source)).catch(() => []));
}

async function write(sources: Sources, fixed: readonly FixedFile[], args: Args, world: World): Promise<void> {
  const { rewriteFile } = await import('../../../io/files/rewrite-file.ts');
  const repo = resolve(world.cwd, args.repo);
  await heedSignal(world);
  for (const { file, before, after } of fixed) rewriteFile(repo, sources.folder, file, before, after);
}

async function reportDiagnostics(diagnostics: readonly Diagnostic[], args: Args, world: World): Promise<void> {
  if (args.report === 'github') {
    const { toAnnotation } = await import('../../../present/terminal/annotation.ts');
    for (const it of diagnostics) world.say(toAnnotation(it));
    return;
  }
  for (const it of diagnostics) world.say(renderDiagnostic(it));
  if (args.out === undefined || args['dry-run']) return;
  const { toSarif } = await import('../../../present/terminal/sarif.ts');
  const { replaceFile } = await import('../../../io/files/durable.ts');
  replaceFile(resolve(world.cwd, args.out), `${JSON.stringify(toSarif(diagnostics, VERSION), null, 2)}\n`);
}

function conclude(
  faults: readonly Diagnostic[],
  files: number,
  fixed: readonly FixedFile[],
  args: Args,
): CommandResult {
  const errors = faults.filter((it) => it.severity === 'error').length;
  const warnings = faults.length - errors;
  const mended = fixed.map(({ file, changes }) => ({ file, changes }));
  const dry = args['dry-run'];
  const effect = `${dry ? 'would_' : ''}${fixed.length === 0 ? 'noop' : dry ? 'update' : 'updated'}`;
  const counted = `${errors} errors and ${warnings} warnings in ${files} files`;
  const done = fixed.length === 0 ? '' : `; ${dry ? 'would fix' : 'fixed'} ${fixed.length} files`;
  const [first] = faults.filter((it) => it.severity === 'error');
  if (first) {
    const suggestion = `vade lint --explain ${first.rule} explains a rule`;
    throw new VadeError('sources_invalid', `${counted}${done}`, { effect, faults, mended, suggestion });
  }
  return {
    data: { effect, files, errors, warnings, faults, mended },
    text: `${counted}${done}`,
    warnings: faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
  };
}
