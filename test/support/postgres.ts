import { afterFile } from './after-file.ts';
import {
  databasesAt,
  startOwnCluster,
  type ClusterOptions,
  type Databases,
  type OwnCluster,
  type Place,
} from './postgres-cluster.ts';

/** A PostgreSQL of one test file's own; it ends with the file. */
export type Cluster = OwnCluster;

/** Makes a cluster for a test file that stops it, or wants it otherwise than others; the rest share one. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await startOwnCluster(options);
  afterFile(() => cluster.end());
  return cluster;
}

/** The PostgreSQL of the whole run, which nobody stops: each file makes databases of its own in it, and drops them. */
export async function sharedCluster(): Promise<Databases> {
  const place = process.env['VADE_TEST_POSTGRES'];
  if (place === undefined) return startCluster();
  const shared = databasesAt(JSON.parse(place) as Place);
  const urls: string[] = [];
  afterFile(() => shared.drop(urls));
  const database = async () => {
    const url = await shared.database();
    urls.push(url);
    return url;
  };
  return { ...shared, database };
}
