import { DOCUMENT_VIEWS } from '../records/document-views.ts';
import { GENERATED_HEARTBEAT } from '../records/names.ts';

/** The views of §21.7; see sqlite/schema.ts. */
export const VIEWS = `
CREATE VIEW instruction_audit AS
SELECT 'audevent_' || substr(r.audit_token, 6, 26) AS id, audit_name(r.agent_id) AS agent_id,
  COALESCE(audit_field(r.body, 'heartbeat_id'), ${GENERATED_HEARTBEAT}) AS heartbeat_id,
  COALESCE(audit_field(r.body, 'session_start')::bigint, r.created_at) AS session_start, COALESCE(i.text, '') AS intent,
  (SELECT COALESCE(json_agg(json_build_object('name', x.it ->> 0, 'rank', x.place,
    'source', COALESCE(x.it ->> 2, 'stigmem'), 'version', x.it ->> 1) ORDER BY x.place)::text, '[]')
    FROM json_array_elements(audit_json(r.body) -> 'loaded_chunks') WITH ORDINALITY x(it, place)) AS loaded_chunks,
  COALESCE(audit_field(c.body, 'used_chunks'), '[]') AS used_chunks,
  COALESCE(audit_field(c.body, 'missed_chunks'), '[]') AS missed_chunks,
  r.audit_token, c.created_at AS audit_closed, r.created_at,
  COALESCE(audit_field(r.body, 'kind'), 'recall') AS kind,
  COALESCE(audit_field(r.body, 'aborted')::boolean, false) AS aborted,
  COALESCE(audit_field(r.body, 'warnings'), '[]') AS warnings,
  (SELECT COALESCE(json_agg(json_build_object('name', y.name, 'outcome', x.run ->> 0) ORDER BY x.place, y.place)::text, '[]')
    FROM json_array_elements(audit_json(r.body) -> 'left_out') WITH ORDINALITY x(run, place),
    json_array_elements_text(x.run) WITH ORDINALITY y(name, place) WHERE y.place > 1) AS left_out,
  audit_field(r.body, 'follows') AS follows, COALESCE(audit_field(r.body, 'candidates'), '[]') AS candidates,
  COALESCE(audit_field(c.body, 'nothing_fits')::boolean, false) AS nothing_fits,
  COALESCE(i.files, '[]') AS files
FROM entries r
LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token AND c.month = r.month
LEFT JOIN intents i ON i.seq = r.seq AND i.month = r.month
WHERE r.type = 'recall';

${DOCUMENT_VIEWS}`;
