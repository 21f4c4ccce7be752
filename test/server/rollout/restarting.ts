import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import type { Rollback } from '../../../compiler/schema/bundle/rollback.ts';
import type { Signer } from '../../../compiler/trust/dsse.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import type { TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { running } from '../running.ts';
import { revisionOf } from '../successive.ts';

const DAY_MS = 86_400_000;

/** Starts a server with the state beside an audit and ends it again. @returns why it did not start */
export async function servedWith(audit: string, bundle: string, trust: TestTrust): Promise<string> {
  try {
    await (await running({ bundle, trust, audit })).close();
    return 'served';
  } catch (error) {
    const { code, details } = error as { code: string; details: { reason?: string } };
    return details.reason ?? code;
  }
}

/** A copy of a bundle with a signed permission to roll back to it. */
export function withPermission(bundle: string, by: readonly Signer[], over: Partial<Rollback> = {}): string {
  const folder = tempFolder();
  cpSync(bundle, folder, { recursive: true });
  const expires = new Date(Date.now() + DAY_MS).toISOString();
  const rollback = { deployment: 'acme', revision: revisionOf(bundle), reason: 'the new one is bad', expires, ...over };
  writeFileSync(join(folder, ROLLBACK), signRollback(rollback, by));
  return folder;
}
