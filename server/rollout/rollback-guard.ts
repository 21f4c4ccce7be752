import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { replaceFile } from '../../compiler/io/files/durable.ts';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { Digest } from '../../compiler/schema/bundle/fact.ts';
import { assertNotOlder } from '../../compiler/trust/rollback.ts';

/** The newest bundle of each deployment that was ever served from here. */
const SeenFile = z.strictObject({
  format: z.literal(1),
  deployments: z.record(
    z.string(),
    z.strictObject({ serial: z.int().positive(), revision: z.string(), digest: Digest }),
  ),
});

const NONE: z.infer<typeof SeenFile> = { format: 1, deployments: {} };
const MAX_SEEN_BYTES = 1024 * 1024;

/**
 * Refuses a bundle older than one that was served before, across restarts (DESIGN §7, §8). Development bundles are made
 * anew from one commit all day; they are not held to it.
 *
 * @param path of the file that remembers, beside the audit
 * @param allowed revisions that an administrator authorised a return to
 * @throws bundle_unverified: serial_lower, serial_forked; output_failed
 */
export function assertNewest(path: string, { root, revision, trust }: OpenBundle, allowed: ReadonlySet<string>): void {
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const before = seenOf(read(path), deployment);
  if (before) assertNotOlder(before, { serial, revision }, allowed);
}

/** Remembers a bundle as the newest that was served: what cannot be remembered is not served. @throws output_failed */
export function rememberSeen(path: string, { root, revision, trust }: OpenBundle): void {
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const file = read(path);
  if (seenOf(file, deployment)?.revision === revision) return;
  const digest = revision.slice(revision.indexOf('-') + 1);
  const seen = { format: 1, deployments: { ...file.deployments, [deployment]: { serial, revision, digest } } };
  replaceFile(path, `${JSON.stringify(seen)}\n`);
}

/** Where the memory lies, beside the audit. */
export const seenPath = (state: string) => `${state}.seen.json`;

/** What there is of the memory, beside an audit that answered from bundles. */
export type RollbackMemory = 'kept' | 'older' | 'missing' | 'damaged';

/**
 * Whether the memory is there that keeps an older bundle from being served, and is not older than what was answered from.
 *
 * @param serial the highest of a bundle that the audit's answers came from; 0 where there are none
 */
export function rollbackMemory(path: string, serial: number): RollbackMemory {
  if (!existsSync(path)) return serial > 0 ? 'missing' : 'kept';
  try {
    const known = Object.values(read(path).deployments).map((it) => it.serial);
    return Math.max(0, ...known) < serial ? 'older' : 'kept';
  } catch {
    return 'damaged';
  }
}

function seenOf({ deployments }: z.infer<typeof SeenFile>, deployment: string) {
  return Object.hasOwn(deployments, deployment) ? deployments[deployment] : undefined;
}

function read(path: string): z.infer<typeof SeenFile> {
  try {
    const bytes = readIfThere(path, MAX_SEEN_BYTES);
    return bytes === null ? NONE : SeenFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new VadeError('output_failed', `${path} cannot be read; it says which bundle was served last`);
  }
}
