/** "must fit within 2048 UTF-8 bytes": the canonical JSON of the metadata, and that of the identity of a creation. */
export const SCHEDULE_JSON_BYTES = 2048;

/** Most characters of each text of an item. */
export const SCHEDULE_CHARACTERS = { title: 160, note: 1000, reason: 500, id: 200, idempotency_key: 200 } as const;

/** `limit` and `offset` of a list. */
export const SCHEDULE_ROWS = { most: 200, default: 50, mostOffset: 10_000 } as const;
