import { createRequire } from 'node:module';
import type compromise from 'compromise';

const require = createRequire(import.meta.url);

/**
 * The parser of English. It is loaded as the one file that the package has for `require`: as the 280 files that it has
 * for `import`, it takes nearly twice the time.
 */
export const nlp = require('compromise') as typeof compromise;
