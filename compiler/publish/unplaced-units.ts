import type { z } from 'zod';
import { toEntry, toManifest } from '../gardens/manifest/manifest.ts';
import { sizesOf } from '../gardens/manifest/unit-listing.ts';
import type { PublishedEntry } from '../schema/api/publication.ts';
import type { Fact } from '../schema/bundle/fact.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest } from '../schema/bundle/manifest.ts';
import type { CountTokens } from '../schema/count-tokens.ts';
import { VadeError } from '../schema/errors.ts';
import type { MigrationMode } from '../schema/source/agent.ts';

/** The manifest that a publication makes, and the units that recall finds beside it. */
export interface PublishedManifest {
  readonly manifest: Manifest;
  readonly facts: readonly Fact[];
  readonly mode: z.infer<typeof MigrationMode>;
}

/**
 * A compile leaves out units without room; a publication names the units that the manifest must list (§21.2.1, DESIGN
 * §6.9).
 *
 * @throws manifest_too_large if a named unit has no place
 */
export function assertAllPlaced(
  entries: readonly PublishedEntry[],
  { manifest, facts, mode }: PublishedManifest,
  countTokens: CountTokens,
): void {
  const listed = new Set(manifest.entries.map(({ name }) => name));
  const named = new Set(entries.map(({ name }) => name));
  const wanted = facts.filter(({ name }) => named.has(name)).map((fact) => toEntry(fact, mode));
  const unplaced = wanted.map(({ name }) => name).filter((name) => !listed.has(name));
  if (unplaced.length === 0) return;
  const tokens = toManifest(manifest, wanted, facts.length - wanted.length, countTokens).token_count;
  throw noPlace(unplaced, { tokens, entries: sizesOf(wanted, countTokens) });
}

/** The error of a publication that names units for which the manifest has no place. */
export function noPlace(unplaced: readonly string[], sizes: object = {}): VadeError {
  const message =
    `${unplaced.join(', ')}: no place among the ${MANIFEST_TOKEN_BUDGET} tokens of the manifest (§21.2.1); ` +
    'remove entries, or give these a priority; nothing was published';
  return new VadeError('manifest_too_large', message, { ...sizes, unplaced });
}
