import { z } from 'zod';
import { Name } from '../schema/uri.ts';
import { TARGETS } from './exported-agent.ts';

/** The owner of an export. */
export const Owner = z.object({ target: z.enum(TARGETS), deployment: Name, agent: Name });

export type Owner = z.infer<typeof Owner>;

/** One line of HTML comment. It has names alone, so that nothing ends it, and no revision, which changes more often. */
export const provenanceLine = ({ target, deployment, agent }: Owner): string =>
  `<!-- vade export ${target} ${deployment}/${agent} -->`;

/**
 * The owner of a file; null for a file of somebody else. Only the place where an export writes it counts: the first
 * line, or the first line after the front matter. A unit's text is never there.
 */
export function readOwner(text: string): Owner | null {
  const [, target, deployment, agent] = /^<!-- vade export (\S+) (\S+)\/(\S+) -->$/.exec(placesIn(text).line) ?? [];
  return Owner.safeParse({ target, deployment, agent }).data ?? null;
}

/** A file of an export, line for line, without the line of its owner. */
export function withoutProvenance(text: string): string {
  const { head, line } = placesIn(text);
  return `${head}${text.slice(head.length + line.length)}`;
}

function placesIn(text: string): { head: string; line: string } {
  const head = /^---\n(?:(?!---\n).*\n)*---\n\n?/.exec(text)?.[0] ?? '';
  const end = text.indexOf('\n', head.length);
  return { head, line: text.slice(head.length, end === -1 ? undefined : end) };
}
