import type { z } from 'zod';
import { fit, type Fitted, type TrimStep } from '../../budget/fit.ts';
import type { Fact } from '../../schema/bundle/fact.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import type { CountTokens } from '../../schema/ports.ts';
import type { MigrationMode } from '../../schema/source/agent.ts';
import { byText, canonicalJson } from '../../trust/canonical.ts';

const SHORT_DESCRIPTION = 60;

/** §21.2.2: one entry, members at their default left out. */
export function toEntry(fact: Fact, mode: z.infer<typeof MigrationMode>): ManifestEntry {
  const { delivery } = fact;
  const { intents, keywords, task_types } = delivery.load_triggers;
  const triggers = {
    ...(intents.length > 0 && { intents }),
    ...(keywords.length > 0 && { keywords }),
    ...(task_types.length > 0 && { task_types }),
  };
  const byPathAlone = fact.content === '' && fact.fallback !== null;
  return {
    name: fact.name,
    description: delivery.description,
    ...(delivery.required_by_task_types.length > 0 && {
      required_by_task_types: delivery.required_by_task_types,
    }),
    ...(delivery.guarantee_load && { guarantee_load: true as const }),
    ...(Object.keys(triggers).length > 0 && { load_triggers: triggers }),
    ...(!byPathAlone && { fact_uri: fact.uri }),
    ...(fact.fallback && (byPathAlone || mode === 'coexistence') && { path: fact.fallback.path }),
    // a legacy file can change without its manifest, so the manifest contains nothing of the file
    ...(!byPathAlone && { token_estimate: fact.tokens }),
  };
}

/** The members of a manifest besides its entries. */
export type ManifestHead = Omit<Manifest, 'entries' | 'token_count' | 'trimmed_fields'>;

/** A manifest within its budget, or the smallest possible one. */
export interface FittedManifest extends Fitted<Manifest> {
  /** Its tokens before trimming. */
  readonly untrimmed: number;
}

/**
 * The manifest of one agent, as served: compact canonical JSON of at most 1000 tokens (§21.2.1, DESIGN
 * §6.5). The result may still be over budget; then it is the smallest possible one.
 *
 * @param trim whether more than `token_estimate` may be left out
 */
export function fitManifest(
  head: ManifestHead,
  entries: readonly ManifestEntry[],
  countTokens: CountTokens,
  trim = true,
): FittedManifest {
  const sorted = [...entries].sort((a, b) => byText(a.name, b.name));
  const size = (candidate: readonly ManifestEntry[], trimmed: readonly string[]) =>
    toManifest(head, candidate, trimmed, countTokens).token_count;
  const ladder = ladderFor(sorted, countTokens).filter(({ field }) => trim || field === 'token_estimate');
  const fitted = fit<readonly ManifestEntry[]>(sorted, ladder, MANIFEST_TOKEN_BUDGET, size);
  const value = toManifest(head, fitted.value, fitted.trimmed_fields, countTokens);
  return { ...fitted, value, untrimmed: size(sorted, []) };
}

function toManifest(
  head: ManifestHead,
  entries: readonly ManifestEntry[],
  trimmedFields: readonly string[],
  countTokens: CountTokens,
): Manifest {
  const trimmed = trimmedFields.length > 0 && { trimmed_fields: [...trimmedFields] };
  const withCount = (token_count: number): Manifest => ({
    ...head,
    token_count,
    entries: [...entries],
    ...trimmed,
  });
  let count = countTokens(canonicalJson(withCount(MANIFEST_TOKEN_BUDGET)));
  // the count is part of the counted text: count again, because its digits may change it by a token
  count = countTokens(canonicalJson(withCount(count)));
  return withCount(count);
}

/**
 * DESIGN §6.5: token_estimate, task_types, then per entry, longest first, keywords, intents, long descriptions.
 * Steps without an effect are left out.
 */
function ladderFor(entries: readonly ManifestEntry[], countTokens: CountTokens): TrimStep<readonly ManifestEntry[]>[] {
  const longestFirst = entries
    .map((entry) => ({ entry, tokens: countTokens(canonicalJson(entry)) }))
    .sort((a, b) => b.tokens - a.tokens || byText(a.entry.name, b.entry.name))
    .map(({ entry }) => entry);
  const all = (
    field: string,
    has: (entry: ManifestEntry) => boolean,
    change: (entry: ManifestEntry) => ManifestEntry,
  ) => (entries.some(has) ? [{ field, trim: (list: readonly ManifestEntry[]) => list.map(change) }] : []);
  const each = (
    field: string,
    has: (entry: ManifestEntry) => boolean,
    change: (entry: ManifestEntry) => ManifestEntry,
  ) =>
    longestFirst.filter(has).map(({ name }) => ({
      field,
      trim: (list: readonly ManifestEntry[]) => list.map((entry) => (entry.name === name ? change(entry) : entry)),
    }));
  const hasTrigger = (key: Trigger) => (entry: ManifestEntry) => entry.load_triggers?.[key] !== undefined;
  const drop = (key: Trigger) => (entry: ManifestEntry) => withoutTrigger(entry, key);
  return [
    ...all('token_estimate', (it) => it.token_estimate !== undefined, withoutEstimate),
    ...all('load_triggers.task_types', hasTrigger('task_types'), drop('task_types')),
    ...each('load_triggers.keywords', hasTrigger('keywords'), drop('keywords')),
    ...each('load_triggers.intents', hasTrigger('intents'), drop('intents')),
    ...each(
      'description',
      (it) => shorten(it.description) !== it.description,
      (it) => ({
        ...it,
        description: shorten(it.description),
      }),
    ),
  ];
}

type Trigger = 'intents' | 'keywords' | 'task_types';

function withoutEstimate({ token_estimate: _, ...entry }: ManifestEntry): ManifestEntry {
  return entry;
}

function withoutTrigger(entry: ManifestEntry, key: Trigger): ManifestEntry {
  const { load_triggers, ...rest } = entry;
  const { [key]: _, ...left } = load_triggers ?? {};
  return Object.keys(left).length > 0 ? { ...rest, load_triggers: left } : rest;
}

/** A description as a trimmed manifest shows it; cut at a code point, so that no half character is left. */
export function shorten(description: string): string {
  const points = Array.from(description);
  return points.length <= SHORT_DESCRIPTION
    ? description
    : `${points
        .slice(0, SHORT_DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`;
}
