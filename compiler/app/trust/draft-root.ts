import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { TrustRoot } from '../../schema/source/trust-root.ts';
import { EntityUri } from '../../schema/uri.ts';
import { signerFromPem } from '../../trust/dsse.ts';
import { newSigningKey } from '../../trust/root-chain.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { type PublicKey, readPublicKey } from '../../world/read-public-key.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { TRUST_DRAFT, TRUST_KEYGEN } from '../flags/trust.ts';
import { readControlPlane } from './control-plane.ts';
import { newestRoot } from './newest-root.ts';

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

/** Roles that a key can sign for; anything else is the entity URI of an administrator. */
const ROLES = ['root', 'bundle', 'freshness'] as const;
type RoleName = (typeof ROLES)[number];

const WHOLE_ID = /^[0-9a-f]{64}$/;

/**
 * A trust root with other keys. Keys are retired first, so that a key can change its role. Roots are checked as a whole
 * by the caller: a role without enough keys is no root.
 *
 * @throws argument_invalid, source_not_found
 */
function changeKeys(root: TrustRoot, flags: DraftFlags, world: World): TrustRoot {
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

function invalid(flag: 'add-key' | 'retire-key', message: string): VadeError {
  return new VadeError('argument_invalid', message, { flag });
}

/** The public half of a new key. */
interface CreatedKey {
  readonly keyid: string;
  readonly publicPem: string;
}

/**
 * Creates an Ed25519 key in a file that only its owner can read.
 *
 * @returns the public key; null for a dry run
 * @throws already_exists, output_failed
 */
export function createKey({ out, 'dry-run': dryRun }: Arguments<typeof TRUST_KEYGEN>, world: World): CreatedKey | null {
  const path = unusedPath(out, world);
  if (dryRun) return null;
  const pem = newSigningKey();
  createFile(path, pem, { mode: 0o600 });
  const { keyid, publicPem } = signerFromPem(pem);
  return { keyid, publicPem };
}

/** The absolute path of a file to create. @throws already_exists */
function unusedPath(given: string, { cwd }: World): string {
  const path = resolve(cwd, given);
  if (existsSync(path)) throw new VadeError('already_exists', `${given} already exists`);
  return path;
}
