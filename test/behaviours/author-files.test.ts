import { describe, expect, test } from 'vitest';
import { compileErrors, lintErrors } from './author-errors/agreement.ts';
import { commitRow, opened } from './author-errors/committed.ts';
import { FILES } from './author-errors/files.ts';
import { FRONT_MATTER } from './author-errors/front-matter.ts';
import { GARDENS } from './author-errors/gardens.ts';
import { expectedPlaces, faultsOf, placeOf } from './author-errors/row.ts';

// of the tables that author-errors.test.ts walks in memory, some rows: a fault has the same place in a commit
const SAMPLES = [...FRONT_MATTER, ...GARDENS].filter((_, i) => i % 12 === 0);

describe('DESIGN §5 what authors commit is reported by rule, file, line and column', () => {
  test.each([...FILES, ...SAMPLES])(
    'a compile reports $rule at $file:$line:$column, and a lint agrees ($title)',
    async (row) => {
      const sources = await opened(commitRow(row));
      const faults = await faultsOf(sources);
      expect(faults.map(placeOf)).toEqual(expectedPlaces(row));
      expect(await lintErrors(sources)).toEqual(compileErrors(faults));
    },
  );
});
