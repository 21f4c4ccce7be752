import type { AgentMetrics, Arrivals, DeploymentMetrics, Figures } from '../../schema/api/metrics.ts';

/** The metrics of a deployment for people: each agent, the total of several, and the limitation of the figures. */
export function metricsText({ agents, total, strangers, limitation, since, until }: DeploymentMetrics): string[] {
  return [
    `${since} to ${until}`,
    ...agents.flatMap(agentLines),
    ...(agents.length > 1 ? figureLines('all agents', total) : []),
    ...strangers.map(({ agent_id, rows }) => `${agent_id}: ${rows} rows; the bundle has no such agent`),
    `Limitation: ${limitation}`,
  ];
}

function agentLines(it: AgentMetrics): string[] {
  const names = it.missed.map(({ name, times, exists }) => `${name} ${times}×${exists ? '' : ' (no such unit)'}`);
  const more = it.more_missed > 0 ? [`${it.more_missed} more`] : [];
  return [
    ...figureLines(it.agent, it),
    ...(names.length > 0 ? [`  missed: ${[...names, ...more].join(', ')}`] : []),
    ...it.guaranteed.map(({ name, recalled, relevant, warning }) => {
      const note = warning ? '; below 0.6: is the guarantee worth its tokens?' : '';
      return `  guaranteed ${name}: used in ${percent(relevant)} of ${recalled} recalls${note}`;
    }),
    ...(it.recertify === null ? [] : [recertifyLine(it.recertify)]),
  ];
}

function recertifyLine({ by, overdue, units }: NonNullable<AgentMetrics['recertify']>): string {
  return `  coverage gate bypassed${overdue ? ', OVERDUE since' : ' until'} ${by}: ${units.join(', ')}`;
}

function figureLines(name: string, it: Figures): string[] {
  const { excluded, rolling, tokens } = it;
  const at = it.at.map(({ k, recall, hit }) => `Recall@${k} ${percent(recall)}, Hit@${k} ${percent(hit)}`);
  const { reported, first, choice, none } = it.finds;
  const week = `last seven days ${percent(rolling.miss_rate)} over ${rolling.events}`;
  return [
    `${name}: ${it.recalls} recalls in ${it.heartbeats} heartbeats${it.aborted > 0 ? `, ${it.aborted} wake-ups aborted` : ''}${it.alert ? '; ALERT: the miss rate is too high' : ''}`,
    `  excluded: ${excluded.unclosed} never closed, ${excluded.silent} closed without a report, ${excluded.unused} used nothing, ${excluded.by_others} by others`,
    `  finds: ${reported} reported; right in first place ${percent(first)}, after a choice ${percent(choice)}, nothing found ${percent(none)}`,
    `  ${at.join('; ')}`,
    `  miss rate ${percent(it.miss_rate)} over ${it.events} events (${week})`,
    `  tokens: ${tokens.lazy} instead of ${tokens.eager} in ${tokens.heartbeats} heartbeats, ${percent(tokens.saved)} saved; ${tokens.unnamed} recalls without a named heartbeat`,
    ...arrivalLines(it.arrivals),
  ];
}

/** Lines about arrivals; none where no hook gave anything. */
function arrivalLines({ prompts, files, starts, subagents, tokens_a_prompt, pages }: Arrivals): string[] {
  const { pages: paged, names, nothing } = prompts;
  if (paged + names + nothing + files + starts + subagents === 0) return [];
  const a = tokens_a_prompt === null ? '' : `, ${tokens_a_prompt} tokens a prompt`;
  return [
    `  arrived by itself: ${paged} prompts with a page, ${names} with names only, ${nothing} with nothing${a}; ${files} files, ${starts} starts, ${subagents} sub-agents`,
    ...(pages.length > 0 ? [`  pages: ${pages.map((it) => `${it.name} ${it.times}×`).join(', ')}`] : []),
  ];
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`;
}
