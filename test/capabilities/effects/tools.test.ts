import { describe, expect, test } from 'vitest';
import { pathsIn } from '../../../compiler/capabilities/effects/tools.ts';

describe('the paths in the input of an unknown tool', () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `a/${at}`);

  test('two thousand paths are read, and with more the input is refused', () => {
    expect(pathsIn({ path: files(2000) })).toHaveLength(2000);
    expect(() => pathsIn({ path: files(2001) })).toThrow(TypeError);
  });

  test('the same path again is no further one', () => {
    expect(pathsIn({ path: [...files(2000), ...files(2000)] })).toHaveLength(2000);
  });

  test('a path has at most 4096 characters, and at least one', () => {
    const lengths = (...texts: readonly string[]) => pathsIn({ path: texts }).map((it) => it.length);
    expect(lengths('x'.repeat(4096), 'x'.repeat(4097), '')).toEqual([4096]);
  });
});
