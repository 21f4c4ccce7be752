import type { RecordFormat } from './record-file.ts';

/**
 * A copy of git's data, for reads that take no git: the files of the tip, and the requests of the last month that had
 * an idempotency key. All of it can be made again from the repository, so no write waits here for the disk.
 */
export const STATE: RecordFormat = {
  name: 'copy of a store',
  remedy: 'delete it, and the server makes it again from git',
  // "VCop"
  application: 0x56436f70,
  tables: `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE files (
  path TEXT PRIMARY KEY,
  place TEXT NOT NULL,
  home TEXT NOT NULL,
  id TEXT NOT NULL,
  blob TEXT NOT NULL,
  summary TEXT NOT NULL,
  -- last, so that a list need not read past it
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX files_home ON files (home);
CREATE INDEX files_place ON files (place, path);
CREATE TABLE requests (
  key TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  path TEXT NOT NULL,
  answer TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_at ON requests (at);
`,
};
