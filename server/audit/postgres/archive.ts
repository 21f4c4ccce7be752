import type { ArchivedDocument, Release } from '../records/log.ts';
import type { Connection } from './connection.ts';

/** As sqlite/archive.ts, within a transaction; instances that activate at the same time wait for each other. */
export async function archive(connection: Connection, release: Release): Promise<void> {
  const { documents, inForce, agents, at } = release;
  await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('vade-audit activations', 0))");
  await keepDocuments(connection, documents);
  await connection.query(ACTIVATE, [inForce.map((it) => it.agent_id), inForce.map((it) => it.version), at]);
  if (agents !== null) await connection.query(DEACTIVATE_OTHERS, [agents, at]);
}

const ACTIVATE = `INSERT INTO activations (agent_id, version, at)
  SELECT g.agent_id, g.version, $3::bigint FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS g(agent_id, version, place)
  WHERE g.version IS DISTINCT FROM
    (SELECT a.version FROM activations a WHERE a.agent_id = g.agent_id ORDER BY seq DESC LIMIT 1) ORDER BY g.place`;

const DEACTIVATE_OTHERS = `INSERT INTO activations (agent_id, version, at) SELECT agent_id, NULL, $2::bigint FROM activations a
  WHERE seq = (SELECT MAX(seq) FROM activations WHERE agent_id = a.agent_id) AND version IS NOT NULL
  AND agent_id <> ALL ($1::text[]) ORDER BY agent_id`;

async function keepDocuments(connection: Connection, documents: readonly ArchivedDocument[]): Promise<void> {
  const column = <K extends keyof ArchivedDocument>(key: K) => documents.map((it) => it[key]);
  await connection.query(
    `INSERT INTO documents (kind, agent_id, version, name, token_count, body, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      column('kind'),
      column('agent_id'),
      column('version'),
      column('name'),
      column('token_count'),
      column('body'),
      column('created_at'),
    ],
  );
}
