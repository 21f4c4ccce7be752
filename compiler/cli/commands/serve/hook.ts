import { z } from 'zod';
import { HOOK } from '../../../app/flags/hook.ts';
import { runHook } from '../../../app/hook/run-hook.ts';
import { VadeError } from '../../../schema/errors.ts';
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
    const { input, output } = world.streams();
    output.write(await runHook(args, await readEvent(input), world));
    return { data: {}, text: '' };
  },
});

/** A tool's input may have a whole file; a longer event is refused. */
const MOST_BYTES = 16 * 1024 * 1024;

async function readEvent(input: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of input) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new VadeError('argument_invalid', `the event has more than ${MOST_BYTES} bytes`);
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString('utf8');
}
