/** The folder of private keys, the development root, models and downloaded bundles: never in git. */
export const PRIVATE_FOLDER = '.vade';

/** Further files that a commit beside a handbook must not have, by their default names. */
export const PRIVATE_FILES: readonly string[] = ['keys.json', 'audit.db', 'audit.db-wal', 'audit.db-shm'];
