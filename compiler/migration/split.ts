import { stringify } from 'yaml';
import type { ManifestEntry } from '../schema/bundle/manifest.ts';
import type { CountTokens } from '../schema/ports.ts';
import { Delivery } from '../schema/source/unit.ts';
import { RESERVED_NAMES } from '../schema/uri.ts';
import { unitName } from '../sources/classify-files.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { sha256 } from '../trust/canonical.ts';
import { nameFor, splitSections, squeeze, stemOf, type Section } from './sections.ts';
import { describe, situationsOf, triggersOf } from './triggers.ts';

type Action = 'create' | 'update' | 'unchanged' | 'removed';
type Entry = Pick<ManifestEntry, 'name' | 'description' | 'load_triggers'>;

/** A proposed unit file with front matter and body, and its source. */
export interface ProposedUnit extends Entry {
  readonly file: string;
  readonly listed: boolean;
  readonly text: string;
  readonly source: { readonly path: string; readonly line: number };
}

/** §21.6.3: the proposal that an author reviews before anything is written. */
export interface Migration {
  readonly units: readonly ProposedUnit[];
  /** Entries of the listed units, without `fact_uri` and `token_estimate`: the compiler computes these. */
  readonly entries: readonly Entry[];
  /** What writing the proposal would change in `agents/<agent>/`. */
  readonly changes: readonly { readonly file: string; readonly action: Action; readonly name: string }[];
  readonly notices: readonly string[];
  /** Null if there is an `agent.yaml`, or no unit for it to name. */
  readonly agentYaml: string | null;
}

export interface MigrationOptions {
  readonly agent: string;
  readonly countTokens: CountTokens;
  /** Names that the agent's units must not have, such as those of shared units. */
  readonly taken?: readonly string[];
}

/** A present unit file; `origin` is the document it was migrated from, null if it was written by hand. */
interface ExistingUnit {
  readonly text: string;
  readonly content: string;
  readonly origin: string | null;
  readonly delivery: Delivery | null;
}

/** A section with its proposed entry; `kind` is the situation from which its triggers come. */
interface Draft {
  readonly entry: Entry;
  readonly section: Section;
  readonly kind: string | undefined;
  readonly current: ExistingUnit | undefined;
}

/**
 * Proposes one unit for each section (§21.6.3), and writes nothing. If the unit of a section exists already, `update`
 * replaces its body only: its front matter, which the author may have edited, is kept byte for byte. A file without the
 * marker of a migration is never changed.
 */
export function proposeUnits(
  documents: readonly { readonly path: string; readonly text: string }[],
  existing: ReadonlyMap<string, string>,
  options: MigrationOptions,
): Migration {
  const read = documents.map(({ path, text }) => splitSections(path, text));
  const current = readCurrentState(existing);
  const all = draftAll(read.map((it) => it.sections).flat(), current, options.taken ?? []);
  const drafts = all.filter((it) => it.current?.origin !== null);
  const listed = listWhatFits(drafts, options);
  const origins = new Set<string | null>(documents.map(({ path }) => originOf(path)));
  const names = all.map((it) => it.entry.name);
  const gone = [...current].filter(([name, { origin }]) => origins.has(origin) && !names.includes(name));
  const change = (name: string, action: Action) => ({ file: `${name}.md`, action, name });
  const removed = gone.map(([name]) => change(name, 'removed'));
  return {
    units: drafts.map((it) => toUnit(it, listed.has(it))),
    entries: drafts.filter((it) => listed.has(it)).map((it) => it.entry),
    changes: [...all.map((it) => change(it.entry.name, actionOf(it))), ...removed],
    notices: [...read.flatMap((it) => it.notices), ...noticesOf(all, listed, options.countTokens)],
    agentYaml: existing.has('agent.yaml') ? null : proposeAgent(all, options.agent),
  };
}

const MARKER = '# migrated from ';

/** A document's path as written into the marker, on one line. Untrusted input: a path may contain control characters. */
const originOf = (path: string) => path.normalize('NFC').replace(/\p{C}/gu, '?').trim();

function readCurrentState(existing: ReadonlyMap<string, string>): Map<string, ExistingUnit> {
  const current = new Map<string, ExistingUnit>();
  for (const [file, text] of existing) {
    if (!file.endsWith('.md') || file === 'boot.md') continue;
    const { yaml, content } = splitFrontMatter(normaliseText(Buffer.from(text)) ?? '');
    const marker = yaml?.split('\n').find((line) => line.startsWith(MARKER));
    const delivery = yaml === null ? null : decodeYaml(Delivery, yaml, file).value;
    current.set(unitName(file), { text, content, delivery, origin: marker?.slice(MARKER.length).trim() ?? null });
  }
  return current;
}

