import { basename, dirname } from 'node:path';
import type { WordsAnswer } from '../brief/read-units-answer.ts';
import { previewIn } from '../gardens/language/model-for-language.ts';
import { blobsOf, historiesOf, uriOnceCommitted, type GardenHistory } from '../history/unit-versions.ts';
import { openSources } from '../io/git/open-sources.ts';
import { readLexicon } from '../io/models/lexicon.ts';
import { countTokens } from '../io/models/tokens.ts';
import type { LegacyText } from '../migration/documents/known-unit.ts';
import { withoutSkills } from '../migration/documents/skills-in-place.ts';
import { originOf, readCurrentState, type UnitDraft } from '../migration/propose/drafts.ts';
import { toUnit } from '../migration/propose/present.ts';
import type { Dissected, Migration, ProposedUnit, Spoken, Wordable } from '../migration/propose/proposal.ts';
import { screenSections } from '../migration/propose/screen.ts';
import { dissect, proposeSettled } from '../migration/propose/split.ts';
import { languageIn } from '../quality/paraphrase/written-in.ts';
import { VadeError } from '../schema/errors.ts';
import { Agent } from '../schema/source/agent.ts';
import { ENGLISH } from '../schema/source/language.ts';
import { Org } from '../schema/source/org.ts';
import { BOOT, PLACEHOLDERS } from '../schema/source/placeholders.ts';
import type { Unit } from '../schema/source/unit.ts';
import { SHARED } from '../schema/uri.ts';
import { blobStore } from '../sources/blobs.ts';
import { unitName } from '../sources/classify-files.ts';
import { parseUnit } from '../sources/unit.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { heedSignal } from '../world/heed-signal.ts';
import type { World } from '../world/world.ts';
import { judgeWords } from './migrate/judge-words.ts';
import { storedIn, type SentenceFiles } from './migrate/stored-sentences.ts';
import type { UnitsBriefInput } from './migrate/units-brief.ts';
import { openEncoder } from './preview/preview-inputs.ts';

/** The folder of the sources as it is, by file name. */
export interface PresentSources extends SentenceFiles {
  /** Path of the folder. */
  readonly out: string;
  readonly org: string | undefined;
  /** Files of the agent's folder, and of the shared units. */
  readonly agent: ReadonlyMap<string, string>;
  readonly shared: ReadonlyMap<string, string>;
}

/** Files of a folder, by name. */
type Files = ReadonlyMap<string, string>;

/** The proposal, and the surroundings that a brief about it states. */
export interface MigrationProposal extends Pick<UnitsBriefInput, 'deployment' | 'language' | 'others'> {
  readonly migration: Migration;
}

/** More sections than an agent has instructions; each is judged by the coverage gate. */
const MAX_SECTIONS = 1000;

/**
 * Proposes units of documents that pass the gates of a compile, with the deployment's own encoder.
 *
 * @param answers of the brief about this proposal: what is said of its units
 * @throws request_invalid, model_unavailable, brief_unknown, brief_stale, answer_invalid
 */
export async function proposeMigration(
  documents: readonly LegacyText[],
  agent: string,
  { out, org, agent: existing, shared, ...sentences }: PresentSources,
  models: string,
  answers: readonly WordsAnswer[],
  world: World,
): Promise<MigrationProposal> {
  world.progress('reading', 0, 100);
  const { others: read, notices } = withoutSkills(documents);
  const found = dissect(read, countTokens);
  const dissected = await screened({ ...found, notices: [...notices, ...found.notices] }, world);
  const settings: Partial<Org> = (org === undefined ? null : decodeYaml(Org, org, 'org.yaml').value) ?? {};
  world.progress('opening the model', 20, 100);
  const folder = `${basename(out)}/agents/${agent}`;
  const own = notOf(documents, existing);
  const { others, listable } = knownUnits({ own, shared, existing }, folder, agent);
  const deployment = settings.deployment ?? 'new';
  const answer = (wordable: readonly Wordable[], names: readonly string[]) =>
    judgeWords(answers, { subject: { kind: 'units', deployment, garden: agent }, wordable, taken: names });
  const spoken = spokenIn([...dissected.sections.map(({ text }) => text), ...own.map(textOf)], existing, settings);
  const language = spoken.declared ?? spoken.found;
  const taken = [...shared.keys()].map((file) => file.replace(/\.md$/, ''));
  const options = { agent, countTokens, untouchedBoot: BOOT, taken, others: listable, answer, spoken };
  world.progress('proposing units', 30, 100);
  const migration = await proposeSettled(dissected, documents, existing, options, {
    deployment,
    folder: basename(out),
    ...(await encodingOf({ ...settings, language }, models, world)),
    countTokens,
    lexicon: readLexicon().lexicon,
    others,
    ...storedIn(sentences, agent),
    now: world.now().toISOString(),
    pause: () => heedSignal(world),
    toUnit: (draft: UnitDraft) => draftedUnit(draft, folder, agent),
  });
  const neighbours = others.map(({ name, delivery: { description } }) => ({ name, description }));
  return { migration, deployment, language, others: neighbours };
}

/** A draft as the unit that it would be; null for a unit that nothing proposed, but an author wrote. */
function draftedUnit(draft: UnitDraft, folder: string, agent: string): Unit | null {
  const { file, text } = toUnit(draft, { hasRoom: true, priority: 0, source: null }, countTokens);
  return draft.current?.origin === null ? null : parsed(`${folder}/${file}`, text, agent);
}

