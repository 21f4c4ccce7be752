import { DOCUMENT_VIEWS } from '../records/document-views.ts';

/** The views of §21.7; see sqlite/schema.ts. */
export const VIEWS = `
CREATE VIEW instruction_audit AS
SELECT r.id, r.agent_id, audit_field(r.body, 'heartbeat_id') AS heartbeat_id,
  audit_field(r.body, 'session_start')::bigint AS session_start, COALESCE(i.text, '') AS intent,
  audit_field(r.body, 'loaded_chunks') AS loaded_chunks,
  COALESCE(audit_field(c.body, 'used_chunks'), '[]') AS used_chunks,
  COALESCE(audit_field(c.body, 'missed_chunks'), '[]') AS missed_chunks,
  r.audit_token, c.created_at AS audit_closed, r.created_at,
  audit_field(r.body, 'kind') AS kind, audit_field(r.body, 'aborted')::boolean AS aborted,
  audit_field(r.body, 'warnings') AS warnings, audit_field(r.body, 'left_out') AS left_out,
  audit_field(r.body, 'follows') AS follows, audit_field(r.body, 'candidates') AS candidates,
  COALESCE(audit_field(c.body, 'nothing_fits')::boolean, false) AS nothing_fits,
  COALESCE(i.files, '[]') AS files
FROM entries r
LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token AND c.month = r.month
LEFT JOIN intents i ON i.id = r.id AND i.month = r.month
WHERE r.type = 'recall';

${DOCUMENT_VIEWS}`;
