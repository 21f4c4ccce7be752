/** An event is logged again after so many milliseconds, with its count. */
const REPEAT_MS = 60_000;

/** More distinct events than this are counted together. */
const MAX_DISTINCT = 1000;

/** Number of times that an event occurred in the previous minute, at least 1; null if it was logged in this one. */
export function repetitions(): (key: string) => number | null {
  let since = performance.now();
  let before = new Map<string, number>();
  let counts = new Map<string, number>();
  return (key) => {
    if (performance.now() - since > REPEAT_MS) {
      since = performance.now();
      before = counts;
      counts = new Map();
    }
    const group = counts.has(key) || counts.size < MAX_DISTINCT ? key : 'others';
    const times = counts.get(group) ?? 0;
    counts.set(group, times + 1);
    return times > 0 ? null : (before.get(group) ?? 1);
  };
}
