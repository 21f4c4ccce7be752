import { renderStub } from '../../gardens/manifest/boot-stub.ts';
import { profilesOf, STUB_TOKEN_TARGET } from '../../schema/bundle/boot-stub.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { Agent } from '../../schema/source/agent.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import { knownUnit } from '../documents/known-unit.ts';
import type { Section } from '../documents/sections.ts';
import { alwaysOnIn, bootText, isWhollyIn, takeWhatFits, type AlwaysOnRule } from './always-on.ts';
import { MOST_GUARANTEED, type UnitDraft } from './drafts.ts';
import type { AlwaysOn, Dissected, MigrationOptions } from './proposal.ts';
import { proposeAgent } from './propose-agent.ts';

/** The use of the sections: units, rules of `boot.md`, or both. */
export interface MigrationPlan {
  /** The `boot.md` that is there and may be added to, or a known one, which is kept as it is; empty without one. */
  readonly boot: string;
  /** Whether its author wrote the `boot.md` that is there: it is not changed. */
  readonly isOwnBoot: boolean;
  readonly sections: readonly Section[];
  readonly rules: readonly AlwaysOnRule[];
  readonly taken: readonly AlwaysOnRule[];
  /** Rules that an author may add to the own `boot.md`, and those without room. */
  readonly toPaste: readonly AlwaysOnRule[];
  readonly left: readonly AlwaysOnRule[];
}

/** A section whose rules are all in `boot.md` becomes no unit, if there is another one. */
export function planOf(
  { sections }: Dissected,
  existing: ReadonlyMap<string, string>,
  { agent, countTokens, untouchedBoot }: MigrationOptions,
): MigrationPlan {
  const agentYaml = existing.get('agent.yaml') ?? proposeAgent(sections, agent, 'a-heartbeat-procedure') ?? '';
  const fits = bootBudget(agent, agentYaml, countTokens);
  const present = existing.get('boot.md') ?? '';
  const isOwnBoot = existing.has('boot.md') && present !== untouchedBoot;
  const known = isOwnBoot ? '' : knownBoot(sections, (text) => fits(present + text));
  const boot = isOwnBoot ? '' : present + known;
  const open = known === '' ? sections : sections.filter((it) => it.known !== 'rules');
  const rules = open.flatMap(alwaysOnIn);
  const kept = isOwnBoot ? rules.filter(({ text }) => present.includes(text)) : [];
  const others = isOwnBoot ? rules.filter((it) => !kept.includes(it)) : rules;
  const room = takeWhatFits(others, (text) => fits((isOwnBoot ? present : boot) + text));
  const taken = isOwnBoot ? kept : room.taken;
  const units = open.filter((it) => knownUnit(it) !== null || !isWhollyIn(it, taken));
  const placed = { taken, toPaste: isOwnBoot ? room.taken : [], left: room.left };
  return { boot, isOwnBoot, sections: units.length > 0 ? units : open, rules, ...placed };
}

/** Rules of a former `boot.md`, unless they have no room in this agent's stub: then they are rules like any others. */
function knownBoot(sections: readonly Section[], fits: (text: string) => boolean): string {
  const texts = sections.filter((it) => it.known === 'rules').map(({ text }) => `${text}\n`);
  const boot = [...new Set(texts)].join('');
  return boot !== '' && fits(boot) ? boot : '';
}

/** Only short units should be guaranteed. */
const MOST_GUARANTEED_TOKENS = 200;

/** Target of always-on rules: `boot.md`, or units to guarantee. */
export function alwaysOnOf(
  { boot, isOwnBoot, rules, taken, toPaste, left }: Omit<MigrationPlan, 'sections'>,
  drafts: readonly UnitDraft[],
  countTokens: CountTokens,
): AlwaysOn {
  const elsewhere = new Map<string, string[]>();
  const clear = new Set<string>();
  for (const { text, strength } of left) {
    const owner = drafts.find(({ section }) => section.blocks.some((it) => it.includes(text)));
    if (owner === undefined) continue;
    elsewhere.set(owner.entry.name, [...(elsewhere.get(owner.entry.name) ?? []), text]);
    if (strength > 1) clear.add(owner.entry.name);
  }
  const short = drafts.filter(
    ({ entry, section }) => clear.has(entry.name) && countTokens(section.text) <= MOST_GUARANTEED_TOKENS,
  );
  const known = drafts.filter((it) => it.isGuaranteed);
  const added = bootText(taken, rules);
  return {
    boot: isOwnBoot || boot + added === '' ? null : boot + added,
    inBoot: [...boot.split('\n').filter((it) => it !== ''), ...taken.map(({ text }) => text)],
    toPaste: toPaste.map(({ text }) => text),
    elsewhere,
    toGuarantee: [...known, ...short.filter((it) => !known.includes(it))]
      .slice(0, MOST_GUARANTEED)
      .map(({ entry }) => entry.name),
  };
}

/** As long as addresses of a real deployment become; the numbers of units and versions grow. */
const ADDRESS = (agent: string, name: string) => `instruction:a-deployment-name/agent/${agent}/${name}/v100`;

/**
 * Whether a text of `boot.md` keeps every stub of the agent within the target (§21.1.2).
 *
 * @param agentYaml of the agent, proposed or present
 */
function bootBudget(name: string, agentYaml: string, countTokens: CountTokens): (rules: string) => boolean {
  const agent = decodeYaml(Agent, agentYaml, 'agent.yaml').value;
  if (agent === null) return () => false;
  const source = {
    agent,
    heartbeat_contract: ADDRESS(name, agent.heartbeat_contract),
    manifest_uri: ADDRESS(name, 'manifest'),
    generated_at: '',
    unlisted: 100,
  };
  const profiles = profilesOf(agent.adapter_profiles);
  return (rules) =>
    profiles.every(
      (profile) => renderStub({ ...source, rules }, profile, countTokens).token_count <= STUB_TOKEN_TARGET,
    );
}
