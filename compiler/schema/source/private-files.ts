/** The folder of private keys, the development root, models and downloaded bundles: never in git. */
export const PRIVATE_FOLDER = '.vade';

/** What else a commit beside a handbook must not have, by its default name. */
export const PRIVATE_FILES: readonly string[] = ['keys.json', 'audit.db', 'audit.db-wal', 'audit.db-shm'];
