import type { CountTokens } from '../../schema/ports.ts';
import { knownUnit } from '../documents/known-unit.ts';
import type { Section } from '../documents/sections.ts';
import { alwaysOnIn, bootText, isWhollyIn, takeWhatFits, type AlwaysOnRule } from './always-on.ts';
import { bootBudget } from './boot-budget.ts';
import { MOST_GUARANTEED, type Draft } from './drafts.ts';
import type { AlwaysOn, Dissected, MigrationOptions } from './proposal.ts';
import { proposeAgent } from './propose-agent.ts';

/** What becomes of the sections: units, rules of `boot.md`, or both. */
export interface Plan {
  /** A known `boot.md`, which is kept as it is; empty without one. */
  readonly boot: string;
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
  const agentYaml = existing.get('agent.yaml') ?? proposeAgent(sections, agent, 'a-heartbeat-procedure') ?? '';
  const fits = bootBudget(agent, agentYaml, countTokens);
  const boot = existing.has('boot.md') ? '' : knownBoot(sections, fits);
  const open = boot === '' ? sections : sections.filter((it) => it.known !== 'rules');
  const rules = open.flatMap(alwaysOnIn);
  const { taken, left } = existing.has('boot.md')
    ? {
        taken: rules.filter(({ text }) => existing.get('boot.md')?.includes(text)),
        left: rules.filter(({ text }) => !existing.get('boot.md')?.includes(text)),
      }
    : takeWhatFits(rules, (text) => fits(boot + text));
  const others = open.filter((it) => knownUnit(it) !== null || !isWhollyIn(it, taken));
  return { boot, sections: others.length > 0 ? others : open, rules, taken, left };
}

/** The rules that were a `boot.md`, unless they have no room in this agent's stub: then they are rules like any others. */
function knownBoot(sections: readonly Section[], fits: (text: string) => boolean): string {
  const texts = sections.filter((it) => it.known === 'rules').map(({ text }) => `${text}\n`);
  const boot = [...new Set(texts)].join('');
  return boot !== '' && fits(boot) ? boot : '';
}

/** Only short units should be guaranteed. */
const MOST_GUARANTEED_TOKENS = 200;

/** Where always-on rules go: `boot.md`, or units to guarantee. */
export function alwaysOnOf(
  { boot, rules, taken, left }: Pick<Plan, 'boot' | 'rules' | 'taken' | 'left'>,
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
  const known = drafts.filter((it) => it.isGuaranteed);
  const added = bootText(taken, rules);
  return {
    boot: hasBoot || boot + added === '' ? null : boot + added,
    inBoot: [...boot.split('\n').filter((it) => it !== ''), ...taken.map(({ text }) => text)],
    elsewhere,
    toGuarantee: [...known, ...short.filter((it) => !known.includes(it))]
      .slice(0, MOST_GUARANTEED)
      .map(({ entry }) => entry.name),
  };
}
