import type { ReplayedRecall, ReplayReport, ReplayTally } from '../../schema/report/replay-report.ts';

/** A replay for people: the figures of all recalls and of each agent, then the recalls that changed. */
export function replayText(report: ReplayReport): string[] {
  const { total, proof, agents, not_replayed, changed, omitted, revision } = report;
  const skipped = Object.entries(not_replayed).map(([why, count]) => `${count} ${why.replaceAll('_', ' ')}`);
  return [
    `${revision ?? 'each with its own revision'}: ${total.replayed} of ${report.read} entries replayed; ${summary(total)}`,
    ...(proof.replayed > 0
      ? [`${proof.replayed} of them with the revision that answered them; ${proof.differing} of these differ`]
      : []),
    ...(skipped.length > 0 ? [`not replayed: ${skipped.join(', ')}`] : []),
    ...agents.map((it) => `  ${it.agent}: ${it.replayed} replayed; ${summary(it)}`),
    ...changed.map(replayedLine),
    ...(omitted > 0 ? [`  ${omitted} more changed recalls`] : []),
  ];
}

function summary({ worse, different, same_units, better, identical, tokens }: ReplayTally): string {
  const change = `${tokens.before} → ${tokens.after} tokens (${signed(tokens.change)})`;
  return `${identical} identical, ${worse} worse, ${better} better, ${different} with other units, ${same_units} with other texts or another order; ${change}`;
}

/** A replayed recall as one line. */
export function replayedLine({ verdict, id, agent, gained, dropped, tokens, intent }: ReplayedRecall): string {
  const units = [...gained.map((it) => `+${it}`), ...dropped.map((it) => `-${it}`)].join(' ');
  const shown = intent === undefined ? '' : ` “${intent}”`;
  return `  ${verdict.replace('_', ' ')}: ${id} of ${agent}${shown} ${units} (${signed(tokens)} tokens)`;
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}
