import { z } from 'zod';
import { INIT } from '../../../app/flags/trust.ts';
import { startHandbook } from '../../../app/init/start-handbook.ts';
import { defineCommand } from '../../registry.ts';

export const initCommand = defineCommand({
  path: 'init',
  description: 'Create a handbook here: the smallest sources that compile, with a trust root of their own',
  danger: 'mutating',
  flags: INIT,
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    dir: z.string(),
    deployment: z.string(),
    /** Entity URI of the first administrator. */
    admin: z.string().nullable(),
    written: z.array(z.string()),
    /** Files of a host, pages and workflows that were there already, and stay as they are. */
    kept: z.array(z.string()),
    /** Text that such a file needs. */
    to_add: z.array(z.object({ file: z.string(), text: z.string() })),
    /** Lines that were added to a `.gitignore` that was there. */
    ignored: z.array(z.string()),
    /** Lines that were added to a `.gitattributes` that was there. */
    attributes: z.array(z.string()),
    /** Instructions that the project has already; the next steps migrate them. */
    found: z.array(z.string()),
    skills: z.array(z.string()),
    next: z.array(z.string()),
  }),
  examples: [
    { description: 'In a project', command: 'vade init' },
    { description: 'Start in a new folder', command: 'vade init --dir handbook' },
  ],
  run: async (args, world) => {
    const { data, notes } = await startHandbook(args, world);
    return { data, text: [...notes, ...data.next] };
  },
});
