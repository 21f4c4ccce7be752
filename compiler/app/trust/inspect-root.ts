import { resolve } from 'node:path';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { expiringParts } from '../../trust/expiry.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { TRUST_SHOW } from '../flags/trust.ts';
import { newestRoot } from './newest-root.ts';

type InspectFlags = Arguments<typeof TRUST_SHOW>;

/**
 * The newest trust root: who may do what and until when, and what the administrators must do within a month.
 *
 * @throws trust_required, bundle_unverified
 */
export function inspectRoot({ source, ...flags }: InspectFlags, world: World) {
  const pinned = pinnedRoot(flags, world);
  const { root } = pinned.root.development ? pinned : newestRoot(pinned, resolve(world.cwd, source));
  return { pinned: pinned.root.version, ...describe(root), next: nextSteps(root, world.now()) };
}

function describe(root: TrustRoot) {
  const roles = Object.entries(root.roles).flatMap(([name, role]) => (role ? [[name, role] as const] : []));
  const rolesOf = (keyid: string, owner: string | null) => [
    ...roles.filter(([, { keyids }]) => keyids.includes(keyid)).map(([name]) => name),
    ...(owner !== null && root.admins.includes(owner) ? ['admin'] : []),
  ];
  const keys = Object.entries(root.keys).map(([keyid, { owner = null, expires = null }]) => ({
    keyid,
    owner,
    roles: rolesOf(keyid, owner),
    expires,
  }));
  const { version, deployment, valid_from, expires, admins } = root;
  const counts = Object.fromEntries(roles.map(([name, { threshold }]) => [name, threshold]));
  const commit_keys = root.commit_keys.map(({ kind, owner, expires }) => ({ kind, owner, expires }));
  const { unproven_authors = 1 } = root.thresholds;
  const thresholds = { ...counts, ...root.thresholds, unproven_authors };
  const { supervisors = {}, control_plane: plane } = root;
  const control_plane = plane
    ? { issuer: plane.issuer, audience: plane.audience, kids: plane.jwks.keys.map((it) => it.kid) }
    : null;
  return {
    version,
    deployment,
    valid_from,
    expires,
    admins,
    thresholds,
    keys,
    forges: root.forges ?? [],
    commit_keys,
    supervisors,
    control_plane,
  };
}

/** Tasks that the administrators must do within a month. */
function nextSteps(root: TrustRoot, now: Date): string[] {
  const early = root.valid_from !== null && Date.parse(root.valid_from) > now.getTime();
  const keyless = root.admins.filter((admin) => !Object.values(root.keys).some(({ owner }) => owner === admin));
  return [
    ...expiringParts(root, now.getTime()).map((it) => `${it}: draft the next root with vade trust draft`),
    ...(early ? [`trust root ${root.version} is not in force before ${root.valid_from ?? ''}`] : []),
    ...keyless.map((admin) => `${admin} is an administrator without a key: vade trust keygen --owner ${admin}`),
  ];
}
