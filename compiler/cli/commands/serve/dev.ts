import { z } from 'zod';
import { MODELS } from '../../../world/flags/shared.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { ALLOW_HOST, hostsFrom } from '../../http-flags.ts';
import { defineCommand } from '../../registry.ts';

export const devCommand = defineCommand({
  path: 'dev',
  description: 'Serve the working tree on this machine, uncommitted edits too, and compile each change',
  danger: 'safe',
  runsUntilSignal: true,
  flags: {
    repo: { type: 'string', default: '.', description: 'Folder that contains the sources' },
    source: { type: 'string', default: 'instructions', description: 'Folder of the sources, in it' },
    port: { type: 'integer', default: 8765, min: 0, max: 65_535, description: 'Port to listen on; 0 picks a free one' },
    keys: { type: 'string', description: 'Bearer keys, as vade key writes them; default: keys for this session' },
    models: MODELS,
    ...ALLOW_HOST,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({}),
  examples: [
    { description: 'Try every edit at once, in the page and in a host', command: 'vade dev' },
    { description: 'On a free port, with keys of yours', command: 'vade dev --port 0 --keys keys.json' },
  ],
  run: async (args, world) => {
    const { develop } = await import('../../../app/dev/develop.ts');
    return develop({ ...args, allowHosts: hostsFrom(args['allow-host']) }, world);
  },
});
