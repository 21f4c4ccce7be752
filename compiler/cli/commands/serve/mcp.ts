import { resolve } from 'node:path';
import { z } from 'zod';
import { capsulesFrom } from '../../../continuity/use-cases/capsules-place.ts';
import { VadeError } from '../../../schema/errors.ts';
import { arrivalsPlace } from '../../../world/arrivals-place.ts';
import { auditingFrom } from '../../../world/audit-place.ts';
import { sourceFrom } from '../../../world/bundle-place.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { AUDITING, BUNDLE_ADDRESS, BUNDLE_FLAGS, MODELS } from '../../../world/flags/shared.ts';
import { hubOf } from '../../../world/model-hub.ts';
import { hasCompiledHere, pinnedRoot } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { defineCommand } from '../../registry.ts';

type BundleArguments = Arguments<typeof BUNDLE_FLAGS>;

export const mcpCommand = defineCommand({
  path: 'mcp',
  description: 'Serve a bundle to one agent over MCP on stdin and stdout, and write the audit',
  danger: 'mutating',
  scopes: ['audit:write'],
  runsUntilSignal: true,
  ownsStdout: true,
  flags: {
    agent: { type: 'string', id: true, required: true, description: 'Agent of the host, by id or short name' },
    ...AUDITING,
    models: MODELS,
    continuity: {
      type: 'string',
      description: 'Folder of the capsules that agents write, with tools for the host; default: none are kept',
    },
    explain: { type: 'boolean', description: 'Offer explain_recall too, to look for a fault' },
    'fail-stale': { type: 'boolean', description: 'Serve nothing without a valid freshness statement' },
    ...BUNDLE_FLAGS,
    ...BUNDLE_ADDRESS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({}),
  examples: [
    { description: 'Serve the cto, as a host starts it', command: 'vade mcp --dev --agent cto' },
    {
      description: 'With a trust root, and an audit of its own',
      command: 'vade mcp --trust root.json --agent cto --audit .vade/mcp.db',
    },
  ],
  run: async (args, world) => {
    const pinned = pinnedRoot(args, world);
    const compile = await compilerOf(args, world);
    const { drain: _, ...source } = await sourceFrom({ ...args, drain: 0, canary: [] }, pinned, world);
    const { serveMcp } = await import('../../../../server/stdio.ts');
    const server = await serveMcp({
      agent: args.agent,
      folder: world.cwd,
      ...source,
      pinned,
      ...auditingFrom(args, world),
      arrivals: arrivalsPlace(world.cwd),
      optional: args.dev,
      models: resolve(world.cwd, args.models),
      hub: hubOf(world),
      failStale: args['fail-stale'],
      explains: args.explain,
      continuity: capsulesFrom(args.continuity, world),
      now: () => world.now().getTime(),
      ...world.streams(),
    });
    compile?.();
    const signal = await Promise.race([server.ended.then(() => null), world.ended]);
    await server.close();
    if (signal === null) return { data: {}, text: '' };
    throw new VadeError(signal === 'SIGINT' ? 'interrupted' : 'terminated', `ended by ${signal}`);
  },
});

/** Compiles beside a session of the person's own development bundle; null for any other, which compiles nothing. */
async function compilerOf({ dev, trust, bundle }: BundleArguments, world: World) {
  const isOwn = dev && trust === undefined && bundle === BUNDLE_FLAGS.bundle.default && hasCompiledHere(world);
  return isOwn ? (await import('../../child-compiler.ts')).childCompiler(resolve(world.cwd, bundle), world) : null;
}
