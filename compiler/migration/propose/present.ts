import { stringify } from 'yaml';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { ENGLISH, LANGUAGES } from '../../schema/source/language.ts';
import { OLD_FILE_STAYS } from '../../schema/source/placeholders.ts';
import { knownUnit, type LegacyText } from '../documents/known-unit.ts';
import { placeOf } from '../documents/repeats.ts';
import type { Section } from '../documents/sections.ts';
import { ruleBlocksOf } from './always-lines.ts';
import { isFresh, isSame, markerOf, originOf, readCurrentState, WAS_UNLISTED, type UnitDraft } from './drafts.ts';
import { placesOf } from './listing.ts';
import { alwaysLoadedOf, bootOf, type MigrationPlan } from './plan.ts';
import type {
  Action,
  AlwaysChoice,
  Dissected,
  Migration,
  MigrationOptions,
  ProposedUnit,
  Spoken,
  Wordable,
} from './proposal.ts';
import { declareLanguage, heartbeatOf, proposeAgent } from './propose-agent.ts';

/** The proposal that drafts make: unit files, the entries of those that the manifest lists, and what is in none. */
export function present(
  dissected: Dissected,
  plan: MigrationPlan,
  all: readonly UnitDraft[],
  documents: readonly LegacyText[],
  existing: ReadonlyMap<string, string>,
  options: MigrationOptions,
  always: AlwaysChoice | null = null,
): Omit<Migration, 'phrases'> {
  const drafts = all.filter((it) => it.current?.origin !== null);
  const [{ listed, priorities }, sources] = [placesOf(drafts, options), sourcesOf(all)];
  const inManifest = (it: UnitDraft) => {
    return { hasRoom: listed.has(it), priority: priorities.get(it) ?? 0, source: sources.get(it) ?? null };
  };
  const { spoken = IN_ENGLISH } = options;
  const { heartbeat, ...file } = agentFile(all, existing.get('agent.yaml'), spoken, options);
  const boot = bootOf(plan, always);
  const isBootSame = boot === (existing.get('boot.md') ?? (always === null ? '' : null));
  const loaded = always === null ? alwaysLoadedOf(plan) : { always: [], limiting: [] };
  return {
    wordable: all.filter(isFresh).map(wordableOf),
    units: drafts.map((it) => toUnit(it, inManifest(it), options.countTokens)),
    entries: drafts.filter((it) => listed.has(it)).map((it) => it.entry),
    changes: changesOf(all, documents, existing),
    notices: [
      ...languageNotices(spoken, file.agentYaml !== null),
      ...dissected.notices,
      ...noticesOf(all, listed, spoken, options.countTokens),
      ...(heartbeat && !heartbeat.isSaid ? [noHeartbeat(heartbeat.name)] : []),
      ...(loaded.always.length > 0 ? [OLD_FILE_STAYS] : []),
    ],
    leftOut: [...dissected.leftOut, ...plan.leftOut],
    alwaysOn: {
      boot: isBootSame ? null : boot,
      unanswered: loaded.limiting.map((it) => ({ ...placeOf(it), title: it.title })),
      toGuarantee: drafts.filter((it) => it.isGuaranteed).map(({ entry }) => entry.name),
    },
    ...file,
  };
}

/** A new `agent.yaml`, or the present one with a line that declares the language. */
function agentFile(
  all: readonly UnitDraft[],
  present: string | undefined,
  { declared, found }: Spoken,
  options: MigrationOptions,
): Pick<Migration, 'agentYaml' | 'declares'> & { readonly heartbeat: ReturnType<typeof heartbeatOf> | null } {
  const undeclared = declared === null ? found : ENGLISH;
  if (present !== undefined) {
    const agentYaml = undeclared === ENGLISH ? null : declareLanguage(present, undeclared);
    return { agentYaml, declares: agentYaml === null ? null : undeclared, heartbeat: null };
  }
  if (all.length === 0) return { agentYaml: null, declares: null, heartbeat: null };
  const sections = all.map((it) => it.section);
  const heartbeat = heartbeatOf(all, options);
  return { agentYaml: proposeAgent(sections, options.agent, heartbeat.name, undeclared), declares: null, heartbeat };
}

/** @param draft whose words are proposed now */
export function wordableOf({ entry, section }: UnitDraft): Wordable {
  const { name, description, load_triggers } = entry;
  return {
    name,
    description,
    intents: load_triggers?.intents ?? [],
    content: `${section.text}\n`,
    lines: linesOf(section),
  };
}

function linesOf(section: Section): ReadonlySet<number> {
  const blocks = ruleBlocksOf(section);
  return new Set(
    blocks.flatMap(({ line, lastLine }) => Array.from({ length: lastLine - line + 1 }, (_, i) => line + i)),
  );
}

/** Changes that writing would make: unit files of the same documents without a section are removed. */
function changesOf(
  all: readonly UnitDraft[],
  documents: readonly LegacyText[],
  existing: ReadonlyMap<string, string>,
): Migration['changes'] {
  const origins = new Set<string | null>(documents.map(({ path }) => originOf(path)));
  const names = all.map((it) => it.entry.name);
  const gone = [...readCurrentState(existing)].filter(
    ([name, { origin }]) => origins.has(origin) && !names.includes(name),
  );
  const change = (name: string, action: Action) => ({ file: `${name}.md`, action, name });
  return [...all.map((it) => change(it.entry.name, actionOf(it))), ...gone.map(([name]) => change(name, 'removed'))];
}

