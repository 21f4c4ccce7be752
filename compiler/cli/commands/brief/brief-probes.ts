import { BRIEF } from '../../../world/flags/quality.ts';
import { PrintedBrief, toOutcome } from '../../printed-brief.ts';
import { defineCommand } from '../../registry.ts';

export const briefProbesCommand = defineCommand({
  path: 'brief.probes',
  description: 'Print what a person or an agent needs to write probes blind, without triggers and phrases',
  danger: 'safe',
  flags: BRIEF,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: PrintedBrief,
  examples: [
    { description: 'For the units without probes', command: 'vade brief probes --agent cto --missing --format text' },
  ],
  run: async (args, world) => {
    const { printBrief } = await import('../../../app/brief/print-brief.ts');
    return toOutcome(await printBrief('probes', args, world));
  },
});
