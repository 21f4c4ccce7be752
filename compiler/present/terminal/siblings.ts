import type { Remedy, Rivalry } from '../../schema/report/siblings.ts';

/** What a person does about two units that compete. */
const REMEDIES: Readonly<Record<Remedy, (it: Rivalry) => string>> = {
  same_trigger: () => 'both have the same trigger: leave it to one of them',
  merge: () => 'each takes most of what is the other’s: make them one, or say in each description what is whose',
  reword: ({ unit, rival, drawn_by, shared_words }) => {
    const drawn = drawn_by.length > 0 ? `; what draws ${rival}: ${drawn_by.join(', ')}` : '';
    const shared = shared_words.length > 0 ? `; what both have: ${shared_words.join(', ')}` : '';
    return `say the situations of ${unit} in triggers of its own${drawn}${shared}`;
  },
  set_apart: () => 'they share no words and mean alike: say in both descriptions what sets them apart',
};

/** One rivalry to a person: how much, the intent that is lost most, and what to do. */
export function rivalryLines(it: Rivalry, asked: number): string[] {
  const [worst] = it.contested;
  const own = worst?.own_rank == null ? 'is not ranked' : `ranks ${worst.own_rank}`;
  return [
    `  ${it.rival} takes ${it.outranks} and is close for ${it.close} of ${asked} intents of ${it.unit}`,
    ...(worst ? [`    such as “${worst.intent}”: ${it.unit} ${own}, ${it.rival} ${worst.rival_rank}`] : []),
    `    ${REMEDIES[it.remedy](it)}`,
  ];
}
