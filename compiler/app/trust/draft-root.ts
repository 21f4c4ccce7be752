import { resolve } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { pinnedRoot } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import { readControlPlane, type ControlPlaneFlags } from './control-plane.ts';
import { newestRoot } from './newest-root.ts';
import { unusedPath } from './unused-path.ts';

interface DraftFlags extends ControlPlaneFlags {
  readonly out: string;
  readonly trust: string;
  readonly source: string;
  readonly 'dry-run': boolean;
}

/**
 * Writes the next trust root as plain JSON, with the given control plane if there is one.
 *
 * @throws already_exists, argument_invalid, source_not_found, trust_required, bundle_unverified, output_failed
 */
export function draftRoot(flags: DraftFlags, world: World): TrustRoot {
  const pinned = pinnedRoot({ trust: flags.trust, dev: false }, world);
  const { root } = newestRoot(pinned, resolve(world.cwd, flags.source));
  const control_plane = readControlPlane(flags, world);
  const draft: TrustRoot = { ...root, version: root.version + 1, ...(control_plane && { control_plane }) };
  const path = unusedPath(flags.out, world);
  if (!flags['dry-run']) createFile(path, `${JSON.stringify(draft, null, 2)}\n`);
  return draft;
}
