import { ulid } from 'ulid';
import type { HostEvent } from '../../hosts/host-event.ts';
import { MAX_INTENT_CHARACTERS } from '../../schema/api/recall.ts';
import type { SpooledArrival } from '../../schema/audit/arrival.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { World } from '../../world/world.ts';
import type { Context, Page } from './context-text.ts';

/** The agent that a hook answered, by which bundle, and when. */
interface Given extends Pick<World, 'random'> {
  readonly agent_id: string;
  readonly bundle_revision: string;
  readonly created_at: number;
}

/**
 * The report of an answer for the audit; of a prompt for which nothing came only that there was one.
 *
 * @param isFull whether the text of a prompt may be stored, and not only its digest
 * @returns null for another event for which nothing came
 */
export function arrivalOf(
  event: HostEvent,
  context: Context,
  { random, ...given }: Given,
  isFull: boolean,
): SpooledArrival | null {
  const { agent_id, created_at } = given;
  const intent = event.kind === 'prompt' ? event.intent : null;
  if (context.text === '') return intent === null ? null : { agent_id, silent_at: created_at };
  const salt = random(16).toString('hex');
  const pointers = context.pages.filter(({ start }) => start !== undefined);
  const pages = context.pages.filter((it) => !pointers.includes(it));
  const text = intent?.slice(0, MAX_INTENT_CHARACTERS).toWellFormed() ?? null;
  return {
    id: `arrival_${ulid(created_at, () => (random(1)[0] ?? 0) / 256)}`,
    ...given,
    event: event.kind,
    session: sha256(event.session).slice(0, 32),
    pages: pages.map(versioned),
    names: [...pointers, ...context.names].map(({ name }) => name),
    ...(pointers.length > 0 && { pointers: pointers.map(versioned) }),
    tokens: pages.reduce((all, { tokens }) => all + tokens, 0),
    intent_digest: text === null ? null : sha256(`${salt}\n${text}`),
    intent: text !== null && isFull ? { salt, text } : null,
  };
}

const versioned = ({ name, version }: Page) => ({ name, version });
