import { VadeError } from '../../schema/errors.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { EntityUri } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { readPublicKey, type PublicKey } from '../../world/read-public-key.ts';
import type { World } from '../../world/world.ts';
import type { TRUST_DRAFT } from '../flags/trust.ts';

/** Roles that a key can sign for; anything else is the entity URI of an administrator. */
const ROLES = ['root', 'bundle', 'freshness'] as const;
type RoleName = (typeof ROLES)[number];

const WHOLE_ID = /^[0-9a-f]{64}$/;

/** Changes of the keys of a trust root. */
export type KeyFlags = Pick<Arguments<typeof TRUST_DRAFT>, 'add-key' | 'retire-key'>;

/**
 * A trust root with other keys. Keys are retired first, so that a key can change its role. Roots are checked as a whole
 * by the caller: a role without enough keys is no root.
 *
 * @throws argument_invalid, source_not_found
 */
export function changeKeys(root: TrustRoot, flags: KeyFlags, world: World): TrustRoot {
  const kept = flags['retire-key'].reduce((before, given) => without(before, given, world), root);
  return flags['add-key'].reduce((before, given) => withKey(before, given, world), kept);
}

/** The root without a key, in whatever role. An administrator stays one: they may have another key, or get one. */
function without(root: TrustRoot, given: string, world: World): TrustRoot {
  const retired = WHOLE_ID.test(given) ? given : readPublicKey(given, 'retire-key', world).keyid;
  if (!Object.hasOwn(root.keys, retired)) throw invalid('retire-key', `the trust root has no key ${given}`);
  const keys = Object.fromEntries(Object.entries(root.keys).filter(([id]) => id !== retired));
  const roles = mapRoles(root.roles, (keyids) => keyids.filter((id) => id !== retired));
  return { ...root, keys, roles };
}

function withKey(root: TrustRoot, given: string, world: World): TrustRoot {
  const at = given.indexOf('=');
  const holder = given.slice(0, Math.max(0, at));
  const file = given.slice(at + 1);
  if (holder === '' || file === '')
    throw invalid('add-key', '--add-key must be <role>=<file> or <administrator>=<file>');
  const key = readPublicKey(file, 'add-key', world);
  return isRole(holder) ? inRole(root, holder, key) : asAdmin(root, holder, key);
}

const isRole = (name: string): name is RoleName => (ROLES as readonly string[]).includes(name);

/** A new role of freshness has a threshold of one. */
function inRole(root: TrustRoot, name: RoleName, { keyid, pem }: PublicKey): TrustRoot {
  const { keyids, threshold } = root.roles[name] ?? { keyids: [], threshold: 1 };
  const role = { keyids: [...new Set([...keyids, keyid])], threshold };
  return {
    ...root,
    keys: { ...root.keys, [keyid]: root.keys[keyid] ?? { public: pem } },
    roles: { ...root.roles, [name]: role },
  };
}

function asAdmin(root: TrustRoot, owner: string, { keyid, pem }: PublicKey): TrustRoot {
  if (!EntityUri.safeParse(owner).success) {
    const message = `${owner} is neither a role (${ROLES.join(', ')}) nor an entity URI, such as acme/human/ann`;
    throw invalid('add-key', message);
  }
  const known = root.keys[keyid];
  if (known && known.owner !== owner)
    throw invalid('add-key', `the trust root already has this key, but its owner is not ${owner}`);
  const admins = [...new Set([...root.admins, owner])].sort();
  return { ...root, admins, keys: { ...root.keys, [keyid]: known ?? { public: pem, owner } } };
}

function mapRoles(roles: TrustRoot['roles'], change: (keyids: string[]) => string[]): TrustRoot['roles'] {
  const { root, bundle, freshness } = roles;
  const changed = <R extends { readonly keyids: string[] }>(role: R): R => ({ ...role, keyids: change(role.keyids) });
  return { root: changed(root), bundle: changed(bundle), ...(freshness && { freshness: changed(freshness) }) };
}

function invalid(flag: keyof KeyFlags, message: string): VadeError {
  return new VadeError('argument_invalid', message, { flag });
}
