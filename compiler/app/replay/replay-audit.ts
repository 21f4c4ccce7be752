import { setImmediate } from 'node:timers/promises';
import { readAnswers } from '../../../server/audit/read-answers.ts';
import { agentMissing, findGarden } from '../../io/bundle/load-garden.ts';
import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import { createReplayCounter, type ReplayCounter } from '../../quality/replay-tally.ts';
import type { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPLAY } from '../../world/flags/quality.ts';
import type { windowFrom } from '../../world/time-window.ts';
import type { Replayer } from './replay.ts';

type ReplayOptions = Pick<Arguments<typeof REPLAY>, 'agent' | 'limit' | 'show-intents' | 'as-recorded'>;

/** Replays all recalls in a window of the audit. @throws agent_not_found, audit_not_found, bundle_unverified */
export async function replayAll(
  { bundle, ask }: Replayer,
  place: ReturnType<typeof auditPlaceFrom>,
  window: ReturnType<typeof windowFrom>,
  options: ReplayOptions,
): Promise<ReplayCounter> {
  const counter = createReplayCounter(options.limit);
  const agent = options.agent === undefined ? null : agentIdIn(bundle, options.agent, options['as-recorded']);
  for await (const page of readAnswers(place, { agent, ...window })) {
    for (const answered of page) {
      const recall = await ask(answered);
      if (typeof recall === 'string') counter.skip(recall);
      else counter.count({ ...recall, ...(options['show-intents'] && { intent: answered.intent }) });
    }
    // lets a signal be handled between two pages
    await setImmediate();
  }
  return counter;
}

/** @param lenient whether the bundle may not have the agent: an older bundle may have had it */
function agentIdIn(bundle: OpenBundle, agent: string, lenient: boolean): string {
  const garden = findGarden(bundle, agent);
  const known = bundle.root.predicate.gardens.find((it) => it.garden === garden)?.agent_id;
  if (known !== undefined && known !== null) return known;
  if (lenient) return agent;
  throw agentMissing(bundle, agent);
}
