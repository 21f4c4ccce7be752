import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf, readReadings } from '../../../support/shell-reading.ts';

const FOLDER = 'test/capabilities/shell/programs/readings';

describe('what single programs write, list and run by their options and operands', () => {
  test.each(readdirSync(FOLDER))('is what is written beside each command: %s', (file) => {
    const written = readReadings(`${FOLDER}/${file}`);
    expect(written.map(({ command }) => ({ command, reads: linesOf(command) }))).toEqual(written);
  });
});
