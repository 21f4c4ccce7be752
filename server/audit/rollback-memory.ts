import { existsSync } from 'node:fs';
import { z } from 'zod';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { Digest } from '../../compiler/schema/primitives.ts';

/** The newest bundle served with this state, per deployment. */
export const RollbackMemoryFile = z.strictObject({
  format: z.literal(1),
  deployments: z.record(
    z.string(),
    z.strictObject({
      serial: z.int().positive(),
      revision: z.string(),
      digest: Digest,
      /** The newest trust root that a served bundle had; earlier versions of the server did not record it. */
      trust_version: z.int().positive().optional(),
    }),
  ),
});

const NONE: z.infer<typeof RollbackMemoryFile> = { format: 1, deployments: {} };

const MAX_SEEN_BYTES = 1024 * 1024;

/** Path of the file, next to the audit. */
export const rollbackMemoryPath = (state: string) => `${state}.seen.json`;

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
    const known = Object.values(readRollbackMemory(path).deployments).map((it) => it.serial);
    return Math.max(0, ...known) < serial ? 'older' : 'kept';
  } catch {
    return 'damaged';
  }
}

export function readRollbackMemory(path: string): z.infer<typeof RollbackMemoryFile> {
  try {
    const bytes = readIfThere(path, MAX_SEEN_BYTES);
    return bytes === null ? NONE : RollbackMemoryFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new VadeError('output_failed', `${path} cannot be read; it records the newest served bundle`);
  }
}
