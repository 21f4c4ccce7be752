import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import type { Previous } from '../gardens/previous-bundle.ts';
import { capabilityEnvelope } from '../io/bundle/load-capabilities.ts';
import { CURRENT, openBundle, type OpenBundle, type ProvenEnvelope } from '../io/bundle/open-bundle.ts';
import { withdrawalsOf } from '../io/bundle/sidecar-files.ts';
import { Coverage } from '../schema/bundle/coverage.ts';
import { Manifest } from '../schema/bundle/manifest.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { ProbeReport } from '../schema/source/probe.ts';
import type { SignedRoot } from '../trust/root-chain.ts';

/**
 * Opens the previous bundle of an incremental compile. Its root is verified now, each garden when it is first read.
 *
 * @param onDamage called once for each garden that fails verification; such a garden is compiled again
 * @throws bundle_not_found, bundle_unverified
 */
export function openPrevious(
  folder: string,
  pinned: SignedRoot,
  now: Date,
  onDamage: (garden: string, error: unknown) => void = () => undefined,
): Previous {
  const bundle = openBundle(folder, { pinned, now: now.toISOString() });
  const damaged = new Set<string>();
  const readSound = <T>(garden: string, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!damaged.has(garden)) onDamage(garden, error);
      damaged.add(garden);
      return null;
    }
  };
  const read = <T>(garden: string, path: string, schema: ZodType<T>): T | null => {
    const proven = bundle.envelope(garden);
    if (!proven?.statement.subject.some((it) => it.name === path)) return null;
    return schema.parse(JSON.parse(bundle.readFile(proven, path).toString('utf8')));
  };
  return {
    root: bundle.root,
    signed_by: bundle.signed_by,
    withdrawn: () => orNull(() => withdrawalsOf(bundle).keys) ?? new Set(),
    statement: (garden) => envelopeOf(bundle, garden)?.statement ?? null,
    capabilities: () => capabilityEnvelope(bundle)?.statement ?? null,
    isWhole: (garden) => readSound(garden, () => bundle.readGarden(garden)) !== null,
    manifest: (garden) => readSound(garden, () => read(garden, 'manifest.json', Manifest)),
    coverage: (garden) => readSound(garden, () => read(garden, 'coverage.json', Coverage)),
    probes: (garden) => readSound(garden, () => read(garden, 'probes.json', ProbeReport)),
  };
}

/**
 * Opens the bundle that a compile is about to replace, to compare the facts. What cannot be compared is reported, and
 * does not stop the compile: it may be what repairs the folder.
 *
 * @param onSkipped called with the reason for each part that is not compared
 * @returns null if nothing is compared
 */
export function openPublished(
  folder: string,
  pinned: SignedRoot,
  now: Date,
  onSkipped: (reason: string) => void,
): Previous | null {
  if (!existsSync(join(folder, CURRENT)) && !existsSync(join(folder, 'roots'))) return null;
  const skipping = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      onSkipped(messageOf(error));
      return null;
    }
  };
  const opened = skipping(() => openPrevious(folder, pinned, now));
  if (opened === null) return null;
  const { deployment } = opened.root.predicate;
  if (deployment !== pinned.root.deployment) {
    onSkipped(`it is a bundle of deployment ${deployment}`);
    return null;
  }
  return {
    ...opened,
    statement: (garden) => skipping(() => opened.statement(garden)),
    capabilities: () => skipping(opened.capabilities),
  };
}

/** An unreadable previous version cannot be compared with the new one, so the compile fails and skips no check. */
function envelopeOf(bundle: OpenBundle, garden: string): ProvenEnvelope | null {
  try {
    return bundle.envelope(garden);
  } catch (error) {
    const { commit } = bundle.root.predicate;
    const message = `garden ${garden} of the previous bundle is damaged, and it has changed since: ${messageOf(error)}`;
    const suggestion = `compile commit ${commit} into that folder first, with --ref ${commit} and without --previous: that repairs it`;
    const details = error instanceof VadeError ? error.details : {};
    throw new VadeError('bundle_unverified', message, { ...details, garden, suggestion });
  }
}
