/** A time to the second, as signed statements name it. */
export function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
