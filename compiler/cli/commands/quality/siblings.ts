import { resolve } from 'node:path';
import { z } from 'zod';
import type { SiblingSearch } from '../../../app/probe/siblings.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { agentUnknown } from '../../../schema/known-keys.ts';
import { Remedy, type Rivalry, type SiblingReport } from '../../../schema/report/siblings.ts';
import { SIBLINGS } from '../../../world/flags/quality.ts';
import type { World } from '../../../world/world.ts';
import { defineCommand } from '../../registry.ts';

/** The rivalries of one agent; `below` counts those that are not listed because they are below --least. */
interface CompetingAgent extends SiblingReport {
  readonly agent: string;
  readonly below: number;
}

/** Short, since the manifest pays for tokens; the full shape is SiblingReport. */
const CompetingAgents = z.array(
  z.looseObject({
    agent: z.string(),
    rivalries: z.array(z.looseObject({ unit: z.string(), rival: z.string(), steals: z.number(), remedy: Remedy })),
  }),
);

export const siblingsCommand = defineCommand({
  path: 'siblings',
  description: 'List the units that compete for the same intents, with a remedy for each pair',
  danger: 'safe',
  flags: SIBLINGS,
  exits: ['PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ revision: z.string(), least: z.int(), agents: CompetingAgents }),
  examples: [
    { description: 'Every agent', command: 'vade siblings --dev' },
    { description: 'Every pair of one agent', command: 'vade siblings --dev --agent cto --least 0' },
  ],
  run: async ({ agent, least, bundle: folder, models, report, ...flags }, world) => {
    const { openSiblingSearch } = await import('../../../app/probe/siblings.ts');
    const competing = await openSiblingSearch(resolve(world.cwd, folder), { ...flags, models }, world);
    const names = agent === undefined ? competing.agents : [competing.find(agent)];
    const agents: CompetingAgent[] = [];
    for (const name of names) {
      if (name === null) throw agentUnknown('the bundle', agent ?? '', competing.agents);
      world.progress('asking', agents.length, names.length);
      agents.push(above(name, await competing.siblings(name), least));
    }
    const { rivalryLines } = await import('../../../present/terminal/siblings.ts');
    if (report === 'github') await annotate(agents, competing, world);
    const text = agents.flatMap((it) => [
      headOf(it),
      ...it.rivalries.flatMap((one) => rivalryLines(one, intentCount(it, one))),
    ]);
    return { data: { revision: competing.revision, least, agents }, text: text.map(printable).join('\n') };
  },
});

/** Each rivalry at the file of the unit that loses. */
async function annotate(agents: readonly CompetingAgent[], { fileOf }: SiblingSearch, world: World): Promise<void> {
  const { annotationLine } = await import('../../../present/terminal/annotation.ts');
  const { rivalryLines } = await import('../../../present/terminal/siblings.ts');
  for (const it of agents)
    for (const one of it.rivalries) {
      const message = [`${it.agent}:`, ...rivalryLines(one, intentCount(it, one))]
        .map((line) => line.trim())
        .join('\n');
      const file = fileOf(it.agent, one.unit);
      world.say(
        annotationLine({ severity: 'warning', title: 'units compete', ...(file !== null && { file }), message }),
      );
    }
}

/** The rivalries in which a rival wins or almost wins at least this percentage of a unit's intents. */
function above(agent: string, { units, rivalries }: SiblingReport, least: number): CompetingAgent {
  const asked = new Map(units.map((it) => [it.name, it.asked]));
  const listed = rivalries.filter((it) => 100 * (it.outranks + it.close) >= least * (asked.get(it.unit) ?? 0));
  return { agent, units, rivalries: listed, below: rivalries.length - listed.length };
}

function intentCount({ units }: CompetingAgent, { unit }: Rivalry): number {
  return units.find((it) => it.name === unit)?.asked ?? 0;
}

function headOf({ agent, units, rivalries, below }: CompetingAgent): string {
  const asked = units.reduce((all, it) => all + it.asked, 0);
  const first = units.reduce((all, it) => all + it.first, 0);
  const unlisted = below > 0 ? `, ${below} more below --least` : '';
  return `${agent}: units rank first for ${first} of ${asked} intents; ${rivalries.length} pairs compete${unlisted}`;
}
