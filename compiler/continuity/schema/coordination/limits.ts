/** The limits of the coordination routes. Where the specification gives none, those of a capsule's texts are taken. */

/** Most entries of each list. */
export const COORDINATION_ITEMS = {
  participant_peers: 8,
  constraints: 8,
  drift_signals: 8,
  coordination_alerts: 8,
  claims: 4,
  evidence_refs: 4,
} as const;

/** Most characters of each text; of a list, those of one entry. */
export const COORDINATION_CHARACTERS = {
  peer: 200,
  task_id: 200,
  thread_id: 200,
  note: 240,
  title: 120,
  summary: 240,
  constraints: 160,
  drift_signals: 160,
  coordination_alerts: 160,
  artefact_id: 64,
  claim_summary: 240,
  evidence_refs: 160,
  resolution_summary: 240,
} as const;

/** Rows of a list, and how many may be skipped. */
export const COORDINATION_ROWS = { most: 100, default: 20, offset: 10_000 } as const;
