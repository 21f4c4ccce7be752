import { VadeError } from '../../../compiler/schema/errors.ts';

const SCHEME = /^postgres(?:ql)?:\/\//;

/** Whether `--audit` names a PostgreSQL database, and no file. */
export function isPostgresUrl(audit: string): boolean {
  return SCHEME.test(audit);
}

/**
 * A URL to connect with. Wherever TLS is asked for, the server's certificate is checked, name and all: a mode that
 * encrypts and believes anybody (`no-verify`, or libpq's own meaning by `uselibpqcompat=true`) has to be asked for by
 * name.
 *
 * @throws argument_invalid
 */
export function connectionUrl(url: string): string {
  parsed(url);
  if (url.includes('uselibpqcompat=')) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/**
 * The URL as it may be told: user, host, port and database, never a password or what else the URL carries.
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

/** A database is copied by its own tools. @throws argument_invalid, by its nature */
export function refuseBackup(url: string): never {
  throw new VadeError(
    'argument_invalid',
    `an audit on PostgreSQL is copied by PostgreSQL: pg_dump --format=custom --file=audit.dump '${shownUrl(url)}'`,
  );
}

function parsed(url: string): URL {
  // a socket's URL may leave the host out, which no URL with a user may
  const given = url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost');
  const read = URL.parse(given);
  // an unescaped `/` or `@` of a password would end up here, and be told
  if (read === null || !isPostgresUrl(url) || !/^\/[^/@]+$/.test(read.pathname) || read.hash !== '') {
    throw new VadeError(
      'argument_invalid',
      'the audit is postgres://user:password@host:port/database, special characters percent-encoded',
    );
  }
  return read;
}
