/**
 * The small deployment that every example is about: what `vade init` writes, with a preload and one closed recall.
 * Signatures and tokens are placeholders.
 */
export const AGENT = 'assistant';
export const AGENT_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
/** Another agent, and what both of them see. */
export const PEER_ID = '1b7f2a64-0c1d-4b7e-9d53-6c1f1b7a2e02';
export const HANDOFF_ID = 'handoff_01KAS3Q0000000000000000000';
export const SHARED_ID = 'shared_01KAS3Q0000000000000000001';
export const RECONCILIATION_ID = 'reconciliation_01KAS3Q0000000000000000002';
export const COMMIT = '9b4d9aa41e20afcf07c5ae82c7a607317f185f49';
export const COMMITTED_AT = '2026-11-20T09:00:00Z';
export const REVISION = '1-4bf96fe67a157a95543fb1efba85beab36a1c81c412e295da8a40633d9c88ada';

/** A recall, and when it was asked and closed. */
export const RECALLED_AT = '2026-11-23T11:41:33.960Z';
export const CLOSED_AT = '2026-11-23T11:41:34.045Z';
export const AUDIT_TOKEN = 'audi_00000000000000000000000000_example';

/** The window of the last seven days. */
export const SINCE = '2026-11-16T11:41:34.232Z';
export const UNTIL = '2026-11-23T11:41:34.232Z';

/** The two units that examples name. */
export const WRAP_UP = {
  name: 'wrap-up',
  uri: 'instruction:acme/agent/assistant/wrap-up/v1',
  content: '# Wrap-up\n\n1. Say in one comment what is done, what is open and what blocks it.\n',
  description: 'How to leave work so that the next heartbeat can go on',
  digest: 'dc5133bb3004e1df8fd78d7919da70204e9e9ae311a7cff5984a05cc41032b51',
  tokens: 36,
};
export const LIMITS = {
  name: 'limits',
  uri: 'instruction:acme/agent/assistant/limits/v1',
  content: '# Limits\n\n- Never delete data without a person’s recorded approval.\n',
  tokens: 40,
};

/** The boot stub; in full it has the schema of the tool. */
export const STUB =
  `---\nagent_id: "${AGENT_ID}"\nagent_role: "Assistant"\nstub_version: 1\n---\n\n# Agent Boot Stub\n\n` +
  'Call `recall_instruction(intent)` to load relevant instruction sections before any non-trivial task.\n';
