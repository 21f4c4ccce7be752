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

/** The PostgreSQL of the whole run, which nobody stops: each file makes databases of its own in it. */
export async function sharedCluster(): Promise<Databases> {
  const place = process.env['VADE_TEST_POSTGRES'];
  return place === undefined ? startCluster() : databasesAt(JSON.parse(place) as Place);
}
