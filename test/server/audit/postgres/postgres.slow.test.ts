import { beforeAll } from 'vitest';
import { startCluster, type Cluster } from '../../../support/postgres.ts';
import { describePostgres } from '../../../support/postgresprograms.ts';
import { chainContract } from '../chain-contract.ts';
import { storeContract } from '../contract.ts';
import { postgresPlace } from '../postgres-place.ts';

describePostgres('PostgreSQL keeps the contract of every store', () => {
  let cluster: Cluster;
  const fresh = async () => postgresPlace(cluster, await cluster.database());

  beforeAll(async () => {
    cluster = await startCluster();
  });

  storeContract('PostgreSQL', fresh);
  chainContract('PostgreSQL', fresh);
});
