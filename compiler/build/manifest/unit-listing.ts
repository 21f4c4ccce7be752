import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { type CountTokens } from '../../schema/ports.ts';
import { byText, canonicalJson } from '../../trust/canonical.ts';
import { fitManifest, type FittedManifest, type ManifestHead } from './manifest.ts';

/** What a manifest is made from, and where the agent's configuration lies. */
export interface Listing {
  readonly head: ManifestHead;
  readonly entries: readonly ManifestEntry[];
  /** Whether triggers and long descriptions may be left out to keep the budget; `manifest.trim` of org.yaml. */
  readonly trim: boolean;
  readonly file: string;
}

/** A unit of a manifest, and what its entry costs. */
interface EntrySize {
  readonly name: string;
  readonly tokens: number;
}

/** The manifest of an agent, with what it does not hold (§21.2.1, DESIGN §6.5). */
export function listUnits(listing: Listing, countTokens: CountTokens): { manifest: Manifest; faults: Diagnostic[] } {
  const enlisted = fitManifest(listing.head, listing.entries, countTokens, listing.trim);
  const tooLarge = enlisted.size > MANIFEST_TOKEN_BUDGET;
  const faults = tooLarge ? [refuse(listing, enlisted, countTokens)] : [...tellTrimmed(listing, enlisted, countTokens)];
  return { manifest: enlisted.value, faults };
}

/** In a help text, so many entries; all of them are in its details. */
const TOLD_ENTRIES = 100;

function refuse(listing: Listing, { size, value }: FittedManifest, countTokens: CountTokens): Diagnostic {
  const entries = sizesOf(value.entries, countTokens);
  const unlist = fewestTooMany(listing, entries, countTokens).map(({ name }) => name);
  const smallest = listing.trim ? 'with everything left out that can be' : 'and org.yaml forbids to trim it';
  const message = `the manifest is ${size} tokens, ${smallest}; at most ${MANIFEST_TOKEN_BUDGET} fit (§21.2.1)`;
  const sizes = entries.slice(0, TOLD_ENTRIES).map(({ name, tokens }) => `${name} (${tokens})`);
  const more = entries.length > TOLD_ENTRIES ? `, and ${entries.length - TOLD_ENTRIES} smaller ones` : '';
  const shown = unlist.slice(0, TOLD_ENTRIES).join(', ') + (unlist.length > TOLD_ENTRIES ? ', …' : '');
  const help =
    `it fits with listed: false on these ${unlist.length} (shared units: out of shared in agent.yaml): ${shown}; ` +
    `recall finds them all the same. Entries by size: ${sizes.join(', ')}${more}`;
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

/** The largest entries without which the manifest fits; those that an agent must know of go last. */
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

function tellTrimmed(
  { entries, file }: Listing,
  { value, untrimmed }: FittedManifest,
  countTokens: CountTokens,
): Diagnostic[] {
  const after = new Map(value.entries.map((it) => [it.name, it]));
  const trimmed = [...entries]
    .sort((a, b) => byText(a.name, b.name))
    .map((entry) => ({ name: entry.name, members: membersGone(entry, after.get(entry.name)) }))
    .filter(({ members }) => members.length > 0);
  if (trimmed.length === 0) return [];
  const gone = (value.trimmed_fields ?? []).map((member) => {
    const names = trimmed.filter(({ members }) => members.includes(member)).map(({ name }) => name);
    return `${member === 'description' ? 'the end of description' : member} of ${names.join(', ')}`;
  });
  const message =
    `the manifest is ${untrimmed} tokens and at most ${MANIFEST_TOKEN_BUDGET} fit (§21.2.1): ` +
    `it does not show ${gone.join('; ')}`;
  const help = 'shorten triggers, or set listed: false on some units; recall still knows all of it';
  const details = { tokens: untrimmed, entries: sizesOf(entries, countTokens), trimmed };
  return [{ ...diagnostic('manifest_trimmed', file, message, help), details }];
}

/** Members that an entry had and has no more, as `trimmed_fields` names them. */
function membersGone(before: ManifestEntry, after: ManifestEntry | undefined): string[] {
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

/** Whether a manifest was cut by more than its estimates, which a publication must not be (§21.2.1, DESIGN §6.5). */
export function isCutShort({ rule, details }: Diagnostic): boolean {
  const trimmed = rule === 'manifest_trimmed' ? (details?.['trimmed'] as readonly { members: string[] }[]) : [];
  return trimmed.some(({ members }) => members.some((it) => it !== ESTIMATE));
}