/** Without the sections that a compile would quarantine. @throws request_invalid */
async function screened(found: Dissected, world: World): Promise<Dissected> {
  if (found.sections.length > MAX_SECTIONS) throw tooMany(found.sections.length);
  world.progress('screening', 10, 100);
  const { sections, leftOut } = await screenSections(found.sections);
  return { ...found, sections, leftOut: [...found.leftOut, ...leftOut] };
}

const textOf = ([, text]: readonly [file: string, text: string]) => text;

const unitsIn = (folder: string, files: readonly (readonly [string, string])[], garden: string): Unit[] =>
  files.flatMap(([file, text]) => parsed(`${folder}/${file}`, text, garden) ?? []);

/** A file as the unit that it would be; null if it is none. */
function parsed(path: string, text: string, garden: string): Unit | null {
  return parseUnit({ path, mode: '100644', blob: '', size: text.length }, Buffer.from(text), garden).value;
}

/** The agent as it is; null if it is new or its file is broken. */
const configOf = (existing: Files): Agent | null =>
  decodeYaml(Agent, existing.get('agent.yaml') ?? '', 'agent.yaml').value;

/** The units that do not come from the documents, and those of them that the agent's manifest may list. */
function knownUnits(
  { own, shared, existing }: { own: [string, string][] } & Pick<PresentSources, 'shared'> & { existing: Files },
  folder: string,
  agent: string,
): { others: Unit[]; listable: Unit[] } {
  const common = unitsIn(`${dirname(dirname(folder))}/shared`, [...shared], SHARED);
  const units = unitsIn(folder, own, agent);
  const named = configOf(existing)?.shared ?? [];
  return { others: [...common, ...units], listable: [...units, ...common.filter(({ name }) => named.includes(name))] };
}

/** The language that is declared, and that of most texts, without the units of a new handbook that nobody wrote. */
function spokenIn(texts: readonly string[], existing: Files, org: Partial<Org>): Spoken {
  return {
    declared: configOf(existing)?.language ?? org.language ?? null,
    found: languageIn(texts.filter((it) => !PLACEHOLDERS.includes(it))),
  };
}

/** The encoder of the deployment, where it knows its language, and the function words. @throws model_unavailable */
async function encodingOf({ model = 'builtin', language = ENGLISH }: Partial<Org>, models: string, world: World) {
  return previewIn(language, model, await openEncoder(model, models, world));
}

function tooMany(sections: number): VadeError {
  const message = `the documents have ${sections} sections; at most ${MAX_SECTIONS} are migrated at once`;
  return new VadeError('request_invalid', message, { suggestion: 'migrate fewer files at a time' });
}

/** The unit files that do not come from these documents: written by hand, or migrated from others. */
function notOf(documents: readonly LegacyText[], existing: ReadonlyMap<string, string>): [string, string][] {
  const origins = new Set<string | null>(documents.map(({ path }) => originOf(path)));
  const current = readCurrentState(existing);
  return [...existing].filter(([file]) => {
    const unit = current.get(unitName(file));
    return unit !== undefined && !origins.has(unit.origin);
  });
}

/** The URI of each proposed unit by its name; if they are unknown, a notice gives the reason. */
export interface Addressed {
  readonly uris: ReadonlyMap<string, string>;
  readonly notices: readonly string[];
}

interface Past {
  readonly folder: string;
  readonly history: GardenHistory;
  readonly blob: (id: string) => Buffer | undefined;
}

/**
 * The URIs that proposed units will have if they are committed unchanged, so that a manifest can name them.
 *
 * @param out folder of the sources; @param org text of its `org.yaml`
 */
export async function addressUnits(
  out: string,
  org: string | undefined,
  agent: string,
  units: readonly ProposedUnit[],
): Promise<Addressed> {
  const deployment = org === undefined ? undefined : decodeYaml(Org, org, 'org.yaml').value?.deployment;
  if (deployment === undefined) return unknown('org.yaml names no deployment');
  try {
    const { folder, history, blob } = await readPast(out, agent);
    const uris = units.map(({ name, file, text }) => {
      const path = `${folder}/agents/${agent}/${file}`;
      const series = { deployment, garden: agent, name, file: path };
      return [name, uriOnceCommitted(series, history.get(path) ?? [], blob, text)] as const;
    });
    return { uris: new Map(uris), notices: [] };
  } catch (error) {
    if (error instanceof VadeError) return unknown(error.message);
    throw error;
  }
}

function unknown(why: string): Addressed {
  return { uris: new Map(), notices: [`the entries have no fact_uri, because their versions are unknown: ${why}`] };
}

/** The committed history of the units; empty if nothing is committed yet. */
async function readPast(out: string, agent: string): Promise<Past> {
  const folder = basename(out);
  try {
    const sources = await openSources({ repo: dirname(out), folder, ref: 'HEAD', lenient: false });
    const history = historiesOf(await sources.history([]), sources.folder).get(agent) ?? new Map<string, never>();
    const blobs = blobStore(sources);
    await blobs.load(blobsOf(history));
    return { folder: sources.folder, history, blob: blobs.blob };
  } catch (error) {
    const isNew = error instanceof VadeError && ['source_not_found', 'ref_not_found'].includes(error.code);
    if (isNew) return { folder, history: new Map(), blob: () => undefined };
    throw error;
  }
}
