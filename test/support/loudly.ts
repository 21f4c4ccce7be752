import { describe } from 'vitest';

/**
 * `describe` for tests of what may not be installed: they are skipped then, and say so. Under `CI` they fail, but on
 * Linux alone: the scripts that install it are for Debian.
 */
export function describeWhere(isThere: boolean, what: string, missing: string): typeof describe.skip {
  if (isThere || (process.env['CI'] && process.platform === 'linux')) return describe;
  process.stderr.write(`\nSKIPPED, nothing about ${what} is tested here: ${missing}\n`);
  return describe.skip;
}
