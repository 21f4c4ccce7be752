import { z } from 'zod';
import { VadeError } from '../../../schema/errors.ts';
import { TASK_CLEAN } from '../../../tasks/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';

export const taskCleanCommand = defineCommand({
  path: 'task.clean',
  description: 'Remove worktrees and bindings of agents; work that main does not have is kept',
  danger: 'destructive',
  scopes: ['agent:seal'],
  flags: TASK_CLEAN,
  oneOf: [['agent', 'all']],
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({ effect: z.enum(['removed', 'noop', 'would_remove', 'would_noop']), removed: z.array(z.string()) }),
  examples: [{ description: 'All that is merged', command: 'vade task clean --all --key orchestrator.pem' }],
  run: async (args, world) => {
    const isDry = args['dry-run'];
    if (args.discard && !args.yes && !isDry) {
      throw new VadeError(
        'confirmation_required',
        'discarded work is in no commit and cannot be restored; confirm with --yes',
      );
    }
    const { cleanAgents } = await import('../../../tasks/use-cases/clean-agents.ts');
    const { removed, kept } = await cleanAgents(args, world);
    if (kept.length > 0) {
      const [first] = kept;
      const suggestion = 'merge it, or discard it: vade task clean --agent … --discard --yes';
      const message = `${kept.length} worktrees are kept: ${first?.agent_id ?? ''}: ${first?.why ?? ''}`;
      throw new VadeError('work_unmerged', message, { kept, removed, suggestion });
    }
    const effect = `${isDry ? 'would_' : ''}${removed.length === 0 ? 'noop' : isDry ? 'remove' : 'removed'}`;
    return { data: { effect, removed }, text: [`${effect}: ${removed.length} agents`, ...removed] };
  },
});
