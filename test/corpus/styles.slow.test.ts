import { expect, test } from 'vitest';
import { firstCompile } from './first-compile.ts';
import { samplesOf } from './samples.ts';

for (const sample of [...samplesOf('styles'), ...samplesOf('shapes')]) {
  test(`§21.6.3 what migrate makes of ${sample.name} compiles at once, with every gate`, async () => {
    const { errors, units } = await firstCompile(sample);
    expect(errors).toEqual([]);
    expect(units).toBeGreaterThan(0);
  });
}
