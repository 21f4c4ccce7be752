import { resolve } from 'node:path';
import { VadeError } from '../schema/errors.ts';
import { suggestedKey } from '../schema/known-keys.ts';
import { Claims } from '../schema/source/control-plane.ts';
import { developmentToken } from '../trust/development-plane.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { agentHolder, holdersIn } from '../world/holders.ts';
import { development } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import type { KEY_HEARTBEAT } from './flags/keys.ts';

export type WakeFlags = Arguments<typeof KEY_HEARTBEAT>;

export interface Wake {
  readonly token: string;
  readonly heartbeat_id: string;
  readonly expires_at: string;
}

/**
 * A token that wakes an agent of the development bundle of this folder, as a control plane would.
 *
 * @throws bundle_not_found, bundle_unverified, agent_not_found, argument_invalid for an unknown wake reason
 */
export async function wakeForDevelopment(flags: WakeFlags, world: World): Promise<Wake> {
  const { currentRevision, openBundle } = await import('../io/bundle/open-bundle.ts');
  const folder = resolve(world.cwd, flags.bundle);
  // before a key is made, which would be of no use here
  const revision = currentRevision(folder);
  const { signer, root: pinned } = development(world);
  const bundle = openBundle(folder, { pinned, now: world.now().toISOString() }, revision);
  const holder = agentHolder(holdersIn(bundle, flags.bundle), flags.agent);
  assertKnown(flags['wake-reason'], bundle.org.wake_reasons);
  const iat = Math.floor(world.now().getTime() / 1000);
  const claims = {
    sub: holder.agent_id,
    iat,
    exp: iat + flags.minutes * 60,
    heartbeat_id: `dev_${world.random(8).toString('hex')}`,
    session_start: iat,
    wake_reason: flags['wake-reason'],
  };
  return {
    token: developmentToken(signer, bundle.trust, Claims.parse(claims)),
    heartbeat_id: claims.heartbeat_id,
    expires_at: new Date(claims.exp * 1000).toISOString(),
  };
}

/** A server takes any wake reason; one that `org.yaml` does not register preloads nothing, and is a slip here. */
function assertKnown(reason: string, known: readonly string[]): void {
  if (known.includes(reason)) return;
  throw new VadeError('argument_invalid', `--wake-reason: org.yaml does not register “${reason.slice(0, 64)}”`, {
    flag: 'wake-reason',
    suggestion: suggestedKey(reason, known) ?? `it registers ${known.join(', ')}`,
  });
}