const IN_ENGLISH: Spoken = { declared: null, found: ENGLISH };

/** @param isWritten whether the proposal declares the language */
function languageNotices({ declared, found }: Spoken, isWritten: boolean): string[] {
  if (found === ENGLISH || found === declared) return [];
  const what = `most of it is in ${LANGUAGES[found]}`;
  if (declared !== null)
    return [`${what}, but the handbook declares ${LANGUAGES[declared]} (language: ${declared}); check it`];
  const where = isWritten
    ? `the line “language: ${found}” of agent.yaml declares it; check it`
    : `name it in agent.yaml (language: ${found})`;
  return [
    `${what}: ${where}. Recall then finds units by words, or pairs of characters, alone, and a signed bundle needs an approval (vade approve --kind other_language)`,
  ];
}

const noHeartbeat = (name: string) =>
  `no section says what the agent does at every heartbeat: heartbeat_contract names “${name}”; check it`;

/** The place of a unit in the manifest. */
interface ManifestPlace {
  readonly hasRoom: boolean;
  readonly priority: number;
  /** Its place in its document; null for none. */
  readonly source: string | null;
}

/** Of a longer path the end names the document well enough. */
const LONGEST_PATH = 500;

/**
 * Where the text of each unit stands in its document, by which exports order them. Present units keep their front
 * matter byte for byte, so a new one between them gets a place behind the one before it.
 */
function sourcesOf(all: readonly UnitDraft[]): Map<UnitDraft, string | null> {
  const placed = new Set(all.flatMap(({ current, section }) => (current?.delivery?.source ? [section.document] : [])));
  let last = { path: '', source: '', next: 1 };
  return new Map(
    all.map((it) => {
      const { document, line } = it.section;
      const path = originOf(document.path).slice(-LONGEST_PATH);
      const present = it.current?.delivery?.source;
      const known = knownUnit(it.section);
      if (last.path !== path) last = { path, source: `${path}:0`, next: 1 };
      if (present !== undefined) last = { path, source: present, next: 1 };
      if (known !== null || it.current !== undefined) return [it, known?.source ?? null];
      return [it, placed.has(document) ? `${last.source}.${last.next++}` : `${path}:${line}`];
    }),
  );
}

/** A draft as a unit file. */
export function toUnit(
  draft: UnitDraft,
  { hasRoom, priority, source }: ManifestPlace,
  countTokens: CountTokens,
): ProposedUnit {
  const { entry, section, current, unlistedBecause } = draft;
  const listed = current?.delivery?.listed ?? unlistedBecause === null;
  const { name, ...shown } = entry;
  const { path, front } = section.document;
  const files = knownUnit(section)?.files ?? front.patterns.files;
  const fresh = stringify(
    {
      ...shown,
      ...(draft.isGuaranteed && { guarantee_load: true }),
      ...(!listed && { listed }),
      ...(priority > 0 && { priority }),
      ...(files.length > 0 && { files }),
      ...(source !== null && { source }),
    },
    { lineWidth: 0 },
  );
  const head = current?.text.slice(0, current.text.indexOf('\n---', 3) + 4) ?? `---\n${markerOf(path)}\n${fresh}---`;
  const text = current && actionOf(draft) === 'unchanged' ? current.text : `${head}\n\n${section.text}\n`;
  return {
    ...entry,
    listed,
    unlistedBecause: hasRoom ? null : (unlistedBecause ?? (listed ? MANIFEST_FULL : WAS_UNLISTED)),
    file: `${name}.md`,
    text,
    tokens: countTokens(section.text),
    source: { path, line: section.line, lastLine: section.lastLine },
  };
}

const MANIFEST_FULL = 'the manifest is full; recall still finds it';

function actionOf({ section, current }: UnitDraft): Action {
  if (!current) return 'create';
  return current.origin === null || isSame(section, current) ? 'unchanged' : 'update';
}

/** Notices for the author, who reads them before writing the proposal. */
function noticesOf(
  all: readonly UnitDraft[],
  listed: ReadonlySet<UnitDraft>,
  { declared, found }: Spoken,
  countTokens: CountTokens,
): string[] {
  const byHand = all.filter((it) => it.current?.origin === null);
  const drafts = all.filter((it) => !byHand.includes(it));
  const size = ({ section }: UnitDraft) => countTokens(section.text);
  const notices: [string, readonly UnitDraft[]][] = [
    ['written by hand and not changed; their sections are not proposed', byHand],
    ['not listed; recall still finds them', drafts.filter((it) => !listed.has(it))],
    [
      'their triggers look like another language than English, so no paraphrase of them is made: recall finds them by words, or pairs of characters, alone; a compile warns',
      drafts.filter((it) => !it.isJudged && (declared ?? found) === ENGLISH),
    ],
    ['under 20 tokens; consider merging', drafts.filter((it) => size(it) < 20)],
    ['over 600 tokens; consider splitting', drafts.filter((it) => size(it) > 600)],
  ];
  return notices.flatMap(([what, which]) =>
    which[0] ? [`${which.map((it) => it.entry.name).join(', ')}: ${what}`] : [],
  );
}
