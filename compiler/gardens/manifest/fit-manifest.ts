import { fit, type TrimStep } from '../../budget/fit-by-steps.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { byPlace, type ManifestCandidate } from './candidates.ts';
import { toManifest, type ManifestHead } from './manifest.ts';

/**
 * The manifest that lists as many units as fit into 1000 tokens (§21.2.1, DESIGN §6.5), and their intents as far as
 * there is room. It is larger only if the units that it has to list are.
 *
 * @param others how many more units recall finds, which may not be listed
 */
export function fitManifest(
  head: ManifestHead,
  candidates: readonly ManifestCandidate[],
  others: number,
  countTokens: CountTokens,
): Manifest {
  const manifestOf = (entries: readonly ManifestEntry[]) =>
    toManifest(head, entries, candidates.length + others - entries.length, countTokens);
  const placed = placeUnits([...candidates].sort(byPlace), manifestOf, countTokens);
  const whole = placed.map(({ entry, intents }) => withIntents(entry, intents));
  const measure = (it: readonly ManifestEntry[]) => manifestOf(it).token_count;
  return manifestOf(fit<readonly ManifestEntry[]>(whole, ladderFor(placed), MANIFEST_TOKEN_BUDGET, measure).value);
}

type ManifestOf = (entries: readonly ManifestEntry[]) => Manifest;

/** All units, or those that get a place in their order: one that has no room leaves it to a smaller one after it. */
function placeUnits(
  ordered: readonly ManifestCandidate[],
  manifestOf: ManifestOf,
  countTokens: CountTokens,
): ManifestCandidate[] {
  const costs = new Map(ordered.map((it) => [it, costOf(it.entry, countTokens)]));
  const total = (units: readonly ManifestCandidate[]) => units.reduce((sum, it) => sum + (costs.get(it) ?? 0), 0);
  if (total(ordered) <= MANIFEST_TOKEN_BUDGET && measureBare(ordered, manifestOf) <= MANIFEST_TOKEN_BUDGET) {
    return [...ordered];
  }
  let room = MANIFEST_TOKEN_BUDGET - manifestOf([]).token_count - total(ordered.filter((it) => it.needed));
  return ordered.filter((it) => {
    if (it.needed) return true;
    const cost = costs.get(it) ?? 0;
    const fits = cost <= room;
    if (fits) room -= cost;
    return fits;
  });
}

const measureBare = (units: readonly ManifestCandidate[], manifestOf: ManifestOf) =>
  manifestOf(units.map((it) => it.entry)).token_count;

/** Start of every entry. */
const OPENING = '{"';

/**
 * Tokens that an entry adds to a manifest. The encoding splits a text before the first letter of an entry, so the costs
 * of entries sum up exactly; only the last one has another end.
 */
function costOf(entry: ManifestEntry, countTokens: CountTokens): number {
  return countTokens(`${canonicalJson(entry).slice(OPENING.length)},${OPENING}`);
}

/**
 * Steps of trimming: first intents, each unit's last one first, those of the last places first; then the last places.
 */
function ladderFor(placed: readonly ManifestCandidate[]): TrimStep<readonly ManifestEntry[]>[] {
  const lastFirst = [...placed].reverse();
  const most = Math.max(0, ...placed.map(({ intents }) => intents.length));
  const counts = Array.from({ length: most }, (_, i) => most - 1 - i);
  return [
    ...counts.flatMap((count) => lastFirst.filter(({ intents }) => intents.length > count).map(cutTo(count))),
    ...lastFirst.filter((it) => !it.needed).map(removal),
  ];
}

const cutTo =
  (count: number) =>
  ({ entry, intents }: ManifestCandidate): TrimStep<readonly ManifestEntry[]> => ({
    field: 'load_triggers.intents',
    trim: (list) => list.map((it) => (it.name === entry.name ? withIntents(entry, intents.slice(0, count)) : it)),
  });

const removal = ({ entry: { name } }: ManifestCandidate): TrimStep<readonly ManifestEntry[]> => ({
  field: 'entries',
  trim: (list) => list.filter((it) => it.name !== name),
});

function withIntents(entry: ManifestEntry, intents: readonly string[]): ManifestEntry {
  return intents.length === 0 ? entry : { ...entry, load_triggers: { intents: [...intents] } };
}
