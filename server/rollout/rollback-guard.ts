import type { z } from 'zod';
import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { replaceFile } from '../../compiler/io/files/durable.ts';
import { assertNotOlder } from '../../compiler/trust/rollback.ts';
import { type RollbackMemoryFile, readRollbackMemory } from '../audit/rollback-memory.ts';

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
  const before = seenOf(readRollbackMemory(path), deployment);
  if (before) assertNotOlder(before, { serial, revision }, allowed);
}

/** Remembers a bundle as the newest that was served: what cannot be remembered is not served. @throws output_failed */
export function rememberServed(path: string, { root, revision, trust }: OpenBundle): void {
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const file = readRollbackMemory(path);
  if (seenOf(file, deployment)?.revision === revision) return;
  const digest = revision.slice(revision.indexOf('-') + 1);
  const seen = { format: 1, deployments: { ...file.deployments, [deployment]: { serial, revision, digest } } };
  replaceFile(path, `${JSON.stringify(seen)}\n`);
}

function seenOf({ deployments }: z.infer<typeof RollbackMemoryFile>, deployment: string) {
  return Object.hasOwn(deployments, deployment) ? deployments[deployment] : undefined;
}
