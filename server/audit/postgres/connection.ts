import { Client, Pool, TypeOverrides, types, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { Unreachable } from '../records/reopening-store.ts';
import { connectionUrl, shownUrl } from './url.ts';

/** Time limits: after them a write has failed; its rows go to the spool, and are sent again. */
const CONNECT_MS = 2000;
const STATEMENT_MS = 2000;
/** The server enforces the limits above; this one is for a server that does not respond. */
const RESPONSE_MS = STATEMENT_MS + 500;
/** One connection writes; the others read. */
const CONNECTIONS = 4;
/** Attempts of a transaction that conflicts with another instance. */
const TRIES = 4;

/** `unique_violation`, `serialization_failure` and `deadlock_detected`: a conflict with another instance. */
const CONFLICTS = new Set(['23505', '40001', '40P01']);

/** bigint as number: all stored values are below 2⁵³. */
const TYPES = new TypeOverrides();
TYPES.setTypeParser(types.builtins.INT8, Number);

/** A connection or a pool. */
export type Connection = Pick<PoolClient, 'query'>;

function configOf(url: string): ClientConfig {
  return {
    connectionString: connectionUrl(url),
    application_name: 'vade',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: TYPES,
  };
}

/** Limits of the connections that write and read rows. */
const ROWS: PoolConfig = {
  max: CONNECTIONS,
  // after an idle period, opening a connection would take longer than the journal waits for a row
  min: 1,
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: STATEMENT_MS,
  query_timeout: RESPONSE_MS,
};

/** Aggregations may take longer than writes; the database ends them by itself at this limit. */
const SUMS_MS = 10_000;

/** Limits of the connections for aggregations, which are apart so that writes never wait for them. */
export const SUMS: PoolConfig = { max: 2, statement_timeout: SUMS_MS, query_timeout: SUMS_MS + 500 };

/** Clusters with old settings read a backslash in a string as an escape, which standard SQL does not. */
const PLAIN_STRINGS = 'SET standard_conforming_strings = on';

/** Connections for a server; a broken connection is replaced on the next use. */
export function openPool(url: string, limits = ROWS): Pool {
  const pool = new Pool({ ...configOf(url), ...limits });
  // an error of an idle connection is not reported here: the next statement fails instead
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // if it fails, so does the statement behind it
    client.query(PLAIN_STRINGS).catch(() => undefined);
  });
  return pool;
}

/** One connection for a command, without a time limit. */
export async function connect(url: string): Promise<Client> {
  const client = new Client(configOf(url));
  client.on('error', () => undefined);
  await client.connect();
  await client.query(PLAIN_STRINGS);
  return client;
}

/** Runs `work` in one transaction; retries it after a conflict with another one. */
export async function transaction<T>(
  pool: Pool,
  work: (connection: Connection) => Promise<T>,
  tries = TRIES,
): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await inTransaction(client, work);
    client.release();
    return result;
  } catch (error) {
    // closes the connection, so that the server rolls back in any state
    client.release(true);
    const isConflict = CONFLICTS.has((error as { readonly code?: string }).code ?? '');
    if (!isConflict || tries === 1) throw error;
  }
  return transaction(pool, work, tries - 1);
}

/** Runs `work` between BEGIN and COMMIT; each statement sees what was committed before it. */
export async function inTransaction<T>(client: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  const result = await work(client);
  await client.query('COMMIT');
  return result;
}

/**
 * An error with the message only. The error of the driver also contains the refused rows, with their intents.
 */
export function messageOnly(thrown: unknown): Error {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  // the error for several failed addresses has no message
  const message = messageOf(thrown) || 'it is unreachable';
  return new Error(typeof code === 'string' ? `${message} (${code})` : message);
}

/** SQLSTATE classes of a server without free connections, or one that is starting or stopping. */
const UNAVAILABLE = /^(?:08|53|57P)/;

/** Network errors of Node have a code and a system call; a timeout of the driver has no code. */
function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.every(isUnreachable);
  const { code, syscall } = thrown as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code === 'string') return syscall !== undefined || UNAVAILABLE.test(code);
  return /timeout|terminated/.test(messageOf(thrown));
}

/** SQLSTATE class of a refused user name or password. */
const CREDENTIALS = /^28/;

/** A timeout of the kernel or the driver. */
function isTimeout(thrown: unknown): boolean {
  return (thrown as { readonly code?: unknown }).code === 'ETIMEDOUT' || /timeout/i.test(messageOf(thrown));
}

/** Runs `open`. @throws argument_invalid, and the errors of `failureOf` */
export async function opened<T>(url: string, open: () => Promise<T>): Promise<T> {
  shownUrl(url);
  try {
    return await open();
  } catch (error) {
    throw failureOf(url, 'opened', error);
  }
}

/**
 * Maps an error of opening or reading the audit to a code that says whether a retry may help: credentials_refused,
 * timed_out, audit_unavailable (the last two `Unreachable`), else output_failed.
 */
export function failureOf(url: string, what: 'opened' | 'read', thrown: unknown): VadeError {
  const message = `the audit ${shownUrl(url)} cannot be ${what}: ${messageOnly(thrown).message}`;
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string' && CREDENTIALS.test(code)) return new VadeError('credentials_refused', message);
  if (!isUnreachable(thrown)) return new VadeError('output_failed', message);
  return new Unreachable(isTimeout(thrown) ? 'timed_out' : 'audit_unavailable', message);
}
