import type { Recall, RecallOptions } from './answer.ts';
import type { OpenedBundle } from './open-bundle.ts';

/**
 * Answers an intent from an opened bundle, as a server would. It writes no audit; `createServer` does.
 *
 * @param agent id or short name
 * @throws VadeError such as `intent_required`, `request_invalid`, `agent_not_found`, `bundle_unverified`
 */
export function recall(bundle: OpenedBundle, agent: string, request: RecallOptions): Promise<Recall> {
  return bundle.recall(agent, request);
}
