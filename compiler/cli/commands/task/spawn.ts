import { z } from 'zod';
import { TASK_SPAWN } from '../../../tasks/use-cases/flags.ts';
import type { Spawned } from '../../../tasks/use-cases/spawn-agent.ts';
import { defineCommand } from '../../registry.ts';
import { shownJson } from '../../shown-text.ts';
import { PlanShape } from './task-output.ts';

export const taskSpawnCommand = defineCommand({
  path: 'task.spawn',
  description: 'Make an agent’s worktree, binding and ledger row, and print the Agent call that starts it, as JSON',
  danger: 'mutating',
  scopes: ['agent:seal'],
  flags: TASK_SPAWN,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['spawned', 'would_spawn']),
    agent_id: z.string(),
    worktree: z.string(),
    plan_digest: z.string(),
    plan: PlanShape,
    call: z.object({ tool: z.literal('Agent'), input: z.looseObject({ isolation: z.literal('worktree') }) }),
  }),
  examples: [
    {
      description: 'After vade task compose',
      command: 'vade task spawn --task fix-login --trust root.json --key orchestrator.pem',
    },
  ],
  run: async (args, world) => {
    const { spawnAgent } = await import('../../../tasks/use-cases/spawn-agent.ts');
    const spawned = await spawnAgent(args, world);
    if (!args['dry-run'])
      world.say(`${spawned.plan.agent_id}: the host makes this call; vade cannot call a host’s tool`);
    return { ...told(spawned, args['dry-run']), warnings: spawned.warnings };
  },
});

function told({ plan, plan_digest, call }: Spawned, isDry: boolean) {
  const { agent_id, worktree } = plan;
  const effect = isDry ? 'would_spawn' : 'spawned';
  return { data: { effect, agent_id, worktree, plan_digest, plan, call }, text: shownJson(call, 2) };
}
