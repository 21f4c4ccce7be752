import type { Fact } from '../../schema/bundle/fact.ts';

/**
 * The tokens of a heartbeat that loads everything at once, to compare lazy loading with: the boot stub, which is loaded
 * either way (§21.1); each legacy file once, in place of the units that name it, because agents read that file until it
 * is removed (§21.6.2); and the text of every other unit in force, listed in the manifest or not.
 *
 * @param facts all facts that the agent may load, without withdrawn ones
 * @param now milliseconds since 1970
 * @returns tokens
 */
export function eagerTokens(
  facts: readonly Pick<Fact, 'fallback' | 'tokens' | 'valid_until'>[],
  stubTokens: number,
  now: number,
): number {
  const legacy = new Map(
    facts.flatMap(({ fallback }) => (fallback ? [[fallback.path, fallback.tokens] as const] : [])),
  );
  const own = facts.filter(
    ({ fallback, valid_until }) => fallback === null && (valid_until === null || Date.parse(valid_until) > now),
  );
  return [...legacy.values(), ...own.map(({ tokens }) => tokens)].reduce((all, it) => all + it, stubTokens);
}
