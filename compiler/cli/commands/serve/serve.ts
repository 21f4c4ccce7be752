import { resolve } from 'node:path';
import { z } from 'zod';
import type { ServerOptions } from '../../../../server/main.ts';
import { capsulesFrom } from '../../../continuity/use-cases/capsules-place.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { SignedRoot } from '../../../trust/root-chain.ts';
import { arrivalsPlace } from '../../../world/arrivals-place.ts';
import { auditingFrom } from '../../../world/audit-place.ts';
import { sourceFrom, type PlacedBundle } from '../../../world/bundle-place.ts';
import type { Arguments, Flags } from '../../../world/flags/flag.ts';
import { AUDITING, AUDIT_REPLICA, BUNDLE_FLAGS, BUNDLE_SOURCE, MODELS } from '../../../world/flags/shared.ts';
import { requireLoopback } from '../../../world/loopback.ts';
import { hubOf } from '../../../world/model-hub.ts';
import { pinnedRoot, signingKey } from '../../../world/trust-keys.ts';
import { type World } from '../../../world/world.ts';
import { childPublisher } from '../../child-publisher.ts';
import { AUDIT_EXITS } from '../../exit.ts';
import { httpOptionsFrom, HTTP_FLAGS } from '../../http-flags.ts';
import { defineCommand, type CommandResult } from '../../registry.ts';

const flags = {
  host: { type: 'string', default: '127.0.0.1', description: 'Address to listen on; --dev allows only loopback' },
  port: { type: 'integer', default: 8765, min: 0, max: 65_535, description: 'Port to listen on; 0 picks a free one' },
  ...AUDITING,
  ...AUDIT_REPLICA,
  keys: { type: 'string', default: 'keys.json', description: 'Bearer keys, as vade key writes them' },
  models: MODELS,
  continuity: {
    type: 'string',
    description: 'Folder of the capsules that agents write, one git repository each; default: none are kept',
  },
  publish: {
    type: 'string',
    description: 'Bare repository that PUT publishes manifests to; default: PUT answers 405',
  },
  'publish-ref': { type: 'string', default: 'main', description: 'Branch to publish to' },
  'publish-source': { type: 'string', default: 'instructions', description: 'Folder of the sources in --publish' },
  key: { type: 'string', description: 'Ed25519 signing key in PEM for --publish; or VADE_SIGNING_KEY' },
  'fail-stale': { type: 'boolean', description: 'Serve nothing without a valid freshness statement' },
  ...HTTP_FLAGS,
  'dry-run': { type: 'boolean', description: 'Verify the whole bundle, and do not listen' },
  ...BUNDLE_FLAGS,
  ...BUNDLE_SOURCE,
} as const satisfies Flags;

export const serveCommand = defineCommand({
  path: 'serve',
  description: 'Serve a bundle to agents over HTTP, and write the audit',
  danger: 'mutating',
  scopes: ['audit:write'],
  runsUntilSignal: true,
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED', ...AUDIT_EXITS],
  output: z.object({ effect: z.literal('would_serve'), revision: z.string(), gardens: z.int() }),
  examples: [
    { description: 'Serve for development', command: 'vade serve --dev' },
    {
      description: 'Serve in production',
      command: 'vade serve --trust root.json --host 0.0.0.0 --audit /var/lib/vade/audit.db',
    },
  ],
  run: async (args, world) => {
    requireLoopback(args);
    const http = httpOptionsFrom(args, world);
    const pinned = pinnedRoot(args, world);
    const source = await sourceFrom(args, pinned, world);
    if (args['dry-run']) return verifyGardens(source, pinned, world);
    const options: ServerOptions = {
      host: args.host,
      port: args.port,
      ...source,
      pinned,
      ...auditingFrom(args, world),
      arrivals: arrivalsPlace(world.cwd),
      optional: args.dev,
      replica: args['audit-replica'],
      keys: resolve(world.cwd, args.keys),
      models: resolve(world.cwd, args.models),
      hub: hubOf(world),
      failStale: args['fail-stale'],
      ...http,
      ...publisherOf(args, world),
      continuity: capsulesFrom(args.continuity, world),
      development: args.dev,
      now: () => world.now().getTime(),
    };
    const { startServer } = await import('../../../../server/main.ts');
    const server = await startServer(options);
    const signal = await world.ended;
    await server.close();
    throw new VadeError(signal === 'SIGINT' ? 'interrupted' : 'terminated', `ended by ${signal}`, {
      url: server.url,
      revision: server.revision,
    });
  },
});

/** `vade publish` for the PUT of a manifest; a key that cannot sign is refused before the server listens. */
function publisherOf(args: Arguments<typeof flags>, world: World): Pick<ServerOptions, 'publish'> {
  const { publish, key, trust, dev } = args;
  if (publish === undefined) return {};
  if (args.bundle.includes('://')) {
    throw new VadeError(
      'argument_invalid',
      '--publish writes the bundle, so --bundle must be a folder, not an address',
    );
  }
  signingKey(key, args, world);
  const path = (value: string) => resolve(world.cwd, value);
  const words = [
    `--repo=${path(publish)}`,
    `--ref=${args['publish-ref']}`,
    `--source=${args['publish-source']}`,
    `--bundle=${path(args.bundle)}`,
    `--models=${path(args.models)}`,
    ...(key === undefined ? [] : [`--key=${path(key)}`]),
    ...(trust === undefined ? [] : [`--trust=${path(trust)}`]),
    ...(dev ? ['--dev'] : []),
  ];
  return { publish: childPublisher(words, world) };
}

/** Verifies every file of every garden, as the server does before it first uses a garden. */
async function verifyGardens(source: PlacedBundle, pinned: SignedRoot, world: World): Promise<CommandResult> {
  const { currentRevision, openBundle } = await import('../../../io/bundle/open-bundle.ts');
  const { withdrawnFrom } = await import('../../../io/bundle/sidecar-files.ts');
  const revision = source.mirror ? await source.mirror.sync() : currentRevision(source.bundle);
  const bundle = openBundle(source.bundle, { pinned, now: world.now().toISOString() }, revision);
  const { gardens } = bundle.root.predicate;
  for (const { garden } of gardens) bundle.readGarden(garden);
  withdrawnFrom(bundle);
  const data = { effect: 'would_serve', revision: bundle.revision, gardens: gardens.length };
  return { data, text: `would serve ${gardens.length} gardens of revision ${bundle.revision}` };
}
