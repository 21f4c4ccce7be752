import { z } from 'zod';
import { developmentSigner } from '../../../app/world/trust-keys.ts';
import { Claims } from '../../../schema/source/control-plane.ts';
import { developmentToken } from '../../../trust/development-plane.ts';
import { defineCommand } from '../../registry.ts';

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
      description: 'Why it is woken, as org.yaml names it',
    },
    minutes: { type: 'integer', default: 60, min: 1, max: 1440, description: 'How long the token is valid' },
  },
  exits: [],
  output: z.object({ token: z.string(), heartbeat_id: z.string(), expires_at: z.string() }),
  examples: [{ description: 'Wake the cto', command: 'vade key heartbeat --agent cto --wake-reason issue_assigned' }],
  run: (args, world) => {
    const seconds = Math.floor(world.now().getTime() / 1000);
    const exp = seconds + args.minutes * 60;
    const heartbeat_id = `dev_${world.random(8).toString('hex')}`;
    const claims = Claims.parse({
      ...{ sub: args.agent, iat: seconds, exp },
      ...{ heartbeat_id, session_start: seconds, wake_reason: args['wake-reason'] },
    });
    const token = developmentToken(developmentSigner(world), claims);
    const expires_at = new Date(exp * 1000).toISOString();
    return Promise.resolve({ data: { token, heartbeat_id, expires_at }, text: token });
  },
});
