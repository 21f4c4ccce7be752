import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { TASK_RUN } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';
import { JUDGED, PlanShape, verdictOutcome } from './task-output.ts';

const Ended = z.object({
  exit: z.int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  truncated: z.boolean(),
});

/**
 * The confinement of the program: its form, the parts that are missing, and the things that the program still reaches.
 */
const Confinement = z.object({
  form: z.enum(['bwrap', 'unshare', 'none']),
  network: z.enum(['host', 'none']),
  missing: z.array(z.string()),
  reached: z.array(z.string()),
});

export const taskRunCommand = defineCommand({
  path: 'task.run',
  description:
    'Compose a task, spawn its agent, run the program in its worktree without credentials, and judge the work',
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: TASK_RUN,
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.union([
    z.object({ effect: z.literal('would_run'), plan: PlanShape, confinement: Confinement }),
    z.object({
      effect: z.literal('ran'),
      agent_id: z.string(),
      worktree: z.string(),
      plan_digest: z.string(),
      report: z.string(),
      end: Ended,
      confinement: Confinement,
      escalations: z.array(z.object({ policy: z.string(), text: z.string() })),
      ...JUDGED,
    }),
  ]),
  examples: [
    {
      description: 'A whole task',
      command:
        'vade task run --task fix-login --trust root.json --key orchestrator.pem --argument=-p --pass ANTHROPIC_API_KEY',
    },
  ],
  run: async (args, world) => {
    const { planRun, runAgent } = await import('../../../tasks/use-cases/run/run-agent.ts');
    if (args['dry-run']) {
      const { plan, confinement, warnings } = await planRun(args, world);
      return { data: { effect: 'would_run', plan, confinement }, text: `would_run: ${plan.task.id}`, warnings };
    }
    const { spawned, end, report, cleared, escalations, confinement, warnings } = await runAgent(args, world);
    const { verifyAgent } = await import('../../../tasks/use-cases/verify/verify-agent.ts');
    const { agent_id, worktree } = spawned.plan;
    const { exit, signal, timed_out, truncated } = end;
    const ran = { effect: 'ran', agent_id, worktree, plan_digest: spawned.plan_digest, report };
    const data = { ...ran, end: { exit, signal, timed_out, truncated }, escalations, confinement };
    world.say(`${agent_id} ended with ${exit ?? signal ?? ''}; its report is ${report}`);
    return withContext({ ...data, warnings }, async () => {
      const judged = await verifyAgent({ ...args, agent: agent_id }, report, world, cleared);
      return { ...verdictOutcome(judged, data), warnings };
    });
  },
});

/** Adds the context, the work done before a failure, to the details of its error. */
async function withContext<T>(context: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VadeError) throw new VadeError(error.code, error.message, { ...context, ...error.details });
    throw error;
  }
}
