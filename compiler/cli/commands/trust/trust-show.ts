import { resolve } from 'node:path';
import { z } from 'zod';
import { pinnedRoot } from '../../../app/world/trust-keys.ts';
import { printable } from '../../../schema/diagnostics.ts';
import type { TrustRoot } from '../../../schema/source/trust-root.ts';
import { BUNDLE_FLAGS, defineCommand } from '../../registry.ts';
import { chainIn, SOURCE } from './trust-chain.ts';

const { trust, dev } = BUNDLE_FLAGS;

export const trustShowCommand = defineCommand({
  path: 'trust.show',
  description: 'Follow the chain of trust roots, and show who may do what, and until when',
  danger: 'safe',
  flags: { source: SOURCE, trust, dev },
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({
    version: z.int(),
    pinned: z.int(),
    deployment: z.string(),
    valid_from: z.string().nullable(),
    expires: z.string().nullable(),
    admins: z.array(z.string()),
    thresholds: z.record(z.string(), z.int()),
    keys: z.array(
      z.object({
        keyid: z.string(),
        owner: z.string().nullable(),
        roles: z.array(z.string()),
        expires: z.string().nullable(),
      }),
    ),
    forges: z.array(z.string()),
    commit_keys: z.array(z.object({ kind: z.string(), owner: z.string(), expires: z.string().nullable() })),
    supervisors: z.record(z.string(), z.array(z.string())),
    control_plane: z.object({ issuer: z.string(), audience: z.string(), kids: z.array(z.string()) }).nullable(),
    next: z.array(z.string()),
  }),
  examples: [{ description: 'Show the newest trust root', command: 'vade trust show --trust root.json' }],
  run: (args, world) => {
    const pinned = pinnedRoot(args, world);
    const { root } = pinned.root.development ? pinned : chainIn(pinned, resolve(world.cwd, args.source));
    const data = { pinned: pinned.root.version, ...describe(root), next: nextSteps(root, world.now()) };
    return Promise.resolve({ data, text: toText(data) });
  },
});

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

const SOON_MS = 30 * 86_400_000;

/** What the administrators must do within a month. */
function nextSteps(root: TrustRoot, now: Date): string[] {
  const ends = [
    [`trust root ${root.version}`, root.expires] as const,
    ...Object.entries(root.keys).map(([keyid, it]) => [`key ${keyid.slice(0, 12)}`, it.expires ?? null] as const),
    ...root.commit_keys.map((it) => [`the commit key of ${it.owner}`, it.expires] as const),
  ];
  const soon = ends.flatMap(([what, at]) => {
    const left = at === null ? Infinity : Date.parse(at) - now.getTime();
    if (left > SOON_MS) return [];
    return [`${what} ${left <= 0 ? 'expired' : 'expires'} at ${at ?? ''}: draft the next root with vade trust draft`];
  });
  const early = root.valid_from !== null && Date.parse(root.valid_from) > now.getTime();
  const keyless = root.admins.filter((admin) => !Object.values(root.keys).some(({ owner }) => owner === admin));
  return [
    ...soon,
    ...(early ? [`trust root ${root.version} is not in force before ${root.valid_from ?? ''}`] : []),
    ...keyless.map((admin) => `${admin} is an administrator without a key: vade trust keygen --owner ${admin}`),
  ];
}

function toText(it: ReturnType<typeof describe> & { readonly next: readonly string[] }): string {
  const until = (expires: string | null) => (expires === null ? '' : ` until ${expires}`);
  const lines = [
    `trust root ${it.version} of ${it.deployment}${until(it.expires)}`,
    `administrators: ${it.admins.join(', ') || 'none'}`,
    `signatures needed: ${Object.entries(it.thresholds)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
    ...it.keys.map((key) => `key ${key.keyid} ${[key.owner ?? [], key.roles].flat(2).join(' ')}${until(key.expires)}`),
    ...it.forges.map((forge) => `ignored as a committer: ${forge}`),
    ...it.commit_keys.map((key) => `commit key (${key.kind}) of ${key.owner}${until(key.expires)}`),
    ...Object.entries(it.supervisors).map(([name, reports]) => `${name} supervises ${reports.join(', ')}`),
    ...(it.control_plane ? [`control plane ${it.control_plane.issuer}: ${it.control_plane.kids.join(', ')}`] : []),
    ...it.next.map((step) => `next: ${step}`),
  ];
  return lines.map(printable).join('\n');
}
