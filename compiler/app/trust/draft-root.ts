import { resolve } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { TrustRoot } from '../../schema/source/trust-root.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { TRUST_DRAFT } from '../flags/trust.ts';
import { changeKeys } from './change-keys.ts';
import { readControlPlane } from './control-plane.ts';
import { newestRoot } from './newest-root.ts';
import { unusedPath } from './unused-path.ts';

type DraftFlags = Arguments<typeof TRUST_DRAFT>;

/**
 * Writes the next trust root as plain JSON, with the given changes of keys and the given control plane.
 *
 * @throws already_exists, argument_invalid, source_not_found, trust_required, bundle_unverified, output_failed
 */
export function draftRoot(flags: DraftFlags, world: World): TrustRoot {
  const pinned = pinnedRoot({ trust: flags.trust, dev: false }, world);
  const { root } = newestRoot(pinned, resolve(world.cwd, flags.source));
  const control_plane = readControlPlane(flags, world);
  const keyed = changeKeys(root, flags, world);
  const draft = asRoot({ ...keyed, version: root.version + 1, ...(control_plane && { control_plane }) });
  const path = unusedPath(flags.out, world);
  if (!flags['dry-run']) createFile(path, `${JSON.stringify(draft, null, 2)}\n`);
  return draft;
}

/** @throws argument_invalid if the changes leave a role without enough keys */
function asRoot(draft: TrustRoot): TrustRoot {
  const parsed = TrustRoot.safeParse(draft);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((it) => `${it.path.join('.')}: ${it.message}`);
  throw new VadeError('argument_invalid', `the draft is not a valid trust root: ${faults.join('; ')}`, { faults });
}
