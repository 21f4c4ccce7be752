import { vi } from 'vitest';

/** The map that takes this key in while a function runs: what a module remembers, and shows nobody. */
export function mapWith(key: string, run: () => unknown): ReadonlyMap<unknown, unknown> {
  const set = vi.spyOn(Map.prototype, 'set');
  try {
    run();
    const at = set.mock.calls.findIndex(([it]) => it === key);
    const map = set.mock.contexts[at] as ReadonlyMap<unknown, unknown> | undefined;
    if (map === undefined) throw new Error(`no map took ${key} in`);
    return map;
  } finally {
    set.mockRestore();
  }
}
