import { VadeError } from '../../../compiler/schema/errors.ts';

const SCHEME = /^postgres(?:ql)?:\/\//;

/** Whether `--audit` names a PostgreSQL database, not a file. */
export function isPostgresUrl(audit: string): boolean {
  return SCHEME.test(audit);
}

/**
 * A URL to connect with. With TLS, the certificate and the host name are verified, also for modes that encrypt without
 * verification in libpq; that has to be chosen explicitly, by `no-verify` or `uselibpqcompat=true`.
 *
 * @throws argument_invalid
 */
export function connectionUrl(url: string): string {
  parsed(url);
  if (url.includes('uselibpqcompat=')) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/**
 * The URL for messages: user, host, port and database, never the password or other parameters.
 *
 * @throws argument_invalid
 */
export function shownUrl(url: string): string {
  const { username, host, pathname, searchParams } = parsed(url);
  const socket = searchParams.get('host');
  const user = searchParams.get('user') ?? username;
  const place = `postgres://${user === '' ? '' : `${user}@`}${host}${pathname}`;
  return socket === null ? place : `${place}?host=${encodeURIComponent(socket)}`;
}

/** A database is copied by its own tools. @throws argument_invalid, always */
export function refuseBackup(url: string): never {
  throw new VadeError(
    'argument_invalid',
    `copy an audit on PostgreSQL with its own tool: pg_dump --format=custom --file=audit.dump '${shownUrl(url)}'`,
  );
}

function parsed(url: string): URL {
  // the URL of a socket may have a user without a host, which the URL parser rejects
  const given = url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');
  const read = URL.parse(given);
  // with an unescaped `/` or `@`, part of the password would be in the path, and in messages
  if (read === null || !isPostgresUrl(url) || !/^\/[^/@]+$/.test(read.pathname) || read.hash !== '') {
    throw new VadeError(
      'argument_invalid',
      'the audit must be postgres://user:password@host:port/database, special characters percent-encoded',
    );
  }
  return read;
}
