import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isThere } from './is-there.ts';
import { describeWhere } from './loudly.ts';

const programs = findPrograms();
const missing = 'PostgreSQL is not installed: run bash test/support/postgres.sh';

/** The folder of `initdb` and `postgres`. @throws Error where there is none */
export function postgresPrograms(): string {
  if (programs === null) throw new Error(missing);
  return programs;
}

export const hasPostgres = (): boolean => programs !== null;

/** `describe` for tests that need a real PostgreSQL. */
export const describePostgres = describeWhere(programs !== null, 'PostgreSQL', missing);

/** Where `initdb` and `postgres` are: Debian keeps them off the path, one folder a major version. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = isThere(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((it) => join(debian, it, 'bin')).concat((process.env['PATH'] ?? '').split(delimiter));
  return folders.find((it) => ['initdb', 'postgres'].every((name) => isThere(join(it, name)))) ?? null;
}
