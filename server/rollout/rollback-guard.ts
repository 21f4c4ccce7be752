import type { z } from 'zod';
import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { replaceFile } from '../../compiler/io/files/durable.ts';
import { assertNotOlder } from '../../compiler/trust/rollback.ts';
import { type RollbackMemoryFile, readRollbackMemory } from '../audit/rollback-memory.ts';

/**
 * Refuses a bundle older than the newest one served, across restarts (DESIGN §7, §8). Development bundles are exempt:
 * they are recompiled from the same commit all day.
 *
 * @param path of the state file, in the folder of the audit
 * @param allowed revisions that an administrator authorised a rollback to
 * @throws bundle_unverified: trust_lower, serial_lower, serial_forked; output_failed
 */
export function assertNewest(path: string, { root, revision, trust }: OpenBundle, allowed: ReadonlySet<string>): void {
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const before = newestOf(readRollbackMemory(path), deployment);
  if (!before) return;
  const known = { ...before, trust_version: before.trust_version ?? null };
  assertNotOlder(known, { serial, revision, trust_version: trust.version }, allowed);
}

/** Records a bundle as the newest served one; without the record it is not served. @throws output_failed */
export function rememberServed(path: string, { root, revision, trust }: OpenBundle): void {
  if (trust.development) return;
  const { deployment, serial } = root.predicate;
  const file = readRollbackMemory(path);
  const before = newestOf(file, deployment);
  // also after a return to a bundle with an older trust root
  const trust_version = Math.max(before?.trust_version ?? 0, trust.version);
  if (before?.revision === revision && before.trust_version === trust_version) return;
  const digest = revision.slice(revision.indexOf('-') + 1);
  const newest = { serial, revision, digest, trust_version };
  const content = { format: 1, deployments: { ...file.deployments, [deployment]: newest } };
  replaceFile(path, `${JSON.stringify(content)}\n`);
}

function newestOf({ deployments }: z.infer<typeof RollbackMemoryFile>, deployment: string) {
  return Object.hasOwn(deployments, deployment) ? deployments[deployment] : undefined;
}
