import { fenced } from './fence.ts';

/** A unit as a model reads it. */
export interface PageText {
  readonly name: string;
  readonly version: string;
  readonly content: string;
}

/**
 * A page under its name: nothing in it can end its fence, and so nothing in it can begin another page.
 *
 * @param about each of one line
 */
export function pageText({ name, version, content }: PageText, about: readonly string[] = []): string {
  return `## ${name} ${version}${about.length > 0 ? ` (${about.join(', ')})` : ''}\n${fenced(content, '', 3)}`;
}

/**
 * The lines of a list of units; none of an empty one.
 *
 * @param head the line before it
 * @param described the number of units with their descriptions; the further ones have their name alone
 */
export function namesText(
  head: string,
  units: readonly { readonly name: string; readonly description: string }[],
  described: number,
): string[] {
  const further = units.slice(described).map(({ name }) => name);
  return [
    ...(units.length > 0 ? [head] : []),
    ...units.slice(0, described).map(({ name, description }) => `- ${name}: ${description}`),
    ...(further.length > 0 ? [further.join(', ')] : []),
  ];
}
