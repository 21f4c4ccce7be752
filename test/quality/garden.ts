import { expect } from 'vitest';
import { loadEncoder } from '../../compiler/io/models/encoder.ts';
import { readLexicon } from '../../compiler/io/models/lexicon.ts';
import { measureCoverage } from '../../compiler/quality/unit-coverage/coverage.ts';
import type { JudgedUnit } from '../../compiler/quality/unit-coverage/judged-unit.ts';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import type { Encoder } from '../../compiler/recall/signals/semantic.ts';
import { Diversity, UnitCoverage } from '../../compiler/schema/bundle/coverage.ts';
import type { Delivery } from '../../compiler/schema/source/unit.ts';
import { gardenOf } from '../bench/coverage/coverage-garden.ts';
import type { Texts } from '../bench/recall/units.ts';

/** Eight units of an office, each with the situations it is for and a text of its own. */
const OFFICE = `
  refunds | Decide on a refund or a disputed charge | customer wants their money back; refund a double charge; offer credit for lost service | Up to 50 euros at once; above, ask finance. Never promise an amount before the bank has answered.
  hiring | Request and onboard a new engineer | hire a new engineer; the team lacks capacity; a newcomer starts on Monday | Write the role in three sentences. Two interviews, one work sample. First day: laptop, accounts, a guide.
  incident | Take command of a production incident | production is down; take command of an outage; an alert is paging somebody | Say in one message who leads. Stop the harm, then look for causes. Update the status page every 30 minutes.
  backups | Restore lost data, and test that backups work | restore a deleted database; somebody overwrote a file; check last night's backup | Copies are kept 35 days. Bring them back into an empty place first; compare counts; then switch over.
  leave | Ask for holidays, sick days and parental leave | I want to go on holiday; call in sick; somebody expects a child | Enter dates in the calendar two weeks ahead. Illness: a message before nine is enough; papers from day four.
  travel | Book trains, flights and hotels for work | book a flight to a conference; find a hotel near the office; the train was cancelled | Second class under six hours. Keep receipts. Changes above 100 euros need the manager's word.
  secrets | Act on a key or password found in code | a key was committed to git; rotate a leaked credential; scanner found a password | Assume it is used already. New one first, old one off, then history. Tell security within the hour.
  newsletter | Write and send the monthly newsletter | send the monthly newsletter; a reader wants to unsubscribe; choose a topic for readers | Three stories, one picture each. Proofread by another. Tuesday at ten. Removals are done the same day.
`;

export const UNITS: readonly Texts[] = OFFICE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', description = '', intents = '', content = ''] = line.split('|').map((it) => it.trim());
    return { name, description, intents: intents.split('; '), content: `# ${name}\n\n${content}\n` };
  });

/** The office with some units changed. */
export function officeWith(changes: Readonly<Record<string, Partial<Texts>>> = {}): Texts[] {
  return UNITS.map((unit) => ({ ...unit, ...changes[unit.name] }));
}

/** The garden of units, some of them delivered in another way. */
export async function grown(
  units: readonly Texts[],
  encoder: Encoder | null,
  delivery: Readonly<Record<string, Partial<Delivery>>> = {},
): Promise<RecallGarden> {
  const garden = await gardenOf(units, encoder);
  const facts = garden.facts.map((fact) => ({ ...fact, delivery: { ...fact.delivery, ...delivery[fact.name] } }));
  const guaranteed = facts.flatMap((fact, i) => (fact.delivery.guarantee_load ? [i] : []));
  return { ...garden, facts, guaranteed };
}

export const judgedOf = (units: readonly Texts[]): JudgedUnit[] =>
  units.map(({ name, intents, description }) => ({ name, intents, description }));

export const NOW = '2026-06-01T00:00:00Z';
export const { lexicon } = readLexicon();
export const { encoder } = await loadEncoder('models', 'builtin');

/** Judges units, all of them unless said otherwise. */
export async function judge(
  units: readonly Texts[],
  over: { delivery?: Record<string, Partial<Delivery>>; only?: readonly string[]; model?: Encoder | null } = {},
): Promise<{ of: (name: string) => UnitCoverage; names: string[] }> {
  const model = over.model === undefined ? encoder : over.model;
  const garden = await grown(units, model, over.delivery);
  const asked = judgedOf(units).filter(({ name }) => over.only?.includes(name) ?? true);
  const report = await measureCoverage(garden, asked, { encode: model, lexicon }, NOW);
  Diversity.parse(report.diversity);
  const found = new Map(report.units.map((it) => [it.name, UnitCoverage.parse(it)]));
  const of = (name: string) => found.get(name) ?? expect.fail(`${name} was not judged`);
  return { of, names: report.units.map(({ name }) => name) };
}

/** The unit after one, and the first after the last. */
export const sibling = (name: string): Texts => UNITS[(UNITS.findIndex((it) => it.name === name) + 1) % UNITS.length]!;
