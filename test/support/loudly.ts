import { describe } from 'vitest';

/**
 * `describe` for tests of what may not be installed: they are skipped then, and say so. Under `CI` they fail, but on
 * Linux alone: the scripts that install it are for Debian.
 */
export function describeWhere(isThere: boolean, what: string, missing: string): typeof describe.skip {
  if (process.env['CI'] && process.platform === 'linux') return describe;
  return describeIfThere(isThere, what, missing);
}

/** The same for what no machine has to have, CI neither. */
export function describeIfThere(isThere: boolean, what: string, missing: string): typeof describe.skip {
  if (isThere) return describe;
  process.stderr.write(`\nSKIPPED, nothing about ${what} is tested here: ${missing}\n`);
  return describe.skip;
}
