import { z } from 'zod';
import type { Diagnostic } from '../../../schema/diagnostics.ts';
import { TASK_COMPOSE } from '../../../tasks/use-cases/flags.ts';
import type { Warning } from '../../../world/world.ts';
import { defineCommand } from '../../registry.ts';
import { PlanShape } from './task-output.ts';

export const taskComposeCommand = defineCommand({
  path: 'task.compose',
  description: 'Write the prompt of a task into its folder: the same bytes for the same task, role and bundle',
  danger: 'mutating',
  flags: TASK_COMPOSE,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['composed', 'noop', 'would_compose', 'would_noop']),
    prompt: z.string(),
    plan: PlanShape,
  }),
  examples: [
    { description: 'Read it before an agent does', command: 'vade task compose --task fix-login --trust root.json' },
  ],
  run: async (args, world) => {
    const { composeToFile } = await import('../../../tasks/use-cases/compose-task.ts');
    const { changed, prompt, plan, warnings } = await composeToFile(args, world);
    const effect = `${args['dry-run'] ? 'would_' : ''}${changed ? (args['dry-run'] ? 'compose' : 'composed') : 'noop'}`;
    return { data: { effect, prompt, plan }, text: `${effect}: ${prompt}`, warnings: warningsOf(warnings) };
  },
});

/** Diagnostics that stop nothing, as warnings of the output. */
function warningsOf(found: readonly Diagnostic[]): Warning[] {
  return found.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it }));
}
