import type { CountTokens } from '../../schema/ports.ts';
import { alwaysOnIn, bootText, isWhollyIn, takeWhatFits, type AlwaysOnRule } from './always-on.ts';
import { bootBudget } from './boot-budget.ts';
import type { Draft } from './drafts.ts';
import type { AlwaysOn, Dissected, MigrationOptions } from './proposal.ts';
import { proposeAgent } from './propose-agent.ts';
import type { Section } from './sections.ts';

/** What becomes of the sections: units, rules of `boot.md`, or both. */
export interface Plan {
  readonly sections: readonly Section[];
  readonly rules: readonly AlwaysOnRule[];
  readonly taken: readonly AlwaysOnRule[];
  readonly left: readonly AlwaysOnRule[];
}

/** A section whose rules are all in `boot.md` becomes no unit, if there is another one. */
export function planOf(
  { sections }: Dissected,
  existing: ReadonlyMap<string, string>,
  { agent, countTokens }: MigrationOptions,
): Plan {
  const rules = sections.flatMap(alwaysOnIn);
  const agentYaml = existing.get('agent.yaml') ?? proposeAgent(sections, agent, 'a-heartbeat-procedure') ?? '';
  const { taken, left } = existing.has('boot.md')
    ? {
        taken: rules.filter(({ text }) => existing.get('boot.md')?.includes(text)),
        left: rules.filter(({ text }) => !existing.get('boot.md')?.includes(text)),
      }
    : takeWhatFits(rules, bootBudget(agent, agentYaml, countTokens));
  const others = sections.filter((it) => !isWhollyIn(it, taken));
  return { sections: others.length > 0 ? others : sections, rules, taken, left };
}

/** At most this many units of an agent may be guaranteed, and only short ones should be. */
const MOST_GUARANTEED = 5;
const MOST_GUARANTEED_TOKENS = 200;

/** Where always-on rules go: `boot.md`, or units to guarantee. */
export function alwaysOnOf(
  { rules, taken, left }: Pick<Plan, 'rules' | 'taken' | 'left'>,
  drafts: readonly Draft[],
  hasBoot: boolean,
  countTokens: CountTokens,
): AlwaysOn {
  const elsewhere = new Map<string, string[]>();
  for (const { text } of left.filter((it) => it.strength > 1)) {
    const owner = drafts.find(({ section }) => section.blocks.some((it) => it.includes(text)));
    if (owner) elsewhere.set(owner.entry.name, [...(elsewhere.get(owner.entry.name) ?? []), text]);
  }
  const short = drafts.filter(
    ({ entry, section }) => elsewhere.has(entry.name) && countTokens(section.text) <= MOST_GUARANTEED_TOKENS,
  );
  return {
    boot: hasBoot || taken.length === 0 ? null : bootText(taken, rules),
    inBoot: taken.map(({ text }) => text),
    elsewhere,
    toGuarantee: short.slice(0, MOST_GUARANTEED).map(({ entry }) => entry.name),
  };
}
