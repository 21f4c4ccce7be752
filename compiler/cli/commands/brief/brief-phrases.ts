import { BRIEF } from '../../../world/flags/quality.ts';
import { PrintedBrief, toOutcome } from '../../printed-brief.ts';
import { defineCommand } from '../../registry.ts';

export const briefPhrasesCommand = defineCommand({
  path: 'brief.phrases',
  description: 'Print what a person or an agent needs to write phrases for units; no model is called',
  danger: 'safe',
  flags: BRIEF,
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: PrintedBrief,
  examples: [
    { description: 'For the units without phrases', command: 'vade brief phrases --agent cto --missing --format text' },
    { description: 'For the shared units', command: 'vade brief phrases --agent shared' },
  ],
  run: async (args, world) => {
    const { printBrief } = await import('../../../app/brief/print-brief.ts');
    return toOutcome(await printBrief('phrases', args, world));
  },
});
