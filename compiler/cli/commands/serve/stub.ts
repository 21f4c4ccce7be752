import { resolve } from 'node:path';
import { z } from 'zod';
import { PROFILES } from '../../../schema/bundle/boot-stub.ts';
import { BUNDLE_FLAGS } from '../../../world/flags/shared.ts';
import { pinnedRoot } from '../../../world/trust-keys.ts';
import { defineCommand } from '../../registry.ts';

export const stubCommand = defineCommand({
  path: 'stub',
  description: 'Print the boot stub of an agent from a bundle, as a hook of its host gives it to the agent',
  danger: 'safe',
  flags: {
    agent: { type: 'string', id: true, required: true, description: 'Agent, by id or short name' },
    profile: {
      type: 'enum',
      values: PROFILES,
      default: 'generic',
      description: 'Adapter profile; generic where the agent does not have it',
    },
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ stub: z.string() }),
  examples: [
    { description: 'For a person', command: 'vade stub --dev --agent cto' },
    { description: 'As the hook of a host', command: 'vade stub --dev --agent cto --profile generic --format text' },
  ],
  run: async ({ agent, profile, ...args }, world) => {
    const { openBundle } = await import('../../../io/bundle/open-bundle.ts');
    const { agentMissing, findGarden } = await import('../../../io/bundle/load-garden.ts');
    const { performHere } = await import('../../../../server/local.ts');
    const belief = { pinned: pinnedRoot(args, world), now: world.now().toISOString() };
    const bundle = openBundle(resolve(world.cwd, args.bundle), belief);
    if (findGarden(bundle, agent) === null) throw agentMissing(bundle, agent);
    const caller = {
      bundle,
      // a boot stub is looked up, not searched: a host that waits for it need not wait for an encoder
      queries: () => Promise.resolve(null),
      agent,
      audit: null,
      now: () => world.now().getTime(),
    };
    const stub = String(await performHere('getBootStub', caller, { query: { profile }, body: undefined }));
    return { data: { stub }, text: stub.trimEnd() };
  },
});
