import { resolve } from 'node:path';
import { performHere } from '../../server/local.ts';
import { gardenOf } from '../io/bundle/load-garden.ts';
import { openQueries } from '../io/models/encoder.ts';
import { RecallResponse } from '../schema/api/recall.ts';
import type { AuditRecord } from '../schema/audit/record.ts';
import { VadeError } from '../schema/errors.ts';
import { writtenAudit } from '../world/audit-place.ts';
import type { Arguments } from '../world/flags/flag.ts';
import type { RECALL } from '../world/flags/quality.ts';
import { hubOf } from '../world/model-hub.ts';
import { pinnedBundle } from '../world/pinned-bundle.ts';
import type { World } from '../world/world.ts';

type RecallFlags = Arguments<typeof RECALL>;

/**
 * Answers an intent from a bundle, as the server would. The token of an answer that no audit records is null.
 *
 * @param body the request, as HTTP would carry it
 */
export async function recallHere(args: RecallFlags, body: unknown, world: World): Promise<RecallResponse> {
  const { audit } = args;
  const bundle = pinnedBundle(args, world);
  gardenOf(bundle, args.agent);
  const queries = await openQueries(bundle.org.model, resolve(world.cwd, args.models), hubOf(world));
  const caller = {
    bundle,
    queries,
    agent: args.agent,
    now: () => world.now().getTime(),
    audit: audit === undefined ? null : writtenAudit({ audit, state: args.state }, world),
    onRow: ({ left_out, answer_digest }: AuditRecord) => {
      world.detail(`${left_out.length} left out; digest of the texts ${answer_digest}`);
    },
  };
  const query = { explain: String(args.explain) };
  const result = await performHere('recallInstruction', caller, { query, body }).catch(asArgumentError);
  const answer = RecallResponse.parse(result);
  return audit === undefined ? { ...answer, audit_token: null } : answer;
}

/** An invalid request is an invalid argument here: the flags are the request. */
function asArgumentError(error: unknown): never {
  if (!(error instanceof VadeError) || error.code !== 'request_invalid') throw error;
  throw new VadeError('argument_invalid', error.message, error.details);
}
