import { startOwnCluster } from './postgres-cluster.ts';
import { hasPostgres } from './postgres-programs.ts';
import { quickFolder } from './quick-folder.ts';

/** Starts the PostgreSQL that the files of a run share; nothing where none is installed, which their tests say. */
export default async function start(): Promise<(() => Promise<void>) | undefined> {
  const run = globalThis as { vadeTestPostgres?: boolean };
  // every group of slow files asks for it
  if (run.vadeTestPostgres || !hasPostgres()) return undefined;
  run.vadeTestPostgres = true;
  // files of hundreds of databases: a disk takes as long to remove them as the tests take
  const cluster = await startOwnCluster({ within: quickFolder() });
  // makes the role that owns databases, before two files would at once
  await cluster.database();
  process.env['VADE_TEST_POSTGRES'] = JSON.stringify(cluster.place);
  return cluster.end;
}
