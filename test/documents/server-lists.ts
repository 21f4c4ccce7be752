import { ERRORS } from '../../compiler/schema/errors.ts';
import type { Need } from '../../server/auth/permits.ts';
import { OPERATIONS } from '../../server/http/operations.ts';
import type { Contract } from '../../server/operations/operation.ts';

interface Route extends Contract {
  readonly needs?: Need;
}

interface Row {
  readonly status?: number;
  readonly exit: number;
  readonly retryable: boolean;
}

const routes = Object.values<Route>(OPERATIONS).filter(({ path }) => !path.startsWith('/ui/'));
const isOfStore = ({ access, needs }: Route) => access === 'agents' && needs !== undefined;

/** The routes of instructions and of the host, by who may call them. */
export function instructionRoutes(): string {
  const of = (...access: Contract['access'][]) => routes.filter((it) => !isOfStore(it) && access.includes(it.access));
  return [
    listOf('Agents, their readers and administrators', of('agents')),
    listOf('Administrators', of('admins')),
    listOf('Administrators and scrapers', of('scraper')),
    listOf('Anyone', of('anyone', 'probe')),
  ].join('\n\n');
}

/** The routes on an agent's own store, by the scope that a key needs. */
export function storeRoutes(): string {
  const scopes = ['continuity:write', 'continuity:read'] as const;
  const lists = scopes.map((scope) => {
    const found = routes.filter((it) => isOfStore(it) && it.needs?.scope === scope);
    return listOf(`Scope \`${scope}\``, found);
  });
  return lists.join('\n\n');
}

const ERRORS_INTRODUCTION = `# Error codes

<!-- generated from compiler/schema/errors.ts; a test compares the two -->

A code without an HTTP status is of the command line alone. [The command line](../compiler/cli/README.md#exit-codes) explains the exit codes.

| code | HTTP | exit | retryable |
| --- | --- | --- | --- |`;

/** The page of all error codes. */
export function errorPage(): string {
  const rows = Object.entries<Row>(ERRORS).map(
    ([code, { status, exit, retryable }]) =>
      `| \`${code}\` | ${status ?? ''} | ${exit} | ${retryable ? 'yes' : 'no'} |`,
  );
  return `${[ERRORS_INTRODUCTION, ...rows].join('\n')}\n`;
}

/** A document with a new text in the section between its markers `<!-- generated: <name> -->`. */
export function withSection(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- /generated: ${name} -->`];
  const [before = '', rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`no section ${begin} … ${end}`);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

function listOf(title: string, found: readonly Route[]): string {
  const lines = found.map(({ method, path, query, summary }) => {
    const names = query === undefined ? [] : Object.keys(query.shape);
    const asked = names.length === 0 ? '' : `?${names.join('&')}`;
    return `- \`${method.toUpperCase()} ${path}${asked}\`: ${summary.replace(/ \(§[\d.]+\)$/, '')}`;
  });
  return [`**${title}**`, lines.join('\n')].join('\n\n');
}
