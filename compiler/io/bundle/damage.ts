import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES, ReadRootStatement, type RootEntry } from '../../schema/bundle/bundle.ts';
import { CapabilityStatement } from '../../schema/bundle/capability-garden.ts';
import { sortKinds } from '../../schema/bundle/entry-kinds.ts';
import { GardenStatement, IN_TOTO_TYPE } from '../../schema/bundle/garden.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Refusal } from '../../schema/refusals.ts';
import { sha256 } from '../../trust/canonical.ts';
import { peekPayload } from '../../trust/dsse.ts';
import { assertNotExhausted, readCapped, readTree } from '../files/tree.ts';
import { GARDEN_ENVELOPE, ROOT_ENVELOPE } from './open-bundle.ts';
import { assertListed } from './prove-root.ts';

/** A root or one version of a garden whose files differ from what was signed, or are missing (`absent`). */
export interface Damage {
  /** Relative to the bundle's folder: `roots/<revision>`, `gardens/<garden>/<digest>`. */
  readonly place: string;
  readonly reason: Refusal | 'absent';
}

export const gardenPlace = (garden: string, digest: string) => join('gardens', garden, digest);
export const rootPlace = (revision: string) => join('roots', revision);

type Named = Pick<RootEntry, 'garden' | 'digest'>;

/**
 * Reads every byte of a root and of gardens, and returns the differences from the signed content. It compares digests
 * and verifies no signature; a reader of the bundle does that.
 *
 * @param known results of earlier checks, by place; this call adds its own
 */
export function damageIn(
  folder: string,
  revision: string,
  gardens: readonly Named[],
  known = new Map<string, Damage['reason'] | null>(),
): Damage[] {
  const look = (place: string, envelope: string, digest: string): Damage[] => {
    let reason = known.get(place);
    if (reason === undefined) known.set(place, (reason = damageAt(join(folder, place), envelope, digest)));
    return reason === null ? [] : [{ place, reason }];
  };
  return [
    ...look(rootPlace(revision), ROOT_ENVELOPE, revision.slice(revision.indexOf('-') + 1)),
    ...gardens.flatMap(({ garden, digest }) => look(gardenPlace(garden, digest), GARDEN_ENVELOPE, digest)),
  ];
}

/** The gardens that a root names; null where its envelope is damaged. @throws output_failed */
export function gardensNamed(folder: string, revision: string): Named[] | null {
  try {
    const envelope = readCapped(join(folder, rootPlace(revision), ROOT_ENVELOPE), MAX_ENVELOPE_BYTES);
    const { statement, beside } = sortKinds(ReadRootStatement.parse(payloadOf(envelope)));
    return [...statement.predicate.gardens, ...beside];
  } catch (error) {
    assertNotExhausted(error);
    return null;
  }
}

/** The damage of files in a folder whose envelope has this digest; null if they are intact. @throws output_failed */
export function damageAt(place: string, envelopeName: string, digest: string): Damage['reason'] | null {
  try {
    if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return 'absent';
    const files = readTree(place, MAX_FILE_BYTES);
    const envelope = files.get(envelopeName);
    if (!envelope) return 'file_missing';
    if (sha256(envelope) !== digest) return 'digest_mismatch';
    files.delete(envelopeName);
    const { subject } = (envelopeName === ROOT_ENVELOPE ? ReadRootStatement : AnyGarden).parse(payloadOf(envelope));
    assertListed(subject, files, place);
    return null;
  } catch (error) {
    assertNotExhausted(error);
    const reason = error instanceof VadeError ? error.details['reason'] : undefined;
    return (reason as Refusal | undefined) ?? 'file_unreadable';
  }
}

/** A garden of any kind that this version writes. */
const AnyGarden = z.union([GardenStatement, CapabilityStatement]);

function payloadOf(envelope: Buffer): unknown {
  return JSON.parse(peekPayload(envelope, IN_TOTO_TYPE).toString('utf8'));
}
