import { countTokens } from '../../compiler/io/models/tokens.ts';
import { lintGarden, type LintedGarden } from '../../compiler/lint/lint-garden.ts';
import { lintText } from '../../compiler/lint/lint-text.ts';
import { findConfidential } from '../../compiler/lint/rules/confidential.ts';
import { findLineageCycles } from '../../compiler/lint/rules/cycle.ts';
import type { Diagnostic } from '../../compiler/schema/diagnostics.ts';
import { Agent } from '../../compiler/schema/source/agent.ts';
import { ENGLISH } from '../../compiler/schema/source/language.ts';
import { DEFAULT_WAKE_REASONS } from '../../compiler/schema/source/org.ts';
import type { Unit } from '../../compiler/schema/source/unit.ts';
import type { ConfiguredAgent } from '../../compiler/sources/config.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';
import { agentYaml, unitFile } from '../support/repository.ts';

/** The rules a text breaks, each once. */
export async function rulesOf(text: string, file = 'instructions/agents/cto/unit.md'): Promise<string[]> {
  return [...new Set((await lintText(file, text)).map((it) => it.rule))].sort();
}

/** A unit as its file would be parsed. */
export function unit(name: string, text: string, garden = 'cto'): Unit {
  const path = garden === 'shared' ? `instructions/shared/${name}.md` : `instructions/agents/${garden}/${name}.md`;
  const bytes = Buffer.from(text);
  const { value, faults } = parseUnit({ path, mode: '100644', blob: '', size: bytes.length }, bytes, garden);
  if (!value) throw new Error(JSON.stringify(faults));
  return value;
}

export const AGENT: ConfiguredAgent = {
  config: Agent.parse({
    agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
    role: 'CTO',
    heartbeat_contract: 'heartbeat',
  }),
  file: 'instructions/agents/cto/agent.yaml',
  at: decodeYaml(Agent, agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9'), 'agent.yaml').at,
};

const body = (about: string) =>
  `Here is what to do about ${about}: look at it, decide what it needs, write that down, and tell whoever waits for it.`;

/** A garden in which nothing is wrong. */
export const SOUND: readonly Unit[] = [
  unit('heartbeat', unitFile('What a run goes through', ['where do I begin'], 'related: [limits]\n', body('waking'))),
  unit('wrap-up', unitFile('How to leave work', ['I want to stop now'], '', body('open checkouts'))),
  unit('limits', unitFile('What needs a person', ['may I delete this'], '', body('forbidden steps'))),
];

/** The faults of a sound garden with units added, or in other surroundings. */
export function faultsOf(added: readonly Unit[], over: Partial<LintedGarden> = {}): Diagnostic[] {
  const garden = {
    folder: 'instructions',
    agent: AGENT,
    language: ENGLISH,
    units: [...SOUND, ...added],
    shared: [],
    boot: '',
    phrases: { own: null, shared: null },
    wakeReasons: DEFAULT_WAKE_REASONS,
    countTokens,
    ...over,
  };
  // and what a compile checks too
  return [...lintGarden(garden), ...findLineageCycles(garden), ...findConfidential(garden)];
}

/** The same as `file: rule`. */
export function toldOf(added: readonly Unit[], over: Partial<LintedGarden> = {}): string[] {
  return faultsOf(added, over).map(({ file, rule }) => `${file.slice(file.lastIndexOf('/') + 1)}: ${rule}`);
}
