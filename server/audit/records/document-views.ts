import { STUB_VERSION } from '../../../compiler/schema/bundle/stub-version.ts';

/** The documents of agents, as §21.7 documents them: SQLite and PostgreSQL read the same text. */
export const DOCUMENT_VIEWS = `CREATE VIEW instruction_manifests AS
SELECT agent_id || '/' || version AS id, agent_id, version, name AS fact_uri, token_count, body, created_at,
  (SELECT at FROM activations later WHERE later.agent_id = d.agent_id AND later.seq >
    (SELECT MAX(seq) FROM activations own WHERE own.agent_id = d.agent_id AND own.version = d.version)
   ORDER BY later.seq LIMIT 1) AS superseded_at
FROM documents d WHERE kind = 'manifest';

CREATE VIEW boot_stubs AS
SELECT agent_id, name AS adapter_profile, ${STUB_VERSION} AS stub_version, body, token_count,
  created_at AS generated_at, version AS manifest_version
FROM documents d
WHERE kind = 'stub' AND version = (SELECT version FROM activations WHERE agent_id = d.agent_id ORDER BY seq DESC LIMIT 1);
`;
