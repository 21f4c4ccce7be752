import { createRequire } from 'node:module';
import type compromise from 'compromise/two';

const require = createRequire(import.meta.url);

/**
 * The parser of English, as far as it tells words and their parts of speech: phrases, which the package's third part
 * finds, are never asked for. It is loaded at the first call, since a compile without a new trigger parses none, and as
 * the one file that the package has for `require`: as the 280 files that it has for `import`, it takes nearly twice the
 * time.
 */
export function englishParser(): typeof compromise {
  return (loaded ??= require('compromise/two') as typeof compromise);
}

let loaded: typeof compromise | undefined;
