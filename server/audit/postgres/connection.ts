import { Client, Pool, TypeOverrides, types, type ClientConfig, type PoolClient } from 'pg';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { Unreachable } from '../records/reopening.ts';
import { connectionUrl, shownUrl } from './url.ts';

/** Whatever takes longer has failed: what was to be written goes to the spool, and is given again. */
const CONNECT_MS = 2000;
const STATEMENT_MS = 2000;
/** The server keeps the limits above; a server that is silent meets this one. */
const SILENT_MS = STATEMENT_MS + 500;
/** One transaction writes; the others read. */
const CONNECTIONS = 4;
/** Times that a transaction is begun which another instance's crossed. */
const TRIES = 4;

/** `unique_violation`, `serialization_failure` and `deadlock_detected`: another instance was faster. */
const CROSSED = new Set(['23505', '40001', '40P01']);

/** Numbers come as numbers: all that is kept lies within 2⁵³. */
const TYPES = new TypeOverrides();
TYPES.setTypeParser(types.builtins.INT8, Number);

/** What a statement is given to: a connection, or a pool of them. */
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

/** Connections for a server; a connection that breaks is replaced by the next that is asked for. */
export function openPool(url: string): Pool {
  const pool = new Pool({
    ...configOf(url),
    max: CONNECTIONS,
    // after a lull the next row would wait for a new connection longer than the journal does
    min: 1,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: SILENT_MS,
  });
  // a connection broke that was idle, or between two statements: the next statement is told, where it matters
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Adding up takes longer than what writes may; the database itself ends it, should nobody tell it to. */
const SUMMING_MS = 10_000;
const SUMMING_CONNECTIONS = 2;

/** Connections for what takes long: what writes never waits for one of them. */
export function openSummingPool(url: string): Pool {
  const pool = new Pool({
    ...configOf(url),
    max: SUMMING_CONNECTIONS,
    statement_timeout: SUMMING_MS,
    query_timeout: SUMMING_MS + 500,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** One connection for an operator's command, which may take its time. */
export async function connect(url: string): Promise<Client> {
  const client = new Client(configOf(url));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs `work` in one transaction, again where another's crossed it. */
export async function transaction<T>(
  pool: Pool,
  work: (connection: Connection) => Promise<T>,
  tries = TRIES,
): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await committed(client, work);
    client.release();
    return result;
  } catch (error) {
    // whatever state it is in: with the connection gone, the server rolls back
    client.release(true);
    const crossed = CROSSED.has((error as { readonly code?: string }).code ?? '');
    if (!crossed || tries === 1) throw error;
  }
  return transaction(pool, work, tries - 1);
}

/** Runs `work` between BEGIN and COMMIT; each statement sees what was committed before it. */
export async function committed<T>(client: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  const result = await work(client);
  await client.query('COMMIT');
  return result;
}

/**
 * A failure in words alone. What the driver throws carries more: rows that were refused, with intents in them.
 */
export function inWordsAlone(thrown: unknown): Error {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  // several addresses were tried in vain: such an error has no message
  const words = messageOf(thrown) || 'it cannot be reached';
  return new Error(typeof code === 'string' ? `${words} (${code})` : words);
}

/** SQLSTATE classes of a server without connections to give, or that is being stopped or started. */
const LATER = /^(?:08|53|57P)/;

/** Node's own words for a network that does not answer; the driver has no code for what took too long. */
function isUnreachable(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.every(isUnreachable);
  const { code, syscall } = thrown as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code === 'string') return syscall !== undefined || LATER.test(code);
  return /timeout|terminated/.test(messageOf(thrown));
}

/** SQLSTATE class of a name or password that the server does not take. */
const REFUSED = /^28/;

/** The driver's and the kernel's words for an answer that did not come in time. */
function isLate(thrown: unknown): boolean {
  return (thrown as { readonly code?: unknown }).code === 'ETIMEDOUT' || /timeout/i.test(messageOf(thrown));
}

/** What `open` makes. @throws argument_invalid, and what `failureOf` tells */
export async function opened<T>(url: string, open: () => Promise<T>): Promise<T> {
  shownUrl(url);
  try {
    return await open();
  } catch (error) {
    throw failureOf(url, 'opened', error);
  }
}

/**
 * Why the audit cannot be opened or read, by a code that says whether to try again: credentials_refused, timed_out,
 * audit_unavailable (the last two `Unreachable`), else output_failed.
 */
export function failureOf(url: string, what: 'opened' | 'read', thrown: unknown): VadeError {
  const message = `the audit ${shownUrl(url)} cannot be ${what}: ${inWordsAlone(thrown).message}`;
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string' && REFUSED.test(code)) return new VadeError('credentials_refused', message);
  if (!isUnreachable(thrown)) return new VadeError('output_failed', message);
  return new Unreachable(isLate(thrown) ? 'timed_out' : 'audit_unavailable', message);
}
