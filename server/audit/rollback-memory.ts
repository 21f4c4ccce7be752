import { existsSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../../compiler/io/files/durable.ts';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { MAX_ENVELOPE_BYTES } from '../../compiler/schema/bundle/bundle.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { Digest } from '../../compiler/schema/primitives.ts';
import { readRoot, type SignedRoot } from '../../compiler/trust/root-chain.ts';

/** The newest bundle served with this state, per deployment. */
const RollbackMemoryFile = z.strictObject({
  format: z.literal(1),
  deployments: z.record(
    z.string(),
    z.strictObject({
      serial: z.int().positive(),
      revision: z.string(),
      digest: Digest,
      /** The newest trust root that a served bundle had, base64. */
      trust_root: z.base64().min(1),
    }),
  ),
});

/** The newest bundle served of a deployment. */
export interface ServedBundle {
  readonly serial: number;
  readonly revision: string;
  readonly digest: string;
  /** The newest trust root that any served bundle had. */
  readonly trust: SignedRoot;
}

/** A trust root of the largest size fits in. */
const MAX_SEEN_BYTES = 2 * MAX_ENVELOPE_BYTES;

/** Path of the file, next to the audit. */
export const rollbackMemoryPath = (state: string) => `${state}.seen.json`;

/** Path of the record of the facts that were published, next to it. */
export const publishedFactsPath = (state: string) => `${state}.facts`;

/** State of the file, compared with an audit that has answers. */
export type RollbackMemory = 'kept' | 'older' | 'missing' | 'damaged';

/**
 * Checks that the file exists, and is not older than the newest bundle in the audit.
 *
 * @param serial the highest bundle serial of the audit's answers; 0 without answers
 */
export function rollbackMemory(path: string, serial: number): RollbackMemory {
  if (!existsSync(path)) return serial > 0 ? 'missing' : 'kept';
  try {
    const known = [...readRollbackMemory(path).values()].map((it) => it.serial);
    return Math.max(0, ...known) < serial ? 'older' : 'kept';
  } catch {
    return 'damaged';
  }
}

/** The newest served bundles by deployment, empty without a record. @throws output_failed if the record is damaged */
export function readRollbackMemory(path: string): ReadonlyMap<string, ServedBundle> {
  try {
    const bytes = readIfThere(path, MAX_SEEN_BYTES);
    if (bytes === null) return new Map();
    const { deployments } = RollbackMemoryFile.parse(JSON.parse(bytes.toString('utf8')));
    return new Map(Object.entries(deployments).map(([name, it]) => [name, readServed(name, it)]));
  } catch {
    const help = 'restore it, or move it elsewhere: the next bundle then counts as the newest';
    throw new VadeError('output_failed', `${path}, the record of the newest served bundle, cannot be read: ${help}`);
  }
}

type ServedEntry = z.infer<typeof RollbackMemoryFile>['deployments'][string];

/** A trust root that its own keys did not sign, or of another deployment, is damage. */
function readServed(deployment: string, { trust_root, ...position }: ServedEntry): ServedBundle {
  const trust = readRoot(Buffer.from(trust_root, 'base64'));
  if (trust.root.deployment !== deployment) throw new Error('the trust root is for another deployment');
  return { ...position, trust };
}

/** Replaces the record, durably. @throws output_failed */
export function writeRollbackMemory(path: string, served: ReadonlyMap<string, ServedBundle>): void {
  const deployments = Object.fromEntries([...served].map(([name, it]) => [name, entryOf(it)]));
  const text = `${JSON.stringify({ format: 1, deployments })}\n`;
  replaceFile(path, text, { links: 'follow', limit: MAX_SEEN_BYTES });
}

function entryOf({ trust, ...position }: ServedBundle): ServedEntry {
  return { ...position, trust_root: trust.envelope.toString('base64') };
}
