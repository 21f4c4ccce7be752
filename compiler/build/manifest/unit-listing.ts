import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { type CountTokens } from '../../schema/ports.ts';
import { byText, canonicalJson } from '../../trust/canonical.ts';
import { fitManifest, type FittedManifest, type ManifestHead } from './manifest.ts';

/** The inputs of a manifest, and the file of the agent's configuration. */
export interface Listing {
  readonly head: ManifestHead;
  readonly entries: readonly ManifestEntry[];
  /** Whether triggers and long descriptions may be left out to fit the budget; `manifest.trim` of org.yaml. */
  readonly trim: boolean;
  readonly file: string;
}

/** A unit of a manifest, and the tokens of its entry. */
interface EntrySize {
  readonly name: string;
  readonly tokens: number;
}

/** The manifest of an agent, with diagnostics about left-out members (§21.2.1, DESIGN §6.5). */
export function listUnits(listing: Listing, countTokens: CountTokens): { manifest: Manifest; faults: Diagnostic[] } {
  const fitted = fitManifest(listing.head, listing.entries, countTokens, listing.trim);
  const tooLarge = fitted.size > MANIFEST_TOKEN_BUDGET;
  const faults = tooLarge
    ? [reportTooLarge(listing, fitted, countTokens)]
    : [...reportTrimmed(listing, fitted, countTokens)];
  return { manifest: fitted.value, faults };
}

/** How many entries a help text names; the details contain all of them. */
const MAX_NAMED = 100;

function reportTooLarge(listing: Listing, { size, value }: FittedManifest, countTokens: CountTokens): Diagnostic {
  const entries = sizesOf(value.entries, countTokens);
  const unlist = fewestTooMany(listing, entries, countTokens).map(({ name }) => name);
  const smallest = listing.trim ? 'after all permitted trimming' : 'and org.yaml does not allow trimming';
  const message = `the manifest is ${size} tokens, ${smallest}; at most ${MANIFEST_TOKEN_BUDGET} fit (§21.2.1)`;
  const sizes = entries.slice(0, MAX_NAMED).map(({ name, tokens }) => `${name} (${tokens})`);
  const more = entries.length > MAX_NAMED ? `, and ${entries.length - MAX_NAMED} smaller ones` : '';
  const shown = unlist.slice(0, MAX_NAMED).join(', ') + (unlist.length > MAX_NAMED ? ', …' : '');
  const help =
    `it fits with listed: false on these ${unlist.length} (shared units: out of shared in agent.yaml): ${shown}; ` +
    `recall also finds unlisted units. Entries by size: ${sizes.join(', ')}${more}`;
  return {
    ...diagnostic('manifest_too_large', listing.file, message, help),
    details: { tokens: size, entries, unlist },
  };
}

function sizesOf(entries: readonly ManifestEntry[], countTokens: CountTokens): EntrySize[] {
  return entries
    .map((entry) => ({ name: entry.name, tokens: countTokens(canonicalJson(entry)) }))
    .sort((a, b) => b.tokens - a.tokens || byText(a.name, b.name));
}

/** More entries than any manifest can hold: each is more than ten tokens of names and URI. */
const MOST_ENTRIES = MANIFEST_TOKEN_BUDGET / 10;

/** The largest entries without which the manifest fits; entries that an agent must see are removed last. */
function fewestTooMany({ head, entries, trim }: Listing, sizes: readonly EntrySize[], countTokens: CountTokens) {
  const needed = new Set(
    entries.filter((it) => it.guarantee_load || it.required_by_task_types).map(({ name }) => name),
  );
  const order = [...sizes.filter((it) => !needed.has(it.name)), ...sizes.filter((it) => needed.has(it.name))];
  const fits = (count: number) => {
    const out = new Set(order.slice(0, count).map(({ name }) => name));
    const left = entries.filter(({ name }) => !out.has(name));
    const fewer = { ...head, unlisted: (head.unlisted ?? 0) + count };
    return fitManifest(fewer, left, countTokens, trim).size <= MANIFEST_TOKEN_BUDGET;
  };
  let low = Math.max(1, order.length - MOST_ENTRIES);
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return order.slice(0, low);
}

function reportTrimmed(
  { entries, file }: Listing,
  { value, untrimmed }: FittedManifest,
  countTokens: CountTokens,
): Diagnostic[] {
  const after = new Map(value.entries.map((it) => [it.name, it]));
  const trimmed = [...entries]
    .sort((a, b) => byText(a.name, b.name))
    .map((entry) => ({ name: entry.name, members: omittedMembers(entry, after.get(entry.name)) }))
    .filter(({ members }) => members.length > 0);
  if (trimmed.length === 0) return [];
  const omitted = (value.trimmed_fields ?? []).map((member) => {
    const names = trimmed.filter(({ members }) => members.includes(member)).map(({ name }) => name);
    return `${member === 'description' ? 'the end of description' : member} of ${names.join(', ')}`;
  });
  const message =
    `the manifest is ${untrimmed} tokens and at most ${MANIFEST_TOKEN_BUDGET} fit (§21.2.1): ` +
    `it does not show ${omitted.join('; ')}`;
  const help = 'shorten triggers, or set listed: false on some units; recall still finds all units';
  const details = { tokens: untrimmed, entries: sizesOf(entries, countTokens), trimmed };
  return [{ ...diagnostic('manifest_trimmed', file, message, help), details }];
}

/** Members that were removed from an entry, as `trimmed_fields` names them. */
function omittedMembers(before: ManifestEntry, after: ManifestEntry | undefined): string[] {
  const triggers = (['task_types', 'keywords', 'intents'] as const).filter(
    (key) => before.load_triggers?.[key] !== undefined && after?.load_triggers?.[key] === undefined,
  );
  return [
    ...(before.token_estimate !== undefined && after?.token_estimate === undefined ? [ESTIMATE] : []),
    ...triggers.map((key) => `load_triggers.${key}`),
    ...(before.description === after?.description ? [] : ['description']),
  ];
}

const ESTIMATE = 'token_estimate';

/** Whether more than the estimates was trimmed, which a publication must not do (§21.2.1, DESIGN §6.5). */
export function isCutShort({ rule, details }: Diagnostic): boolean {
  const trimmed = rule === 'manifest_trimmed' ? (details?.['trimmed'] as readonly { members: string[] }[]) : [];
  return trimmed.some(({ members }) => members.some((it) => it !== ESTIMATE));
}
