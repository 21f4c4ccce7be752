import { renderStub } from '../../gardens/manifest/boot-stub.ts';
import { profilesOf, STUB_TOKEN_TARGET } from '../../schema/bundle/boot-stub.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { VadeError } from '../../schema/errors.ts';
import { Agent } from '../../schema/source/agent.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import type { LeftOut } from '../documents/left-out.ts';
import { placeOf } from '../documents/repeats.ts';
import type { Section } from '../documents/sections.ts';
import { bootText, isAlwaysLoaded } from './always-lines.ts';
import { isLimiting } from './listing.ts';
import type { AlwaysChoice, Dissected, MigrationOptions } from './proposal.ts';
import { proposeAgent } from './propose-agent.ts';

/** The use of the sections: units, or the known rules of a former `boot.md`. */
export interface MigrationPlan {
  /** The `boot.md` that is there, with known rules where nobody has written one; empty without any. */
  readonly boot: string;
  /** Whether its author wrote the `boot.md` that is there. */
  readonly isOwnBoot: boolean;
  readonly sections: readonly Section[];
  /** Known rules that the present `boot.md` has no place for. */
  readonly leftOut: readonly LeftOut[];
  /** The tokens of the largest stub of the agent with a text of `boot.md`. */
  readonly stubTokens: (boot: string) => number;
}

export function planOf(
  { sections }: Dissected,
  existing: ReadonlyMap<string, string>,
  { agent, countTokens, untouchedBoot }: MigrationOptions,
): MigrationPlan {
  const agentYaml = existing.get('agent.yaml') ?? proposeAgent(sections, agent, 'a-heartbeat-procedure') ?? '';
  const stubTokens = bootBudget(agent, agentYaml, countTokens);
  const present = existing.get('boot.md') ?? '';
  const isOwnBoot = existing.has('boot.md') && present !== untouchedBoot;
  const rules = sections.filter((it) => it.known === 'rules');
  const known = [...new Set(rules.map(({ text }) => `${text}\n`))].join('');
  const isKept = !isOwnBoot && stubTokens(present + known) <= STUB_TOKEN_TARGET;
  const why = isOwnBoot ? 'boot.md already exists and is not changed' : 'it has no room in boot.md';
  const missed = isKept ? [] : rules.filter(({ text }) => !present.includes(text));
  return {
    boot: isKept ? present + known : present,
    isOwnBoot,
    sections: sections.filter((it) => it.known !== 'rules'),
    leftOut: missed.map((it) => ({ ...placeOf(it), what: 'the rules of boot.md', why })),
    stubTokens,
  };
}

/**
 * The text of `boot.md` after an answer has said which lines must always hold: they are added, and where none must,
 * one that nobody has written becomes empty.
 *
 * @throws answer_invalid if the boot stub would exceed its target
 */
export function bootOf({ boot, isOwnBoot, sections, stubTokens }: MigrationPlan, always: AlwaysChoice | null): string {
  if (always === null) return boot;
  const added = bootText(sections, always);
  if (added === '') return isOwnBoot ? boot : '';
  if (boot.includes(added)) return boot;
  const text = boot === '' ? added : `${boot.trimEnd()}\n\n${added}`;
  const tokens = stubTokens(text);
  if (tokens <= STUB_TOKEN_TARGET) return text;
  const message = `with these lines the boot stub has ${tokens} tokens; at most ${STUB_TOKEN_TARGET} are allowed`;
  throw new VadeError('answer_invalid', message, { suggestion: 'name fewer lines in “always”' });
}

/** The sections of documents that a host reads whole at its start, and those of them that speak of safety or limits. */
export function alwaysLoadedOf({ sections }: Pick<MigrationPlan, 'sections'>) {
  const always = sections.filter((it) => it.known === undefined && isAlwaysLoaded(it.document));
  return { always, limiting: always.filter(isLimiting) };
}

/** As long as addresses of a real deployment become; the numbers of units and versions grow. */
const ADDRESS = (agent: string, name: string) => `instruction:a-deployment-name/agent/${agent}/${name}/v100`;

/** @param agentYaml of the agent, proposed or present */
function bootBudget(name: string, agentYaml: string, countTokens: CountTokens): (rules: string) => number {
  const agent = decodeYaml(Agent, agentYaml, 'agent.yaml').value;
  if (agent === null) return () => Infinity;
  const source = {
    agent,
    heartbeat_contract: ADDRESS(name, agent.heartbeat_contract),
    manifest_uri: ADDRESS(name, 'manifest'),
    generated_at: '',
    unlisted: 100,
  };
  const profiles = profilesOf(agent.adapter_profiles);
  return (rules) =>
    Math.max(...profiles.map((profile) => renderStub({ ...source, rules }, profile, countTokens).token_count));
}
