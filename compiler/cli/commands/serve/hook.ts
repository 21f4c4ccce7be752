import { z } from 'zod';
import { HOOK } from '../../../app/flags/hook.ts';
import { runHook } from '../../../app/hook/run-hook.ts';
import { defineCommand } from '../../registry.ts';

export const hookCommand = defineCommand({
  path: 'hook',
  description: 'Answer one event of a host, which it writes to stdin, with the pages that fit',
  // it remembers what it gave, and reports it to the audit
  danger: 'mutating',
  ownsStdout: true,
  flags: HOOK,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({}),
  examples: [
    {
      description: 'As a host starts it',
      command: 'vade hook --dev --agent assistant',
    },
  ],
  run: async (args, world) => {
    const answer = await runHook(args, await world.stdin(MOST_BYTES), world);
    world.streams().output.write(answer);
    return { data: {}, text: '' };
  },
});

/** A tool's input may have a whole file; a longer event is refused. */
const MOST_BYTES = 16 * 1024 * 1024;
