import { z } from 'zod';
import { completionFor, SHELLS } from '../../completion.ts';
import { defineCommand, type Registry } from '../../registry.ts';

/** @param registry called when the command runs, since the registry contains this command */
export const completionCommand = (registry: () => Promise<Registry>) =>
  defineCommand({
    path: 'completion',
    description: 'Print a completion script for a shell',
    danger: 'safe',
    flags: { shell: { type: 'enum', values: SHELLS, required: true, description: 'The shell that will source it' } },
    exits: [],
    output: z.object({ shell: z.enum(SHELLS), script: z.string() }),
    examples: [{ description: 'For this bash', command: 'vade completion --shell bash --format text' }],
    run: async (args) => {
      const script = completionFor(args.shell, await registry());
      return { data: { shell: args.shell, script }, text: script.trimEnd() };
    },
  });
