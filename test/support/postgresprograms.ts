import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

const programs = findPrograms();
const missing = 'PostgreSQL is not installed: run bash test/support/postgres.sh';

/** The folder of `initdb` and `postgres`. @throws Error where there is none */
export function postgresPrograms(): string {
  if (programs === null) throw new Error(missing);
  return programs;
}

/**
 * `describe` for tests that need a real PostgreSQL. Without one they are skipped, and say so; under `CI` they fail.
 */
export const describePostgres: typeof describe.skip =
  programs === null && !process.env['CI'] ? loudlySkipped() : describe;

function loudlySkipped(): typeof describe.skip {
  process.stderr.write(`\nSKIPPED, nothing about PostgreSQL is tested here: ${missing}\n`);
  return describe.skip;
}

/** Where `initdb` and `postgres` are: Debian keeps them off the path, one folder a major version. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = isThere(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((it) => join(debian, it, 'bin')).concat((process.env['PATH'] ?? '').split(delimiter));
  return folders.find((it) => ['initdb', 'postgres'].every((name) => isThere(join(it, name)))) ?? null;
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
