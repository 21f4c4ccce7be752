import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import { type CountTokens } from '../../schema/count-tokens.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { byText, canonicalJson } from '../../trust/canonical.ts';
import type { ManifestCandidate } from './candidates.ts';
import { fitManifest } from './fit-manifest.ts';
import type { ManifestHead } from './manifest.ts';

/** The inputs of a manifest, and the file of the agent's configuration. */
export interface Listing {
  readonly head: ManifestHead;
  readonly candidates: readonly ManifestCandidate[];
  /** Number of other units that recall finds, which may not be listed. */
  readonly others: number;
  readonly file: string;
}

/** A unit of a manifest, and the tokens of its entry. */
interface EntrySize {
  readonly name: string;
  readonly tokens: number;
}

/** The manifest of an agent; an error if the units that it has to list do not fit (§21.2.1, DESIGN §6.5). */
export function listUnits(
  { head, candidates, others, file }: Listing,
  countTokens: CountTokens,
): { manifest: Manifest; faults: Diagnostic[] } {
  const manifest = fitManifest(head, candidates, others, countTokens);
  const tooLarge = manifest.token_count > MANIFEST_TOKEN_BUDGET;
  return { manifest, faults: tooLarge ? [reportTooLarge(manifest, file, countTokens)] : [] };
}

/** Maximum number of entries that a help text names; the details contain all of them. */
const MAX_NAMED = 100;

function reportTooLarge({ entries, token_count }: Manifest, file: string, countTokens: CountTokens): Diagnostic {
  const sizes = sizesOf(entries, countTokens);
  const message =
    `the ${entries.length} units that the manifest has to list are ${token_count} tokens; ` +
    `at most ${MANIFEST_TOKEN_BUDGET} fit (§21.2.1)`;
  const named = sizes.slice(0, MAX_NAMED).map(({ name, tokens }) => `${name} (${tokens})`);
  const more = sizes.length > MAX_NAMED ? `, and ${sizes.length - MAX_NAMED} smaller ones` : '';
  const help =
    'shorten descriptions, or remove required_by_task_types or guarantee_load from some, or set listed: false on them; ' +
    `recall also finds unlisted units. Entries by size: ${named.join(', ')}${more}`;
  return {
    ...diagnostic('manifest_too_large', file, message, help),
    details: { tokens: token_count, entries: sizes },
  };
}

/** The entries of a manifest by size, the largest first. */
export function sizesOf(entries: readonly ManifestEntry[], countTokens: CountTokens): EntrySize[] {
  return entries
    .map((entry) => ({ name: entry.name, tokens: countTokens(canonicalJson(entry)) }))
    .sort((a, b) => b.tokens - a.tokens || byText(a.name, b.name));
}
