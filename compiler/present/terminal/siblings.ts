import type { Remedy, Rivalry, SiblingReport } from '../../schema/report/siblings.ts';

/** The rivalries of one agent; `below` counts those that are not listed because they are below --least. */
export interface CompetingAgent extends SiblingReport {
  readonly agent: string;
  readonly below: number;
}

/** Advice on two units that compete. */
const REMEDIES: Readonly<Record<Remedy, (it: Rivalry) => string>> = {
  same_trigger: () => 'both have the same trigger: keep it in one of them',
  merge: () => 'each takes most of the other’s intents: merge them, or state the purpose of each in its description',
  reword: ({ unit, rival, drawn_by, shared_words }) => {
    const drawn = drawn_by.length > 0 ? `; words that favour ${rival}: ${drawn_by.join(', ')}` : '';
    const shared = shared_words.length > 0 ? `; words of both: ${shared_words.join(', ')}` : '';
    return `describe the situations of ${unit} in triggers of its own${drawn}${shared}`;
  },
  set_apart: () => 'they share no words but have similar meanings: state the difference in both descriptions',
};

/** An agent for people: how often its units rank first, then each rivalry. */
export function competingLines(it: CompetingAgent): string[] {
  return [headOf(it), ...it.rivalries.flatMap((one) => rivalryLines(one, it))];
}

function headOf({ agent, units, rivalries, below }: CompetingAgent): string {
  const asked = units.reduce((all, it) => all + it.asked, 0);
  const first = units.reduce((all, it) => all + it.first, 0);
  const unlisted = below > 0 ? `, ${below} more below --least` : '';
  return `${agent}: units rank first for ${first} of ${asked} intents; ${rivalries.length} pairs compete${unlisted}`;
}

/** One rivalry for people: how often, the intent that is lost by most ranks, and the remedy. */
export function rivalryLines(it: Rivalry, { units }: Pick<SiblingReport, 'units'>): string[] {
  const asked = units.find(({ name }) => name === it.unit)?.asked ?? 0;
  const [worst] = it.contested;
  const own = worst?.own_rank == null ? 'is not ranked' : `ranks ${worst.own_rank}`;
  return [
    `  ${it.rival} takes ${it.outranks} and is close for ${it.close} of ${asked} intents of ${it.unit}`,
    ...(worst ? [`    such as “${worst.intent}”: ${it.unit} ${own}, ${it.rival} ${worst.rival_rank}`] : []),
    `    ${REMEDIES[it.remedy](it)}`,
  ];
}
