import { z } from 'zod';
import { wakeForDevelopment } from '../../../app/world/development-wake.ts';
import { BUNDLE_FLAGS, defineCommand } from '../../registry.ts';

export const keyHeartbeatCommand = defineCommand({
  path: 'key.heartbeat',
  description: 'Issue a token that wakes an agent of a server that runs with --dev, as a control plane would',
  danger: 'safe',
  flags: {
    agent: { type: 'string', id: true, required: true, description: 'Agent to wake, by id or short name' },
    'wake-reason': {
      type: 'string',
      line: true,
      default: 'manual',
      description: 'Why it is woken: a wake reason that org.yaml registers',
    },
    minutes: { type: 'integer', default: 60, min: 1, max: 1440, description: 'How long the token is valid' },
    bundle: { ...BUNDLE_FLAGS.bundle, description: 'Folder of the bundle that vade compile --dev wrote here' },
  },
  exits: ['NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ token: z.string(), heartbeat_id: z.string(), expires_at: z.string() }),
  examples: [{ description: 'Wake the cto', command: 'vade key heartbeat --agent cto --wake-reason issue_assigned' }],
  run: async (args, world) => {
    const wake = await wakeForDevelopment(args, world);
    return { data: wake, text: wake.token };
  },
});
