import { z } from 'zod';
import { shownLines } from '../../../present/terminal/continuity.ts';
import { defineCommand } from '../../registry.ts';
import { CAPSULE, lookedFrom } from './capsule-flags.ts';

export const continuityShowCommand = defineCommand({
  path: 'continuity.show',
  description: 'Show a capsule of an agent, or its fallback, with what the agent sees of it at a start',
  danger: 'safe',
  flags: CAPSULE,
  exits: ['NOT_FOUND', 'PRECONDITION', 'UNAVAILABLE'],
  // the answer of `POST /v1/continuity/read`: its schema is there, and would cost every reader of the manifest
  output: z.object({
    answer: z.looseObject({ path: z.string(), source_state: z.string(), archived: z.boolean() }),
    archives: z.array(z.string()),
  }),
  examples: [
    {
      description: 'What an agent kept of a thread',
      command: 'vade continuity show --continuity capsules --owner default --kind thread --subject release-42',
    },
  ],
  run: async (args, world) => {
    const { showCapsule } = await import('../../../../server/continuity/operator/read-capsules.ts');
    const subject = { subject_kind: args.kind, subject_id: args.subject };
    const { answer, archives } = await showCapsule(lookedFrom(args, world), args.owner, subject);
    return { data: { answer, archives: [...archives] }, text: shownLines(answer, archives) };
  },
});
