import { setImmediate } from 'node:timers/promises';
import { readAnswers } from '../../../server/main.ts';
import { findGarden } from '../../io/bundle/load-garden.ts';
import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import { openCounting, type Counting } from '../../quality/replay-tally.ts';
import { VadeError } from '../../schema/errors.ts';
import type { placeFrom } from '../world/audit-place.ts';
import type { windowFrom } from '../world/time-window.ts';
import type { Replaying } from './replay.ts';

interface ReplayOptions {
  /** An agent, by id or short name. */
  readonly agent: string | undefined;
  readonly limit: number;
  readonly 'show-intents': boolean;
  readonly 'as-recorded': boolean;
}

/** Asks everything that a window of the audit holds. @throws agent_not_found, audit_not_found, bundle_unverified */
export async function replayAll(
  { bundle, ask }: Replaying,
  place: ReturnType<typeof placeFrom>,
  window: ReturnType<typeof windowFrom>,
  asked: ReplayOptions,
): Promise<Counting> {
  const counting = openCounting(asked.limit);
  const agent = asked.agent === undefined ? null : agentIdIn(bundle, asked.agent, asked['as-recorded']);
  for await (const page of readAnswers(place, { agent, ...window })) {
    for (const answered of page) {
      const recall = await ask(answered);
      if (typeof recall === 'string') counting.skip(recall);
      else counting.count({ ...recall, ...(asked['show-intents'] && { intent: answered.intent }) });
    }
    // a signal is heard between two pages
    await setImmediate();
  }
  return counting;
}

/** @param lenient whether an agent that the bundle does not know may be meant: it may have asked an older one */
function agentIdIn(bundle: OpenBundle, agent: string, lenient: boolean): string {
  const garden = findGarden(bundle, agent);
  const known = bundle.root.predicate.gardens.find((it) => it.garden === garden)?.agent_id;
  if (known !== undefined && known !== null) return known;
  if (lenient) return agent;
  throw new VadeError('agent_not_found', `the bundle has no agent ${agent}`);
}
