import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import { tempFolder } from '../../support/folder.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Answer, type RunOptions, type Running, type Who } from '../running.ts';

/** A server that keeps capsules, and the folder that it keeps them in. */
export interface Serving extends Running {
  readonly folder: string;
  readonly post: (who: Who | null, route: string, json: unknown) => Promise<Answer>;
}

/** @param folder of the capsules; default: a new one */
export async function serving(folder = tempFolder(), more: Partial<RunOptions> = {}): Promise<Serving> {
  const server = await running({
    ...(await compiledPeers()),
    ...more,
    follow: { continuity: { root: folder, archiveDays: 90 }, ...more.follow },
  });
  const post: Serving['post'] = (who, route, json) => server.ask(who, 'POST', `/v1/continuity/${route}`, { json });
  return { ...server, folder, post };
}

/** The codes that the store refuses with; `upsert-route.test.ts` brings each about over HTTP. */
export const STORE_CODES: readonly ErrorCode[] = [
  'continuity_disabled',
  'continuity_unavailable',
  'idempotency_conflict',
  'secret_refused',
];
