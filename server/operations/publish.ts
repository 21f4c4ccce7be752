import { isUtf8 } from 'node:buffer';
import { VadeError } from '../../compiler/schema/errors.ts';
import { inTurn } from '../../compiler/schema/in-turn.ts';
import { gardenOf, requireAdmin } from '../auth/authorize.ts';
import type { Call, Publish } from './call.ts';

/** A longer queue would only make callers time out. */
const MAX_WAITING = 8;

/** One publication at a time in this process; between processes the branch decides. @throws rate_limited */
export function oneAtATime(publish: Publish): Publish {
  const turns = inTurn();
  let waiting = 0;
  return async (agent, body, admin) => {
    if (waiting >= MAX_WAITING) throw new VadeError('rate_limited', 'too many publications are waiting');
    waiting += 1;
    try {
      return await turns(() => publish(agent, body, admin));
    } finally {
      waiting -= 1;
    }
  };
}

/** Authorises a publication (§21.8.3) before the body is read. @throws instruction_scope_denied, publish_disabled */
export function requirePublisher(call: Call): void {
  requireAdmin(call);
  gardenOf(call);
  if (call.services.publish !== null) return;
  const how = 'change the sources in git, have the pull request merged, and compile the new commit';
  throw new VadeError('publish_disabled', `manifests are published by merging: ${how}`);
}

/** §21.8.3: replaces a manifest. The served bundle stays; the answer names the bundle with the new manifest. */
export async function publishManifest(call: Call, body: unknown): Promise<object> {
  const { publish } = call.services;
  const { holder } = call.identity;
  if (publish === null || holder.kind !== 'admin') throw new VadeError('internal', 'publishing is disabled');
  if (!Buffer.isBuffer(body) || body.length === 0 || !isUtf8(body)) {
    throw new VadeError('request_invalid', 'send a JSON object as application/json');
  }
  return publish(gardenOf(call), body, holder.entity);
}
