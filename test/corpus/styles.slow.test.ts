import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstCompile } from './first-compile.ts';
import { samplesOf } from './samples.ts';

for (const sample of [...samplesOf('styles'), ...samplesOf('shapes')]) {
  test(`§21.6.3 what migrate makes of ${sample.name} compiles at once, with every gate, and lint warns of none of its units`, async () => {
    const { errors, units, warnings } = await firstCompile(sample);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(units).toBeGreaterThan(0);
  });
}

for (const name of ['openai-agents', 'browser-use', 'tree-to-book']) {
  test(`lint warns of none of the units that migrate makes of the files of ${name}`, async () => {
    const path = join(import.meta.dirname, 'strangers', name);
    const { units, warnings } = await firstCompile({ name, path, ask: [], rules: [] });
    expect(warnings).toEqual([]);
    expect(units).toBeGreaterThan(1);
  });
}
