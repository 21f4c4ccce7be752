import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { postgresPrograms } from './postgres-programs.ts';

export interface ClusterOptions {
  /** Whether commits reach the disk before they are acknowledged; off for speed. */
  readonly fsync?: boolean;
  /** Listens on a port of the loopback as well, with a certificate of its own; else a socket in the folder is all. */
  readonly tls?: boolean;
  /** Where the folder of its files is made; default: among temporary files. */
  readonly within?: string;
}

/** Databases of a running PostgreSQL. */
export interface Databases {
  /** The URL of a fresh, empty database whose owner is no superuser; the password is in it. */
  readonly database: () => Promise<string>;
  /** The same database as its administrator. */
  readonly asAdmin: (url: string) => string;
  /** Removes databases, whoever is still connected: each takes eight megabytes. */
  readonly drop: (urls: readonly string[]) => Promise<void>;
}

/** A PostgreSQL of somebody's own, who has to end it. */
export interface OwnCluster extends Databases {
  /** Where it listens, and its administrator's password: what `databasesAt` wants. */
  readonly place: Place;
  /** A file with the certificate that signed the server's. */
  readonly certificate: string;
  /** Ends the server: `fast` rolls back what is under way, `immediate` is a crash. */
  readonly stop: (how?: 'fast' | 'immediate') => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly end: () => Promise<void>;
}

export interface Place {
  /** A host, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

const OWNER = 'vade';
const ADMIN = 'admin';
const servers = new Set<ChildProcess>();

// a test run that is broken off leaves no server behind
process.once('exit', () => {
  for (const server of servers) server.kill('SIGQUIT');
});

interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root, so root lends it the user that Debian makes for it. */
function user(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Makes a cluster in a temp folder and starts it. */
export async function startOwnCluster(options: ClusterOptions = {}): Promise<OwnCluster> {
  const programs = postgresPrograms();
  const made = makeCluster(programs, options);
  const port = options.tls ? await freePort() : 5432;
  const settings = [
    ...['-D', join(made.folder, 'data'), '-k', made.folder, '-p', String(port)],
    ...['-c', `fsync=${options.fsync ? 'on' : 'off'}`, '-c', 'shared_buffers=16MB', '-c', 'max_connections=50'],
    ...['-c', 'deadlock_timeout=100ms'],
    ...['-c', `listen_addresses=${options.tls ? '127.0.0.1' : ''}`, '-c', `ssl=${options.tls ? 'on' : 'off'}`],
    ...['-c', `ssl_cert_file=${made.certificate}`, '-c', `ssl_key_file=${join(made.folder, 'server.key')}`],
  ];
  let server = await startServer(programs, settings, made.as);
  const stop = async (how: 'fast' | 'immediate' = 'fast') => endServer(server, how);
  const place = { host: options.tls ? '127.0.0.1' : made.folder, port, password: made.password };
  return {
    ...databasesAt(place),
    place,
    certificate: made.certificate,
    stop,
    start: async () => void (server = await startServer(programs, settings, made.as)),
    end: async () => {
      await stop('immediate');
      rmSync(made.folder, { recursive: true, force: true });
    },
  };
}

/** Databases of a cluster that listens somewhere. */
export function databasesAt({ host, port, password }: Place): Databases {
  const urlOf = (name: string, as: string) =>
    host.startsWith('/')
      ? `postgres://${as}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
      : `postgres://${as}:${password}@${host}:${port}/${name}`;
  return {
    database: () => makeDatabase(urlOf('postgres', ADMIN), (name) => urlOf(name, OWNER)),
    asAdmin: (url) => url.replace(`//${OWNER}:`, `//${ADMIN}:`),
    drop: (urls) => dropDatabases(urlOf('postgres', ADMIN), urls),
  };
}

function makeCluster(bin: string, { tls, fsync, within = tmpdir() }: ClusterOptions) {
  const as = user();
  const folder = mkdtempSync(join(within, 'vade-pg-'));
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  for (const it of [folder, passwordFile]) giveTo(as, it);
  execFileSync(
    join(bin, 'initdb'),
    [
      ...['-D', join(folder, 'data'), `--username=${ADMIN}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', ...(fsync ? [] : ['--no-sync'])],
    ],
    { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const certificate = join(folder, 'server.crt');
  if (tls) makeCertificate(folder, certificate, as);
  return { folder, password, certificate, as };
}

function makeCertificate(folder: string, certificate: string, as: RunAs): void {
  const key = join(folder, 'server.key');
  const subject = ['-subj', '/CN=postgres', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  );
  chmodSync(key, 0o600);
  giveTo(as, key);
}

function giveTo({ uid, gid }: RunAs, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

async function makeDatabase(admin: string, urlOf: (name: string) => string): Promise<string> {
  const name = `vade_${randomBytes(6).toString('hex')}`;
  const password = new URL(admin).password;
  const client = new Client({ connectionString: admin });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${password}'`);
    await client.query(`CREATE DATABASE ${name} OWNER ${OWNER}`);
  } finally {
    await client.end();
  }
  return urlOf(name);
}

async function dropDatabases(admin: string, urls: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: admin });
  await client.connect();
  try {
    for (const url of urls) await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Resolves once it takes connections. */
function startServer(bin: string, settings: readonly string[], as: RunAs): Promise<ChildProcess> {
  const server = spawn(join(bin, 'postgres'), settings, {
    ...as,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  servers.add(server);
  let said = '';
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('close', () => {
      servers.delete(server);
      reject(new Error(`PostgreSQL ended: ${said}`));
    });
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('ready to accept connections')) resolve(server);
    });
  });
}

function endServer(server: ChildProcess, how: 'fast' | 'immediate'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('close', () => {
      resolve();
    });
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  });
}
