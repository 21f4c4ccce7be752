import type { Arrival, TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import { intentDigest } from '../../../server/audit/records/hash-chain.ts';
import { START } from './records.ts';

const SALT = '5a'.repeat(16);

/** The id of the i-th arrival. */
export const arrivalId = (i: number) => `arrival_01JZ3K8M5QW7XE9RT2VB4N${String(i).padStart(4, '0')}`;

/** The i-th arrival: a prompt for which one page came, without its text. */
export function arrival(i: number, over: Partial<Arrival> = {}): Arrival {
  return {
    id: arrivalId(i),
    agent_id: 'cto-id',
    event: 'prompt',
    session: 'ab'.repeat(16),
    pages: [{ name: 'wrap-up', version: 'v2' }],
    names: [],
    tokens: 100,
    intent_digest: intentDigest(SALT, `prompt ${i}`),
    intent: null,
    bundle_revision: '7-abc',
    created_at: START + i * 1000,
    ...over,
  };
}

/** The same, with the text of its prompt. */
export function toldArrival(i: number, text = `prompt ${i}`, over: Partial<Arrival> = {}): Arrival {
  return arrival(i, { intent_digest: intentDigest(SALT, text), intent: { salt: SALT, text }, ...over });
}

/** Prompts of an agent for which nothing came. */
export function silences(count: number, over: Partial<Arrival> = {}): TakenArrival {
  const nothing = { pages: [], tokens: 0, session: '', bundle_revision: '', intent_digest: null };
  return { ...arrival(0, { id: 'silence_1', ...nothing, ...over }), count };
}
