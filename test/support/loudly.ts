import { describe } from 'vitest';

/** `describe` for tests of what may not be installed: they are skipped then, and say so; under `CI` they fail. */
export function describeWhere(isThere: boolean, what: string, missing: string): typeof describe.skip {
  if (isThere || process.env['CI']) return describe;
  process.stderr.write(`\nSKIPPED, nothing about ${what} is tested here: ${missing}\n`);
  return describe.skip;
}
