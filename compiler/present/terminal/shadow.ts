import { renderCheck } from '../../schema/bundle/migration-stage.ts';
import type { Shadow, ShadowHeartbeat } from '../../schema/report/shadow.ts';

/** A comparison of lazy with eager loading, and the heartbeats that are listed. */
export interface ShadowSummary {
  readonly effect: string;
  readonly shadow: Shadow;
  readonly listed: readonly ShadowHeartbeat[];
  readonly omitted: number;
}

/** The evidence that was signed, and what the next steps are. */
interface SignedEvidence {
  readonly evidence: { readonly file: string; readonly signatures: number; readonly needed: number | null };
  readonly hints: readonly string[];
}

/** The comparison for people, then the conditions of the next stage, and the evidence if it was signed. */
export function shadowText(
  { effect, shadow, listed, omitted }: ShadowSummary,
  attested: SignedEvidence | null,
): string[] {
  const { heartbeats, recalls, tokens } = shadow;
  const percent = (share: number | null) => (share === null ? 'unknown' : `${Math.round(share * 10_000) / 100} %`);
  return [
    `${shadow.agent} in ${shadow.mode}, ${shadow.since} to ${shadow.until}`,
    `${heartbeats.total} heartbeats, ${heartbeats.judged} of them judged; ${recalls.total} recalls, ${recalls.unclosed} unclosed, ${recalls.silent} closed without a report, ${recalls.unattributed} without a heartbeat`,
    `tokens: ${tokens.lazy} lazy, ${tokens.eager} eager (${percent(tokens.share)})`,
    `coverage ${percent(shadow.coverage)}; miss rate ${percent(shadow.miss_rate)} over ${recalls.events} events`,
    ...shadow.regressions.map((it) => `  missed and not loaded: ${it.name}, in ${it.heartbeats} heartbeats`),
    ...(shadow.unknown.length > 0 ? [`  missed, but not a unit: ${shadow.unknown.join(', ')}`] : []),
    ...listed.map(heartbeatLine),
    ...(omitted > 0 ? [`  ${omitted} more heartbeats`] : []),
    ...(shadow.next === null ? [] : [`conditions for ${shadow.next}:`]),
    ...shadow.rules.map((it) => `  ${it.met ? 'met' : 'not met'}: ${renderCheck(it)}`),
    ...(attested
      ? [
          `${effect}: ${attested.evidence.file}, ${attested.evidence.signatures} of ${attested.evidence.needed ?? '?'} signature(s); commit it`,
          ...attested.hints,
        ]
      : []),
  ];
}

function heartbeatLine({ heartbeat_id, at, tokens, wanted, brought, regressions, judged }: ShadowHeartbeat): string {
  const found = judged ? `${brought} of ${wanted} wanted units` : 'not judged';
  const missing = regressions.length > 0 ? `; missing: ${regressions.join(', ')}` : '';
  return `  ${at} ${heartbeat_id}: ${tokens.lazy} of ${tokens.eager} tokens, ${found}${missing}`;
}
