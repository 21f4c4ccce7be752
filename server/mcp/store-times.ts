import { z } from 'zod';

/** The times that a write carries, and that the server fills in over MCP. */
export const FILLED = ['updated_at', 'verified_at'];

/** A time that is further behind the server's clock than this was guessed: a model has no clock. */
const FAR_BEHIND_MS = 24 * 60 * 60 * 1000;

const Write = z.looseObject({});
const Upsert = z.looseObject({ capsule: Write });

/**
 * Fills in the times that a write lacks. A preserving upsert keeps when its capsule was verified; a repeated request
 * with an idempotency key has to be the same each time, so nothing is filled in there. Untrusted.
 *
 * @param now milliseconds since 1970
 */
export function fillTimes(id: string, input: unknown, now: number) {
  const { data: upsert } = Upsert.safeParse(id === 'upsertCapsule' ? input : null);
  const { data: write } = Write.safeParse(id === 'patchCapsule' || id === 'moveLifecycle' ? input : upsert);
  if (write === undefined) return { input, warnings: [] };
  const names = upsert !== undefined && upsert['merge_mode'] !== 'preserve' ? FILLED : ['updated_at'];
  const members = upsert?.capsule ?? write;
  const lacking = names.filter((it) => members[it] == null && write['idempotency_key'] == null);
  const timed = { ...members, ...Object.fromEntries(lacking.map((it) => [it, new Date(now).toISOString()])) };
  const behind = FILLED.filter((it) => now - Date.parse(String(members[it])) > FAR_BEHIND_MS);
  return {
    input: upsert === undefined ? timed : { ...upsert, capsule: timed },
    warnings: behind.map((it) => `${it} is far behind the clock, ${new Date(now).toISOString()}: leave it out`),
  };
}
