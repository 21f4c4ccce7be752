/** Steps of the heat scale: colours of the style sheet, for light and dark mode. */
const STEPS = 5;

function stepOf(share: number): number {
  return Math.min(STEPS, Math.floor(share * STEPS + 0.5));
}

/** The colour of a share, 0..1. */
export function heat(share: number): string {
  return `var(--heat-${stepOf(share)})`;
}

/** The colour of a share that should be small, 0..1. */
export function loss(share: number): string {
  return `var(--loss-${Math.max(1, stepOf(share))})`;
}

/** A text colour that is readable on `heat`. */
export function heatText(share: number): string {
  return stepOf(share) >= 3 ? 'var(--on-heat)' : 'var(--ink)';
}
