import { buildMeasuredIndex } from '../recall/everyday/measured-index.ts';
import { loadIndex } from '../recall/index/search-index.ts';
import { readyGarden, type RecallFact, type RecallGarden } from '../recall/recall-garden.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { CountTokens } from '../schema/count-tokens.ts';
import type { Unit } from '../schema/source/unit.ts';
import { unitUri } from '../schema/uri.ts';
import { byText } from '../trust/canonical.ts';
import { indexUnit } from './contents.ts';

/** The inputs of a preview garden. */
export interface PreviewInputs {
  readonly deployment: string;
  /** Folder of the sources. */
  readonly folder: string;
  readonly encoder: Encoder | null;
  /** Of the units that have any, by name; absent if none has. */
  readonly phrases?: ReadonlyMap<string, readonly string[]>;
  /** Of its language; null or absent in English. */
  readonly functionWords?: readonly string[] | null;
  readonly countTokens: CountTokens;
}

/**
 * A garden that answers like a compiled one, built only from units: no history, no signature, no files written. All
 * units have version 1, and legacy files have no text.
 *
 * @param units an agent's own and the shared ones
 */
export async function buildPreviewGarden(units: readonly Unit[], inputs: PreviewInputs): Promise<RecallGarden> {
  const sorted = [...units].sort((a, b) => byText(a.name, b.name));
  const uriOf = ({ garden, name }: Unit) => unitUri(inputs.deployment, garden, name, 1);
  const phrasesOf = ({ name }: Unit) => inputs.phrases?.get(name) ?? [];
  const indexed = sorted.map((unit) => indexUnit(unit, uriOf(unit), phrasesOf(unit), inputs));
  const { json, binary } = await buildMeasuredIndex(indexed, inputs.encoder, null, inputs.functionWords ?? null);
  const written = [...json].map(([path, value]) => [path, Buffer.from(JSON.stringify(value))] as const);
  const files = new Map([...written, ...binary]);
  const facts = sorted.map((unit) => toFact(unit, uriOf(unit), inputs.countTokens));
  const paths = facts.flatMap(({ fallback }) => fallback?.path ?? []);
  return readyGarden(
    loadIndex((path) => files.get(path)),
    facts,
    new Map(paths.map((path) => [path, '.'])),
  );
}

function toFact({ name, content, delivery }: Unit, uri: string, countTokens: CountTokens): RecallFact {
  const fallback = delivery.path === null ? null : { path: delivery.path, digest: '', tokens: 0 };
  const tokens = countTokens(content);
  return { name, uri, version: 1, content, digest: '', tokens, valid_until: delivery.valid_until, delivery, fallback };
}
