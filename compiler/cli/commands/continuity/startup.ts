import { z } from 'zod';
import { Handoff } from '../../../continuity/schema/coordination/handoff.ts';
import { UnreadableCapsule } from '../../../continuity/schema/list.ts';
import { ScheduleItem } from '../../../continuity/schema/schedule/item.ts';
import { STARTUP } from '../../../continuity/use-cases/flags.ts';
import { defineCommand } from '../../registry.ts';

/** A view as the hook of a host gives it: what matters at a start, without the whole capsule. */
const View = z.looseObject({
  subject_kind: z.string(),
  subject_id: z.string(),
  source_state: z.string(),
  startup_summary: z.looseObject({}).nullable(),
});

export const continuityStartupCommand = defineCommand({
  path: 'continuity.startup',
  description: 'Print what an agent sees of its capsules at a start, as a hook of its host gives it to the agent',
  danger: 'safe',
  flags: STARTUP,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', 'UNAVAILABLE'],
  output: z.object({
    content_kind: z.literal('agent_authored'),
    views: z.array(View),
    left_out: z.array(z.object({ subject_kind: z.string(), subject_id: z.string() })),
    unreadable: z.array(UnreadableCapsule),
    handoffs: z.array(Handoff),
    due: z.array(ScheduleItem),
    /** Open capsules beside these. */
    more: z.int(),
  }),
  examples: [
    {
      description: 'As the hook of a host',
      command: 'vade continuity startup --continuity .vade/capsules --dev --agent cto --format text',
    },
  ],
  run: async (args, world) => {
    const { readStartup } = await import('../../../continuity/use-cases/startup.ts');
    const { text, ...data } = await readStartup(args, world);
    return { data: { content_kind: 'agent_authored' as const, ...data }, text };
  },
});
