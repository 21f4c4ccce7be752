/** The same thing is told again after so many milliseconds, with how often it came. */
const AGAIN_MS = 60_000;

/** More different things than this are not told apart. */
const MAX_TOLD = 1000;

/** How often something came in the minute before, 1 at least; null where it was told within this one. */
export function repetitions(): (key: string) => number | null {
  let since = performance.now();
  let before = new Map<string, number>();
  let seen = new Map<string, number>();
  return (key) => {
    if (performance.now() - since > AGAIN_MS) {
      since = performance.now();
      before = seen;
      seen = new Map();
    }
    const kept = seen.has(key) || seen.size < MAX_TOLD ? key : 'others';
    const times = seen.get(kept) ?? 0;
    seen.set(kept, times + 1);
    return times > 0 ? null : (before.get(kept) ?? 1);
  };
}
