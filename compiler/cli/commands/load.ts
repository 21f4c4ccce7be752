import { closeRegistry, type Command, type Registry } from '../registry.ts';

type CommandFile = Promise<Readonly<Record<string, Command>>>;

/** The files of all commands by the command's first word. Every export of such a file is a command. */
const FILES: Readonly<Record<string, () => readonly CommandFile[]>> = {
  approve: () => [import('./trust/approve.ts')],
  archive: () => [import('./migrate/archive.ts')],
  audit: () => [import('./audit/audit-erase.ts'), import('./audit/audit.ts')],
  blame: () => [import('./build/blame.ts')],
  brief: () => [import('./brief/brief-phrases.ts'), import('./brief/brief-probes.ts'), import('./brief/brief-take.ts')],
  capability: () => [
    import('./capability/capability.ts'),
    import('./capability/hooks.ts'),
    import('./capability/verify.ts'),
  ],
  comment: () => [import('./quality/comment.ts')],
  compile: () => [import('./build/compile.ts')],
  completion: () => [
    import('./start/completion.ts').then((it) => ({ command: it.completionCommand(() => registryFor([])) })),
  ],
  connect: () => [import('./start/connect.ts')],
  continuity: () => [
    import('./continuity/archive.ts'),
    import('./continuity/compare.ts'),
    import('./continuity/list.ts'),
    import('./continuity/purge.ts'),
    import('./continuity/show.ts'),
    import('./continuity/startup.ts'),
    import('./continuity/verify.ts'),
  ],
  dev: () => [import('./serve/dev.ts')],
  export: () => [import('./build/export.ts')],
  freshen: () => [import('./trust/freshen.ts')],
  gate: () => [import('./capability/gate.ts')],
  hook: () => [import('./serve/hook.ts')],
  init: () => [import('./start/init.ts')],
  key: () => [import('./serve/key-heartbeat.ts'), import('./serve/key.ts')],
  lint: () => [import('./build/lint.ts')],
  log: () => [import('./build/log.ts')],
  manifest: () => [
    import('./start/manifest.ts').then((it) => ({ command: it.manifestCommand(() => registryFor([])) })),
  ],
  mcp: () => [import('./serve/mcp.ts')],
  metrics: () => [import('./quality/metrics.ts')],
  migrate: () => [import('./migrate/migrate.ts')],
  model: () => [import('./build/model-pin.ts')],
  probe: () => [import('./quality/probe-suggest.ts'), import('./quality/probe.ts')],
  publish: () => [import('./build/publish.ts')],
  recall: () => [import('./quality/recall.ts')],
  replay: () => [import('./quality/replay.ts')],
  report: () => [import('./quality/report.ts')],
  rollback: () => [import('./trust/rollback.ts')],
  serve: () => [import('./serve/serve.ts')],
  shadow: () => [import('./quality/shadow.ts')],
  task: () => [
    import('./task/clean.ts'),
    import('./task/compose.ts'),
    import('./task/decide.ts'),
    import('./task/log.ts'),
    import('./task/run.ts'),
    import('./task/spawn.ts'),
    import('./task/verify.ts'),
    import('./task/worktree.ts'),
  ],
  trust: () => [import('./trust/trust-show.ts'), import('./trust/trust-sign.ts'), import('./trust/trust.ts')],
  verify: () => [import('./trust/verify.ts')],
  withdraw: () => [import('./trust/withdraw.ts')],
  workflows: () => [import('./start/workflows.ts')],
};

/** Former names of commands; §21.6.3 uses the long name of the migration. */
const MOVED = { 'migrate-instructions': 'migrate', 'key.add': 'key.create', 'key.delete': 'key.revoke' };

/**
 * The commands that a command line may name: those that begin with its first word, or else all of them. To load all
 * takes longer than to run most of them. Frozen.
 */
export async function registryFor([word = '']: readonly string[]): Promise<Registry> {
  const loads = Object.entries(FILES).filter(([it]) => it === word || !Object.hasOwn(FILES, word));
  const files = await Promise.all(loads.flatMap(([, load]) => load()));
  return closeRegistry(files.flatMap(Object.values<Command>), MOVED);
}
