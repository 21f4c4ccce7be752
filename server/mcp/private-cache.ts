import type { CacheHint } from '@modelcontextprotocol/server';

/** Every answer is of one agent; a new bundle is in force within seconds, so nobody keeps one longer than a minute. */
export const PRIVATE: CacheHint = { cacheScope: 'private', ttlMs: 60_000 };
