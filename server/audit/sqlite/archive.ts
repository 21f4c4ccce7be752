import type { Database as Connection } from 'better-sqlite3';
import type { Release } from '../records/log.ts';

/** Archives served documents in an audit file, and which version is in force, in one transaction (§21.7). */
export function archiver(db: Connection): (release: Release) => void {
  const insertDocument = db.prepare(
    `INSERT INTO documents SELECT @kind, @agent_id, @version, @name, @token_count, @body, @created_at WHERE NOT EXISTS
     (SELECT 1 FROM documents WHERE kind = @kind AND agent_id = @agent_id AND version = @version AND name = @name)`,
  );
  const activate = db.prepare(
    `INSERT INTO activations (agent_id, version, at) SELECT @agent_id, @version, @at WHERE @version IS NOT
     (SELECT version FROM activations WHERE agent_id = @agent_id ORDER BY seq DESC LIMIT 1)`,
  );
  const deactivateOthers = db.prepare(
    `INSERT INTO activations (agent_id, version, at) SELECT agent_id, NULL, @at FROM activations a
     WHERE seq = (SELECT MAX(seq) FROM activations WHERE agent_id = a.agent_id) AND version IS NOT NULL
     AND agent_id NOT IN (SELECT value FROM json_each(@agents)) ORDER BY agent_id`,
  );
  const archive = db.transaction(({ documents, inForce, agents, at }: Release) => {
    for (const document of documents) insertDocument.run(document);
    for (const it of inForce) activate.run({ ...it, at });
    if (agents !== null) deactivateOthers.run({ agents: JSON.stringify(agents), at });
  });
  return (release) => {
    archive.immediate(release);
  };
}
