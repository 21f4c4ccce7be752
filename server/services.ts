import type { Logger } from 'pino';
import type { ArrivalsPlace } from '../compiler/io/files/arrivals-spool.ts';
import { isSqliteMissing, SQLITE_STEP, sqliteUnavailable } from '../compiler/io/files/sqlite.ts';
import type { AuditOptions } from './audit/open.ts';
import type { AuditHealth } from './audit/records/log.ts';
import { auditTokens } from './auth/audit-token.ts';
import { openCapsules } from './capsules.ts';
import type { ContinuityOptions } from './continuity/continuity.ts';
import { newUlid } from './ids.ts';
import type { Services } from './operations/call.ts';

/** An audit, and the key of its tokens. */
export interface KeyedAudit extends AuditOptions {
  /** `VADE_AUDIT_KEY`; without it a key file next to the audit is used. */
  readonly auditKey: string | undefined;
  /** Where hooks of the project write what they gave; without it none is taken into the audit. */
  readonly arrivals?: ArrivalsPlace;
  /** For development: where SQLite could not be compiled, rows are discarded, and the log says so. */
  readonly optional?: boolean;
}

export interface ServiceOptions {
  /** Null discards rows, and no token verifies. */
  readonly audit: KeyedAudit | null;
  /** The folder of the agents' capsules; without it they are not kept. */
  readonly continuity: ContinuityOptions | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Asked for only where something could log. */
  readonly log: () => Logger | Promise<Logger>;
}

/** The services that only a server over HTTP has. */
type ServerServices = Pick<Services, 'previousBundle' | 'publish'>;

/** An entry point without reports and publications. */
export const NO_SERVER: ServerServices = { previousBundle: () => null, publish: null };

/** Services without telemetry, which may read them, and so is made later. */
export type UncountedServices = Omit<Services, 'count'>;

export interface OpenServices {
  readonly services: UncountedServices;
  /** Stores pending data, then closes. */
  readonly end: () => Promise<void>;
}

/**
 * Opens what operations depend on, for every entry point: HTTP, MCP on two streams, and the command line.
 *
 * @throws argument_invalid, sqlite_unavailable, output_failed
 */
export async function openServices(options: ServiceOptions, own: ServerServices): Promise<OpenServices> {
  const { audit: place, continuity: folder, now, log } = options;
  if (folder !== undefined && isSqliteMissing()) throw sqliteUnavailable();
  const continuity = folder === undefined ? null : await openCapsules(folder, await log());
  const recording = place === null ? DISCARDED : await openRecording(place, await log());
  const services = { ...recording, ...own, continuity, now, newId: () => newUlid(now()) };
  const end = async () => {
    await continuity?.end();
    await recording.audit.end();
  };
  return { services, end };
}

/** No telemetry. */
export const UNCOUNTED: Services['count'] = {
  answered: () => undefined,
  aborted: () => undefined,
  closed: () => undefined,
  storeCall: () => undefined,
  warned: () => undefined,
};

type Recording = Pick<Services, 'audit' | 'tokens' | 'onAuditFailure'>;

/** Loaded only where rows are kept. */
async function openRecording(place: KeyedAudit, log: Logger): Promise<Recording> {
  // the spool of an audit in PostgreSQL is locked by SQLite too
  if (isSqliteMissing()) {
    if (place.optional !== true) throw sqliteUnavailable();
    log.warn({ next: SQLITE_STEP }, 'no audit is kept, and recalls cannot be closed: better-sqlite3 is not available');
    return DISCARDED;
  }
  const { auditFailures, openAudit, tokenKeys } = await import('./audit/open.ts');
  const tokens = auditTokens(tokenKeys(place));
  const audit = await openAudit(place, log);
  const recording = { tokens, audit, onAuditFailure: auditFailures(log) };
  if (place.arrivals === undefined) return recording;
  const { takingArrivals } = await import('./audit/take-arrivals.ts');
  return { ...recording, audit: takingArrivals(audit, place.arrivals, { log, now: place.now }) };
}

const UP: AuditHealth = { up: true, spooled: 0, spooled_bytes: 0, lag_ms: 0, lost: 0, reading: 0, stopped: 0 };

/** An audit that discards rows, and tokens that never verify. */
const DISCARDED: Recording = {
  tokens: { issue: () => '', issuedAt: () => null },
  onAuditFailure: () => undefined,
  audit: {
    append: () => Promise.resolve(),
    note: () => Promise.resolve(),
    take: () => Promise.resolve(),
    isClosed: () => Promise.resolve(false),
    close: () => Promise.resolve(),
    list: () => Promise.resolve([]),
    days: () => Promise.resolve([]),
    sums: () => Promise.resolve([]),
    arrivals: () => Promise.resolve([]),
    archive: () => Promise.resolve(),
    health: () => UP,
    end: () => Promise.resolve(),
  },
};
