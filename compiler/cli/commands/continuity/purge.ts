import { resolve } from 'node:path';
import { z } from 'zod';
import { DRY_RUN, YES } from '../../../world/flags/shared.ts';
import { requireYes } from '../../../world/require-yes.ts';
import { defineCommand } from '../../registry.ts';
import { CAPSULE } from './capsule-flags.ts';

export const continuityPurgeCommand = defineCommand({
  path: 'continuity.purge',
  description:
    'Erase a subject from an agent’s capsules, their history, its handoffs and schedule, and say which backups still have it',
  danger: 'destructive',
  flags: {
    ...CAPSULE,
    backup: {
      type: 'array',
      description: 'Copy of that folder, or of one repository, to search for the subject; may be repeated',
    },
    yes: YES,
    'dry-run': DRY_RUN,
  },
  exits: ['NOT_FOUND', 'PRECONDITION', 'UNAVAILABLE'],
  output: z.object({
    effect: z.enum(['updated', 'would_update']),
    commits: z.int(),
    versions: z.int(),
    /** Number of them that could not be read: they lay where the subject's own may lie. */
    unreadable: z.int(),
    /** Handoffs of it to other agents. */
    handoffs: z.int(),
    /** Items of the schedule about it. */
    items: z.int(),
    backups: z.array(z.string()),
  }),
  examples: [
    {
      description: 'Forget a user',
      command:
        'vade continuity purge --continuity /var/lib/vade/capsules --owner 8e0ed057-bcd8-4f8f-92ee-c046c55b64e9 --kind user --subject jane --yes',
    },
  ],
  run: async (args, { cwd }) => {
    requireYes(args, `this permanently erases ${args.kind} ${args.subject} and its history`);
    const { purgeCapsule } = await import('../../../../server/continuity/operator/purge-capsule.ts');
    const { commits, versions, unreadable, handoffs, items, backups } = await purgeCapsule(
      { kind: args.kind, id: args.subject },
      {
        root: resolve(cwd, args.continuity),
        owner: args.owner,
        backups: args.backup.map((it) => resolve(cwd, it)),
        dryRun: args['dry-run'],
      },
    );
    const effect = args['dry-run'] ? 'would_update' : 'updated';
    const held = backups.length === 0 ? '' : `\nstill in ${backups.join(', ')}`;
    const damaged = unreadable === 0 ? '' : ` (${unreadable} unreadable)`;
    const text = `${effect}: ${commits} commits, ${versions} versions${damaged}, ${handoffs} handoffs, ${items} items${held}`;
    return { data: { effect, commits, versions, unreadable, handoffs, items, backups: [...backups] }, text };
  },
});
