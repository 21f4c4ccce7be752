/** All three markers of git, each at the start of a line and in order; one of them alone may be an underline. */
const MARKERS = [/^<{7} /, /^={7}$/, /^>{7} /];

/** The line where an unresolved merge conflict begins, counted from 1; null without one. Takes linear time. */
export function conflictLine(text: string): number | null {
  if (!text.includes('<<<<<<< ')) return null;
  let [next, begin] = [0, 0];
  for (const [i, line] of text.split('\n').entries()) {
    if (MARKERS[0]?.test(line)) [next, begin] = [1, i + 1];
    else if (MARKERS[next]?.test(line)) next += 1;
    if (next === MARKERS.length) return begin;
  }
  return null;
}
