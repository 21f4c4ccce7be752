import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import type { KeyHolder, KeyRecord } from '../../compiler/schema/source/key-file.ts';
import { newKey } from '../../compiler/trust/keys.ts';
import { writeKeyFile } from '../../compiler/world/key-file.ts';
import type { HttpOptions } from '../../server/http/http-options.ts';
import { startServer, type RunningServer, type ServerOptions } from '../../server/main.ts';
import { afterTest } from '../support/after-file.ts';
import { JANE, type TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { assertContract } from './contract.ts';
import { CTO_ID, type CompiledPeers } from './deployment.ts';

const agent = (name: string) => ({ kind: 'agent', agent: name }) as const;

/** Who can ask a test server; every one has a key. */
const holdersOf = ({ trust }: Pick<RunOptions, 'trust'>) =>
  ({
    cto: agent('cto'),
    ctoById: agent(CTO_ID),
    cto2: agent('cto2'),
    ct: agent('ct'),
    ghost: agent('ghost'),
    revoked: agent('cto'),
    // an administrator of the trust root, if it names one
    admin: { kind: 'admin', entity: trust.root.root.admins[0] ?? JANE } as const,
    scraper: { kind: 'reader', reads: 'metrics' } as const,
  }) satisfies Record<string, KeyHolder>;

export type Who = keyof ReturnType<typeof holdersOf>;

export interface AskOptions {
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** All except those that differ in every answer: `Date`, `X-Request-Id`, `RateLimit`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
  /** The error's code; undefined for a success. */
  readonly code: string | undefined;
}

/** The status of an answer, and the code of its error. */
export const statusAndCode = ({ status, code }: Pick<Answer, 'status' | 'code'>) => [status, code];

export interface Running {
  readonly url: string;
  readonly revision: string;
  readonly bundle: string;
  readonly audit: string;
  readonly keyFile: string;
  readonly keys: Readonly<Record<Who, string>>;
  readonly records: Readonly<Record<Who, KeyRecord>>;
  /** The parsed log lines of the server. */
  readonly log: readonly Record<string, unknown>[];
  readonly ask: (who: Who | null, method: string, path: string, asked?: AskOptions) => Promise<Answer>;
  readonly recall: (who: Who, agentId: string, json: unknown, more?: Omit<AskOptions, 'json'>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

export interface RunOptions extends Pick<CompiledPeers, 'bundle'> {
  readonly trust: Pick<TestTrust, 'root'>;
  /** HTTP options; by default the rate limit is too high for a test to reach. */
  readonly http?: HttpOptions;
  readonly audit?: string;
  readonly auditKey?: string;
  /** Records of further keys. */
  readonly moreKeys?: readonly KeyRecord[];
  /** Capacity of the spool, in bytes. */
  readonly spoolBytes?: number;
  readonly now?: () => number;
  readonly failStale?: boolean;
  /** Options of the rollout and the shutdown, and who publishes or prints briefs. */
  readonly follow?: Partial<
    Pick<
      ServerOptions,
      'pollMs' | 'mirror' | 'mirrorPollMs' | 'canaries' | 'drain' | 'publish' | 'briefs' | 'continuity'
    >
  >;
}

const open = new Set<RunningServer>();

/** Starts the real server on a free loopback port; it ends with the test file, or earlier by `close`. */
export async function running(options: RunOptions): Promise<Running> {
  const folder = tempFolder();
  const files = { audit: options.audit ?? join(folder, 'audit.db'), keyFile: join(folder, 'keys.json') };
  const made = Object.entries(holdersOf(options)).map(([who, holder]) => {
    const { key, record } = newKey(holder, who, '2026-01-01T00:00:00Z', randomBytes(40));
    return { who, key, record: who === 'revoked' ? { ...record, revoked_at: '2026-01-02T00:00:00Z' } : record };
  });
  writeKeyFile(files.keyFile, [...made.map((it) => it.record), ...(options.moreKeys ?? [])]);
  const keys = Object.fromEntries(made.map((it) => [it.who, it.key])) as Record<Who, string>;
  const records = Object.fromEntries(made.map((it) => [it.who, it.record])) as Record<Who, KeyRecord>;
  const log: Record<string, unknown>[] = [];
  const server = await startServer({
    failStale: options.failStale ?? false,
    host: '127.0.0.1',
    port: 0,
    bundle: options.bundle,
    pinned: options.trust.root,
    audit: files.audit,
    keys: files.keyFile,
    models: join(folder, 'models'),
    auditKey: options.auditKey,
    ...(options.spoolBytes !== undefined && { spoolBytes: options.spoolBytes }),
    now: options.now ?? Date.now,
    ...{ rateLimit: 1_000_000, ...options.http, ...options.follow },
    log: pino({ base: null }, { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
  });
  open.add(server);
  const close = async () => {
    if (open.delete(server)) await server.close();
  };
  afterTest(close);
  const ask: Running['ask'] = (who, method, path, asked = {}) =>
    fetchAnswer(`${server.url}${path}`, method, who && keys[who], asked);
  return {
    ...files,
    ...{ url: server.url, revision: server.revision, bundle: options.bundle, keys, records, log, ask },
    recall: (who, agentId, json, more) =>
      ask(who, 'POST', `/v1/agents/${agentId}/recall-instruction`, { ...more, json }),
    close,
  };
}

const VARYING_HEADERS = new Set(['date', 'x-request-id', 'ratelimit']);

async function fetchAnswer(url: string, method: string, key: string | null, asked: AskOptions): Promise<Answer> {
  const body = asked.json === undefined ? asked.body : JSON.stringify(asked.json);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(asked.json !== undefined && { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const received = Object.fromEntries(response.headers);
  assertContract(method, url, { status: response.status, headers: received, text });
  const headers = Object.fromEntries(Object.entries(received).filter(([name]) => !VARYING_HEADERS.has(name)));
  const json = () => JSON.parse(text) as Record<string, unknown>;
  const code = response.ok || text === '' ? undefined : (json()['error'] as { code?: string } | undefined)?.code;
  return { status: response.status, headers, text, json, code };
}
