import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf, readReadings } from '../../support/shell-reading.ts';

const FOLDER = 'test/capabilities/shell/readings';

describe('what the reader finds in a command', () => {
  test.each(readdirSync(FOLDER))('is what is written beside it: %s', (file) => {
    const found = readReadings(`${FOLDER}/${file}`).map(({ command }) => ({ command, reads: linesOf(command) }));
    expect(found).toEqual(readReadings(`${FOLDER}/${file}`));
  });
});
