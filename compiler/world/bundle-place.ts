import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Mirror } from '../schema/bundle/mirror.ts';
import { VadeError } from '../schema/errors.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import type { Arguments } from './flags/flag.ts';
import type { BUNDLE_SOURCE } from './flags/shared.ts';
import type { World } from './world.ts';

export type SourceFlags = Arguments<typeof BUNDLE_SOURCE>;

/**
 * The source of a server's bundle. The token is sent only to that address.
 *
 * @throws argument_invalid
 */
export async function sourceFrom(args: SourceFlags, pinned: SignedRoot, world: World) {
  return {
    ...(await bundlePlaceFrom(args, pinned, world)),
    mirrorPollMs: args.poll * 1000,
    drain: () => setTimeout(args.drain * 1000),
    canaries: args.canary.map(canaryFrom),
  };
}

/** The folder of a bundle, and the mirror that fills it if the bundle is an address. @throws argument_invalid */
export async function bundlePlaceFrom(
  { bundle, cache }: Pick<SourceFlags, 'bundle' | 'cache'>,
  pinned: SignedRoot,
  world: World,
): Promise<PlacedBundle> {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(bundle)) return { bundle: resolve(world.cwd, bundle) };
  const { openRemote, remoteBase } = await import('../io/remote/remote.ts');
  const { openMirror } = await import('../io/remote/mirror.ts');
  const base = remoteBase(bundle);
  // a folder for each address, so that bundles never mix
  const name = createHash('sha256').update(`${base.origin}${base.pathname}`).digest('hex').slice(0, 16);
  const folder = join(resolve(world.cwd, cache), name);
  const remote = openRemote({ base, token: world.env['VADE_BUNDLE_TOKEN'] });
  const belief = () => ({ pinned, now: world.now().toISOString() });
  return { bundle: folder, mirror: openMirror({ remote, folder, belief }) };
}

/** A bundle's folder, and the mirror that fills it. */
export interface PlacedBundle {
  readonly bundle: string;
  readonly mirror?: Mirror;
}

function canaryFrom(flag: string): { agent: string; root: string } {
  const [agent = '', root = '', ...more] = flag.split('=');
  const isRoot = /^[1-9]\d{0,14}(-[0-9a-f]{64})?$/.test(root);
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(agent) && isRoot && more.length === 0) return { agent, root };
  throw new VadeError('argument_invalid', `--canary “${flag}” is not <agent>=<revision or serial>`);
}
