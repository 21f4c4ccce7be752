import { z } from 'zod';
import { TASK_WORKTREE } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';

export const taskWorktreeCommand = defineCommand({
  path: 'task.worktree',
  description: 'Give a host the worktree of the agent that it starts: the hook WorktreeCreate, with its event on stdin',
  danger: 'mutating',
  ownsStdout: true,
  flags: TASK_WORKTREE,
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({}),
  examples: [
    {
      description: 'What the hook does',
      command: 'vade task worktree --tasks /srv/handbook/.git/vade --orchestrator "$KEY"',
    },
  ],
  run: async (args, world) => {
    const { giveWorktree } = await import('../../../tasks/use-cases/give-worktree.ts');
    const { agent_id, worktree } = giveWorktree(await world.stdin(), args);
    // a host takes the whole of stdout for the path
    world.streams().output.write(`${worktree}\n`);
    world.say(`${agent_id} works in ${worktree}`);
    return { data: {}, text: '' };
  },
});
