import { z } from 'zod';
import { competingLines } from '../../../present/terminal/siblings.ts';
import { Remedy } from '../../../schema/report/siblings.ts';
import { SIBLINGS } from '../../../world/flags/quality.ts';
import { defineCommand } from '../../registry.ts';

/** Short, since the manifest pays for tokens; the full shape is SiblingReport. */
const CompetingAgents = z.array(
  z.looseObject({
    agent: z.string(),
    rivalries: z.array(z.looseObject({ unit: z.string(), rival: z.string(), steals: z.number(), remedy: Remedy })),
  }),
);

export const siblingsCommand = defineCommand({
  path: 'siblings',
  description: 'List the units that compete for the same intents, with a remedy for each pair',
  danger: 'safe',
  flags: SIBLINGS,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ revision: z.string(), least: z.int(), agents: CompetingAgents }),
  examples: [
    { description: 'Every agent', command: 'vade siblings --dev' },
    { description: 'Every pair of one agent', command: 'vade siblings --dev --agent cto --least 0' },
  ],
  run: async (args, world) => {
    const { findCompeting } = await import('../../../app/probe/siblings.ts');
    const data = await findCompeting(args, world);
    return { data, text: data.agents.flatMap(competingLines) };
  },
});
