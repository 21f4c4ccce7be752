import { startOwnCluster } from './postgres-cluster.ts';
import { hasPostgres } from './postgres-programs.ts';

/** Starts the PostgreSQL that the files of a run share; nothing where none is installed, which their tests say. */
export default async function start(): Promise<(() => Promise<void>) | undefined> {
  if (!hasPostgres()) return undefined;
  const cluster = await startOwnCluster();
  // makes the role that owns databases, before two files would at once
  await cluster.database();
  process.env['VADE_TEST_POSTGRES'] = JSON.stringify(cluster.place);
  return cluster.end;
}
