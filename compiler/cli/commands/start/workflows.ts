import { resolve } from 'node:path';
import { z } from 'zod';
import { DRY_RUN } from '../../../world/flags/shared.ts';
import { defineCommand } from '../../registry.ts';

export const workflowsCommand = defineCommand({
  path: 'workflows',
  description: 'Add workflows for GitHub: check and comment a pull request, publish main, watch on a schedule',
  danger: 'mutating',
  flags: {
    source: {
      type: 'string',
      default: 'instructions',
      description: 'Folder of the sources; the files go to the top of its repository',
    },
    action: {
      type: 'string',
      required: true,
      description: 'Where the action is: owner/repository@<commit>, with all 40 digits',
    },
    'dry-run': DRY_RUN,
  },
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'noop', 'would_create', 'would_noop']),
    written: z.array(z.string()),
    /** Files that were there already, and stay as they are. */
    kept: z.array(z.string()),
  }),
  examples: [
    {
      description: 'By a copy of Vademecum that you trust',
      command: 'vade workflows --action acme/vademecum@0123456789abcdef0123456789abcdef01234567 --dry-run',
    },
  ],
  run: async (args, world) => {
    const { missingWorkflows, writeWorkflows } = await import('../../../app/workflow-files.ts');
    const workflows = missingWorkflows(resolve(world.cwd, args.source), args.action);
    if (!args['dry-run']) writeWorkflows(workflows);
    const written = [...workflows.added.keys()];
    const done = written.length === 0 ? 'noop' : 'created';
    const effect = args['dry-run'] ? (`would_${written.length === 0 ? 'noop' : 'create'}` as const) : done;
    const text = [...written.map((it) => `${effect} ${it}`), ...workflows.kept.map((it) => `kept ${it}`), SECRETS];
    return { data: { effect, written, kept: [...workflows.kept] }, text };
  },
});

const SECRETS = `# then store the signing key as the secret VADE_SIGNING_KEY: gh secret set VADE_SIGNING_KEY < .vade/signing-key.pem`;
