import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { PhraseSet } from '../../schema/source/phrases.ts';
import { MAX_SENTENCES_BYTES } from '../../schema/source/probe.ts';
import type { Sources } from '../../schema/source/sources.ts';
import { SHARED } from '../../schema/uri.ts';
import { parseText } from '../../sources/unit.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { BRIEF } from '../../world/flags/quality.ts';
import type { World } from '../../world/world.ts';
import { readGardens, type ReadGardens } from '../preview/read-gardens.ts';

/** The gardens of a working tree, with what was written for them. */
export interface Handbook extends ReadGardens {
  /** By garden. */
  readonly phrases: ReadonlyMap<string, PhraseSet>;
}

/** Opens the working tree: no bundle, no key. @throws source_not_found, sources_invalid */
export async function openHandbook(
  flags: Pick<Arguments<typeof BRIEF>, 'repo' | 'source'>,
  world: World,
): Promise<Handbook> {
  const gardens = await readGardens({ ...flags, ref: undefined }, world);
  const { sources, configuration } = gardens;
  const phrases = new Map<string, PhraseSet>();
  for (const garden of [...configuration.agents.keys(), SHARED]) {
    const set = await readPhrases(sources, phrasesPath(sources, garden));
    if (set !== null) phrases.set(garden, set);
  }
  return { ...gardens, phrases };
}

/** Path of the phrases of a garden's own units. */
export function phrasesPath({ folder }: Pick<Sources, 'folder'>, garden: string): string {
  return `${folder}/phrases/${garden}.yaml`;
}

async function readPhrases({ tree, read }: Sources, path: string): Promise<PhraseSet | null> {
  const file = tree.get(path);
  if (file?.mode.startsWith('100') !== true) return null;
  const bytes = (await read([file.blob], MAX_SENTENCES_BYTES)).get(file.blob);
  if (bytes === undefined) {
    const message = `${file.size} bytes; at most ${MAX_SENTENCES_BYTES} are read`;
    throw unreadable([diagnostic('unit_too_large', path, message, 'delete the phrases of units that no longer exist')]);
  }
  const { value: text, faults } = parseText(path, bytes);
  if (text === null) throw unreadable(faults);
  const decoded = decodeYaml(PhraseSet, text, path);
  if (decoded.value === null) throw unreadable(decoded.faults);
  return decoded.value;
}

function unreadable(faults: readonly Diagnostic[]): VadeError {
  const [first] = faults;
  const message = first ? `${first.file}:${first.line} ${first.message}` : 'the phrases cannot be read';
  return new VadeError('sources_invalid', message, { faults });
}

/** The phrases that find units now, by unit: of an agent, also those of the shared units. */
export function phrasesNow(
  { phrases }: Pick<Handbook, 'phrases'>,
  garden: string,
): ReadonlyMap<string, readonly string[]> {
  const sets = [phrases.get(SHARED), garden === SHARED ? undefined : phrases.get(garden)];
  return new Map(
    sets.flatMap((set) => Object.entries(set?.units ?? {}).map(([unit, it]) => [unit, it.phrases] as const)),
  );
}

/** The garden that a flag names. @throws agent_not_found */
export function requireGarden(
  { configuration }: Pick<Handbook, 'configuration'>,
  source: string,
  garden: string,
): void {
  if (garden === SHARED || configuration.agents.has(garden)) return;
  throw new VadeError('agent_not_found', `${source}/ has no agent ${garden}`);
}

/** The stored phrases of a garden's own unit. */
export function storedFor({ phrases }: Pick<Handbook, 'phrases'>, garden: string, unit: string) {
  const units = phrases.get(garden)?.units ?? {};
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}
