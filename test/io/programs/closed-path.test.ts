import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { closedPath } from '../../../compiler/io/programs/find-program.ts';
import { tempFolder } from '../../support/folder.ts';

test('H4: a folder that everybody may write to is no part of PATH in a sandbox', () => {
  const [open, closed] = [tempFolder(), tempFolder()];
  chmodSync(open, 0o1777);
  expect(closedPath([open, closed, '/usr/bin'].join(delimiter))).toBe([closed, '/usr/bin'].join(delimiter));
});
