import { z } from 'zod';
import { wakeForDevelopment } from '../../../app/development-wake.ts';
import { KEY_HEARTBEAT } from '../../../app/flags/keys.ts';
import { defineCommand } from '../../registry.ts';

export const keyHeartbeatCommand = defineCommand({
  path: 'key.heartbeat',
  description: 'Issue a token that wakes an agent of a server that runs with --dev, as a control plane would',
  danger: 'safe',
  flags: KEY_HEARTBEAT,
  exits: ['NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ token: z.string(), heartbeat_id: z.string(), expires_at: z.string() }),
  examples: [{ description: 'Wake the cto', command: 'vade key heartbeat --agent cto --wake-reason issue_assigned' }],
  run: async (args, world) => {
    const wake = await wakeForDevelopment(args, world);
    return { data: wake, text: wake.token };
  },
});
