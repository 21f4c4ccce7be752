import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { NOTICES, type VerifyReport } from '../../../tasks/schema/verify-report.ts';
import { TASK_EXPLAIN, TASK_REPLAY, TASK_VERIFY } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';
import { JUDGED, verdictOutcome } from './task-output.ts';

export const taskVerifyCommand = defineCommand({
  path: 'task.verify',
  description:
    'Judge the work of an agent: its worktree alone, then merged with main; exit 0 holds, 2 violations, 1 unjudged',
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: TASK_VERIFY,
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND'],
  output: z.object({
    effect: z.enum(['judged', 'would_judge']),
    ...JUDGED,
  }),
  examples: [
    {
      description: 'After the agent has returned',
      command:
        'vade task verify --agent fix-login-1a2b3c4d --report report.md --trust root.json --key orchestrator.pem',
    },
  ],
  run: async (args, world) => {
    const { verifyAgent } = await import('../../../tasks/use-cases/verify/verify-agent.ts');
    const report = await verifyAgent(args, args.report, world);
    world.say(linesOf(report));
    return verdictOutcome(report, { effect: args['dry-run'] ? 'would_judge' : 'judged' });
  },
});

/** Findings of each pass, and the reasons that hold the merge; for people. */
function linesOf({ passes, git, guard, sandbox, snapshot, main, noticed, cannot_know }: VerifyReport): string[] {
  const about = `snapshot ${snapshot.commit}, ${snapshot.changes} files; ${main.ref} ${main.commit}; sandbox ${sandbox}`;
  const found = passes.flatMap(({ pass, findings }) =>
    findings.flatMap(({ check, severity, result, reason, detail }) => {
      const weight = severity === 'block' ? '' : ` (${severity})`;
      const head = `${pass}: ${check} ${result}${weight}${reason === '' ? '' : `: ${reason}`}`;
      return [head, ...(result === 'pass' || detail === null ? [] : detail.split('\n').map((it) => `    ${it}`))];
    }),
  );
  const held = git.map(({ path, before, after, when }) => {
    return `.git, ${when === 'agent' ? 'since the agent was started' : 'while the checks ran'}: ${path}: ${before ?? 'none'} → ${after ?? 'none'}, and no row of the ledger explains it`;
  });
  const leftOut = snapshot.left_out.map((it) => `left out: ${it}: a pipe, a socket or a device`);
  const guarding = guard.map(
    (it) =>
      `guard, since the agent was started: ${it.path}: ${it.before ?? 'none'} → ${it.after ?? 'none'}, and no row of the ledger explains it`,
  );
  const told = noticed.map(({ what, path }) => `look at ${path}: ${NOTICES[what]}`);
  return [about, ...found, ...leftOut, ...held, ...guarding, ...told, ...cannot_know.map((it) => `limit: ${it}`)];
}

export const taskReplayCommand = defineCommand({
  path: 'task.replay',
  description: 'Re-run the checks of an agent’s last report against the same main, and show differences',
  danger: 'safe',
  scopes: ['agent:seal'],
  flags: TASK_REPLAY,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ stale: z.boolean(), verdict: z.string(), main: z.string(), snapshot: z.string() }),
  examples: [
    {
      description: 'Check that the report can be repeated',
      command: 'vade task replay --agent fix-login-1a2b3c4d --key orchestrator.pem',
    },
  ],
  run: async (args, world) => {
    const { replayReport } = await import('../../../tasks/use-cases/verify/replay-report.ts');
    const { stale, differences, before } = await replayReport(args, world);
    const { verdict, main, snapshot } = before;
    world.say(differences);
    if (differences.length > 0) {
      throw new VadeError('replay_differs', `the checks now differ from the last report of ${args.agent}`, {
        differences,
        stale,
      });
    }
    const data = { stale, verdict, main: main.commit, snapshot: snapshot.commit };
    return { data, text: `the same: ${verdict}${stale ? '; stale: main has moved, so verify again' : ''}` };
  },
});

export const taskExplainCommand = defineCommand({
  path: 'task.explain',
  description:
    'Record why .git, a hook or a program changed after an agent started, so that it no longer blocks a merge',
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: TASK_EXPLAIN,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['explained', 'noop', 'would_explain', 'would_noop']),
    changes: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  }),
  examples: [
    {
      description: 'What would be explained',
      command: 'vade task explain --agent fix-login-1a2b3c4d --reason "I pulled main" --dry-run',
    },
  ],
  run: async (args, world) => {
    const { explainChanges } = await import('../../../tasks/use-cases/verify/explain-changes.ts');
    const changes = await explainChanges(args, world);
    const done = changes.length === 0 ? 'noop' : args['dry-run'] ? 'explain' : 'explained';
    const effect = `${args['dry-run'] ? 'would_' : ''}${done}`;
    const lines = changes.map((it) => `${it.path}: ${it.before ?? 'none'} → ${it.after ?? 'none'}`);
    return { data: { effect, changes }, text: [`${effect}: ${changes.length} changes`, ...lines] };
  },
});
