import { ComputedRecall } from '../schema/api/recall.ts';
import type { AuditedAnswer } from '../schema/audit/answered.ts';
import type { Unreplayable } from '../schema/report/replay-report.ts';
import type { LoggedRecall } from './replay.ts';

/** An instant as `Date` writes it; a server writes no other form. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An entry of the audit as a recall to replay, or the reason why it cannot be. Entries are untrusted and parsed. */
export function loggedRecall(answered: AuditedAnswer): LoggedRecall | Unreplayable {
  const { kind, id, intent, files, now, bundle_revision, answer_digest, candidates, tokens, closing } = answered;
  if (kind === 'heartbeat') return 'heartbeat';
  if (intent === '') return 'intent_gone';
  const request = readRequest(answered.request, intent, files);
  if (request === null || !INSTANT.test(now) || Number.isNaN(Date.parse(now))) return 'request_unreadable';
  const inOrder = [...answered.loaded_chunks].sort((a, b) => a.rank - b.rank);
  return {
    id,
    request,
    now,
    bundle_revision,
    answer_digest,
    candidates,
    tokens,
    loaded: inOrder.map(({ name }) => name),
    used: closing?.used_chunks ?? [],
    missed: closing?.missed_chunks ?? [],
  };
}

/** Units that were withdrawn when the recall was answered: the answer names each of them. */
export function withdrawnThen({ left_out }: Pick<AuditedAnswer, 'left_out'>): string[] {
  return left_out.filter(({ outcome }) => outcome === 'withdrawn').map(({ name }) => name);
}

/** The request of an entry; null if it is not one. */
export function readRequest(recorded: string, intent: string, files: readonly string[] = []): ComputedRecall | null {
  try {
    const { success, data } = ComputedRecall.safeParse({ ...(JSON.parse(recorded) as object), intent, files });
    return success ? data : null;
  } catch {
    return null;
  }
}
