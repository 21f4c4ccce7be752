import type { TrustRoot } from '../schema/source/trust-root.ts';

/** Administrators are asked for the next root this long before something of the present one expires. */
const SOON_MS = 30 * 86_400_000;

/**
 * Says what of a trust root expires within 30 days, or has expired: the root itself, its keys, its commit keys.
 *
 * @param now milliseconds since 1970
 */
export function expiringParts(root: TrustRoot, now: number): string[] {
  const ends = [
    [`trust root ${root.version}`, root.expires] as const,
    ...Object.entries(root.keys).map(([keyid, it]) => [`key ${keyid.slice(0, 12)}`, it.expires ?? null] as const),
    ...root.commit_keys.map((it) => [`the commit key of ${it.owner}`, it.expires] as const),
  ];
  return ends.flatMap(([part, at]) => {
    const left = at === null ? Infinity : Date.parse(at) - now;
    return left > SOON_MS ? [] : [`${part} ${left <= 0 ? 'expired' : 'expires'} at ${at ?? ''}`];
  });
}

/**
 * The time from which readers refuse every bundle under a trust root: it expires, or too few bundle keys are left.
 *
 * @returns milliseconds since 1970; Infinity if never
 */
export function bundlesEndAt({ expires, keys, roles: { bundle } }: TrustRoot): number {
  const timeOf = (at: string | null | undefined) => (at == null ? Infinity : Date.parse(at));
  const ends = bundle.keyids.map((id) => timeOf(keys[id]?.expires)).sort((a, b) => b - a);
  return Math.min(timeOf(expires), ends[bundle.threshold - 1] ?? Infinity);
}