function draftAll(
  sections: readonly Section[],
  existing: Map<string, ExistingUnit>,
  taken: readonly string[],
): Draft[] {
  const used = new Set([...RESERVED_NAMES, ...taken]);
  // an unchanged section keeps its unit, even if other sections were added, moved or removed
  const kept = sections.map((section) => {
    const [name] = [...existing].find(([it, current]) => !used.has(it) && isSame(section, current)) ?? [];
    if (name !== undefined) used.add(name);
    return name;
  });
  const situations = situationsOf(sections);
  return sections.map((section, i) => {
    const origin = originOf(section.document.path);
    const isFree = (it: string) => !used.has(it) && (existing.get(it)?.origin ?? origin) === origin;
    const name = kept[i] ?? nameFor(section, isFree);
    used.add(name);
    const situation = situations[i] ?? null;
    const current = existing.get(name);
    const fresh = { description: describe(section), load_triggers: triggersOf(section, situation) };
    const { description, load_triggers } = current?.delivery ?? fresh;
    const { intents, keywords } = load_triggers;
    const entry = { name, description, load_triggers: { intents, keywords } };
    return { entry, section, kind: situation?.kind, current };
  });
}

/** The limit of §21.2.1 minus a reserve for edits and the tokens of a manifest without entries. */
const MANIFEST_ROOM = 900 - 60;
const LISTED_FIRST = ['constraints', 'safety', 'wrap-up'];

/** The drafts that fit into the manifest. A unit that exists already is listed unless its author unlisted it. */
function listWhatFits(drafts: readonly Draft[], { agent, countTokens }: MigrationOptions): Set<Draft> {
  const rank = ({ kind, current }: Draft) => (current ? LISTED_FIRST.length : LISTED_FIRST.indexOf(kind ?? ''));
  const listed = new Set<Draft>();
  let spent = 0;
  for (const draft of drafts.toSorted((a, b) => rank(b) - rank(a))) {
    const { entry, current } = draft;
    if (current?.delivery?.listed === false) continue;
    spent += countTokens(JSON.stringify({ ...entry, fact_uri: `instruction:x/agent/${agent}/${entry.name}/v1` }));
    if (current || spent <= MANIFEST_ROOM) listed.add(draft);
  }
  return listed;
}

function toUnit(draft: Draft, listed: boolean): ProposedUnit {
  const { entry, section, current } = draft;
  const { name, ...shown } = entry;
  const { path } = section.document;
  const fresh = stringify({ ...shown, ...(!listed && { listed }) }, { lineWidth: 0 });
  const head =
    current?.text.slice(0, current.text.indexOf('\n---', 3) + 4) ?? `---\n${MARKER}${originOf(path)}\n${fresh}---`;
  const text = current && actionOf(draft) === 'unchanged' ? current.text : `${head}\n\n${section.text}\n`;
  return { ...entry, listed, file: `${name}.md`, text, source: { path, line: section.line } };
}

function isSame({ document, text }: Section, { origin, content }: ExistingUnit): boolean {
  return origin === originOf(document.path) && content === `${text}\n`;
}

function actionOf({ section, current }: Draft): Action {
  if (!current) return 'create';
  return current.origin === null || isSame(section, current) ? 'unchanged' : 'update';
}

/** Notices for the author, who reads them before writing the proposal. */
function noticesOf(all: readonly Draft[], listed: ReadonlySet<Draft>, countTokens: CountTokens): string[] {
  const byHand = all.filter((it) => it.current?.origin === null);
  const drafts = all.filter((it) => !byHand.includes(it));
  const size = ({ section }: Draft) => countTokens(section.text);
  const notices: [string, readonly Draft[]][] = [
    ['written by hand and not changed; their sections are not proposed', byHand],
    ['not listed, because the manifest is full; recall still finds them', drafts.filter((it) => !listed.has(it))],
    ['under 20 tokens; consider merging', drafts.filter((it) => size(it) < 20)],
    ['over 600 tokens; consider splitting', drafts.filter((it) => size(it) > 600)],
  ];
  return notices.flatMap(([what, which]) =>
    which[0] ? [`${which.map((it) => it.entry.name).join(', ')}: ${what}`] : [],
  );
}

/** An `agent.yaml` for an agent without one; the ID is derived from name and texts, so each run proposes the same. */
function proposeAgent(drafts: readonly Draft[], agent: string): string | null {
  if (!drafts[0]) return null;
  const { document, opening } = drafts[0].section;
  const best = drafts.reduce((a, b) => (heartbeatWeight(b) > heartbeatWeight(a) ? b : a));
  const ownWords = /^You are (?:the |an? )?(\p{Lu}[^.,;:!?—]{0,39})[.,;]/u.exec(opening)?.[1];
  const titles = [document.front['title'], document.front['name'], ownWords, document.title, agent];
  const [role] = titles.flatMap((it) => (typeof it === 'string' && squeeze(it) ? [squeeze(it).slice(0, 80)] : []));
  const digest = sha256(JSON.stringify([agent, ...drafts.map((it) => it.section.text)]));
  const agent_id = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  const fixed = { adapter_profiles: ['generic'], migration_mode: 'stigmem' };
  const yaml = stringify({ agent_id, role, heartbeat_contract: best.entry.name, ...fixed }, { lineWidth: 0 });
  return `# proposed by vade migrate: check role and heartbeat_contract\n${yaml}`;
}

/** How much a section looks like a heartbeat procedure, by its title, document and situation. */
function heartbeatWeight({ section: { title, document }, kind }: Draft): number {
  const [own, around] = [title, `${stemOf(document.path)} ${document.title ?? ''}`].map((it) => /heartbeat/i.test(it));
  return (own ? 4 : 0) + (around ? 2 : 0) + (kind === 'routine' ? 1 : 0);
}
