import { stringify } from 'yaml';
import { Agent } from '../../schema/source/agent.ts';
import { ENGLISH, type Language } from '../../schema/source/language.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';
import { squeeze, stemOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';
import type { UnitDraft } from './drafts.ts';
import type { MigrationOptions } from './proposal.ts';

/** An `agent.yaml` for an agent without one; the ID is derived from name and texts, so each run proposes the same. */
export function proposeAgent(
  sections: readonly Section[],
  agent: string,
  heartbeat_contract: string,
  language: Language = ENGLISH,
): string | null {
  if (!sections[0]) return null;
  const { document, opening } = sections[0];
  const ownWords = /^You are (?:the |an? )?(\p{Lu}[^.,;:!?—]{0,39})[.,;]/u.exec(opening)?.[1];
  const titles = [document.front.title, document.front.name, ownWords, document.title, agent];
  const [role] = titles.flatMap((it) => (typeof it === 'string' && squeeze(it) ? [squeeze(it).slice(0, 80)] : []));
  const digest = sha256(JSON.stringify([agent, ...sections.map((it) => it.text)]));
  const agent_id = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  const fixed = { adapter_profiles: ['generic'], migration_mode: 'stigmem' };
  const spoken = language === ENGLISH ? {} : { language };
  const yaml = stringify({ agent_id, role, heartbeat_contract, ...fixed, ...spoken }, { lineWidth: 0 });
  return `# proposed by vade migrate: check role and heartbeat_contract\n${yaml}`;
}

/**
 * An `agent.yaml` with a line at its end that declares the language; all else keeps the author's bytes. Null where such
 * a line would mean something else, as in a flow mapping, or where the file is not valid.
 */
export function declareLanguage(agentYaml: string, language: Language): string | null {
  const end = agentYaml.includes('\r\n') ? '\r\n' : '\n';
  const text = `${agentYaml}${agentYaml.endsWith('\n') ? '' : end}language: ${language}${end}`;
  const [before, after] = [agentYaml, text].map((it) => decodeYaml(Agent, it, 'agent.yaml').value);
  // a character that is not UTF-8 was read as this one
  if (!before || !after || text.includes('\uFFFD')) return null;
  return canonicalJson({ ...before, language }) === canonicalJson(after) ? text : null;
}

/** The unit that the boot stub refers to (§21.1.1), and whether its section says that it is the one. */
export function heartbeatOf(
  drafts: readonly UnitDraft[],
  { taken = [] }: MigrationOptions,
): { name: string; isSaid: boolean } {
  const weigh = ({ section }: UnitDraft) => heartbeatWeight(section);
  const best = drafts.reduce((a, b) => (weigh(b) > weigh(a) ? b : a));
  if (weigh(best) > 0) return { name: best.entry.name, isSaid: true };
  const names = [...drafts.map(({ entry }) => entry.name), ...taken];
  return { name: names.find((it) => LEAVING.test(it)) ?? best.entry.name, isSaid: false };
}

const NAMED =
  /\b(?:heartbeat|on wake|wake[- ]?up|daily (?:routine|round)|every (?:morning|session|run)|session start|start of (?:a|each|every) session|startup|routine)\b/i;
const ROUTINE =
  /\b(?:every (?:morning|day|heartbeat|run|session|wake)|each (?:run|session|heartbeat)|when(?:ever)? (?:you wake|woken|invoked))\b/i;

/** A unit that says how work is left: of a handbook without heartbeats the nearest to a procedure of every run. */
const LEAVING = /^(?:wrap-?up|exit|leaving|finish|hand-?over|end-of-)/;

/** Similarity of a section to the tasks of a heartbeat; 0 for none. */
function heartbeatWeight({ title, document, isPreamble, plain }: Section): number {
  const own = NAMED.test(title);
  const around = /heartbeat/i.test(`${stemOf(document.path)} ${document.title ?? ''}`);
  return (own ? 4 : 0) + (around ? (isPreamble ? 3 : 2) : 0) + (ROUTINE.test(plain.slice(0, 2000)) ? 1 : 0);
}
