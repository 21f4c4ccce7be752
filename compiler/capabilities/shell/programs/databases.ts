import { isKnown, type Field } from '../words/field.ts';
import type { GivenOptions, Writer } from './downloads.ts';

/** Commands of a database's own shell that name a file which it writes. */
const COMMANDS =
  /(?:^|\n)\s*\.(?:output|once|log|save|backup|dump|excel|archive)\s+(?:main\s+)?['"]?([^\s'"|]+)|\\(?:out|o|gx?|write|w)\s+['"]?([^\s'"|;]+)|^\s*(?:tee|\\T)\s+([^\s;]+)/g;
/** Statements that name a file of their own. */
const STATEMENTS =
  /\b(?:attach(?:\s+database)?|vacuum(?:\s+\w+)?\s+into|export\s+database|copy\b[^;']*\bto|into\s+(?:out|dump)file|writefile\s*\()\s*'([^']+)'/gi;
const CHANGES = /^\s*(?:insert|update|delete|create|drop|alter|replace|vacuum|attach|reindex|pragma\s+\w+\s*=)/i;

const SERVED = {
  values: 'hpPUuDdcefFLoRTv',
  long: ['command', 'execute', 'file', 'host', 'port', 'username', 'dbname', 'user'],
};

/** How the shells of databases are called, and the files that they write. */
export const DATABASES: Readonly<Record<string, Writer>> = {
  sqlite3: { options: { long: ['cmd', '-cmd'] }, writes: writesOfFile },
  duckdb: { options: {}, writes: (given) => writesOfFile({ ...given, rest: [':memory:', ...given.rest] }) },
  psql: {
    options: SERVED,
    writes: ({ rest, valueOf }) => [
      ...[...rest, ...valueOf('c', 'command')].flatMap(filesIn),
      ...valueOf('L', 'log-file', 'o', 'output'),
    ],
  },
  mysql: { options: SERVED, writes: writesOfMysql },
  mariadb: { options: SERVED, writes: writesOfMysql },
};

/** Whether a program is the shell of a database, which also takes statements from its standard input. */
export function isDatabase(name: string): boolean {
  return Object.hasOwn(DATABASES, name);
}

function writesOfMysql({ rest, valueOf }: GivenOptions): Field[] {
  return [...[...rest, ...valueOf('e', 'execute')].flatMap(filesIn), ...valueOf('tee')];
}

function writesOfFile({ rest, has }: GivenOptions): Field[] {
  const [database, ...statements] = rest;
  const files = rest.flatMap(filesIn);
  const isChanged = statements.some((it) => it.split(';').some((part) => CHANGES.test(part)));
  const isFile = database !== undefined && isKnown(database) && database !== ':memory:' && !has('readonly');
  return [...files.filter((it) => it !== 'stdout'), ...(isChanged && isFile ? [database] : [])];
}

function filesIn(text: Field): Field[] {
  return [...text.matchAll(COMMANDS), ...text.matchAll(STATEMENTS)].map((it) => it.slice(1).find(Boolean) ?? '');
}
