import { beforeAll } from 'vitest';
import type { Databases } from '../../../support/postgres-cluster.ts';
import { describePostgres } from '../../../support/postgres-programs.ts';
import { sharedCluster } from '../../../support/postgres.ts';
import { chainContract } from '../chain-contract.ts';
import { storeContract } from '../contract.ts';
import { postgresPlace } from '../postgres-place.ts';

describePostgres('PostgreSQL keeps the contract of every store', () => {
  let cluster: Databases;
  const fresh = async () => postgresPlace(cluster, await cluster.database());

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  storeContract('PostgreSQL', fresh);
  chainContract('PostgreSQL', fresh);
});
