import type { Page } from 'playwright-core';

/** A label of a plot: its text, and the corners of its box, which may be rotated. */
interface Label {
  readonly text: string;
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** Faults of the labels of every plot of a page: those that overlap, and those that are cut off. */
export async function labelFaults(page: Page): Promise<string[]> {
  const plots = await page.evaluate<{ frame: [number, number, number, number]; labels: Label[] }[]>(MEASURE);
  return plots.flatMap(({ frame, labels }) => [
    ...labels.flatMap((one, at) =>
      labels
        .slice(at + 1)
        .filter((other) => overlap(one, other))
        .map((other) => `“${one.text}” on “${other.text}”`),
    ),
    ...labels.filter((it) => isCut(it, frame)).map((it) => `“${it.text}” is cut off`),
  ]);
}

/** Runs in the page. The boxes are a pixel smaller at each side than they are drawn: they may touch. */
const MEASURE = `[...document.querySelectorAll('svg.plot')].map((svg) => {
  const { left, top, right, bottom } = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll('text')].filter((it) => it.textContent !== '').map((it) => {
    const { x, y, width, height } = it.getBBox();
    const matrix = it.getScreenCTM();
    const corners = [[x + 1, y + 1], [x + width - 1, y + 1], [x + width - 1, y + height - 1], [x + 1, y + height - 1]];
    return {
      text: it.textContent,
      corners: corners.map(([a, b]) => new DOMPoint(a, b).matrixTransform(matrix)).map((at) => [at.x, at.y]),
    };
  });
  return { frame: [left, top, right, bottom], labels };
})`;

/** Two convex shapes lie apart exactly if a line along some side of them separates them. */
function overlap(one: Label, other: Label): boolean {
  return [one, other].every(({ corners }) =>
    corners.every(([x, y], at) => {
      const [nextX, nextY] = corners[(at + 1) % corners.length] ?? [x, y];
      const [nx, ny] = [nextY - y, x - nextX];
      const extent = (it: Label) => it.corners.map(([a, b]) => a * nx + b * ny);
      const [a, b] = [extent(one), extent(other)];
      return Math.max(...a) > Math.min(...b) && Math.max(...b) > Math.min(...a);
    }),
  );
}

function isCut({ corners }: Label, [left, top, right, bottom]: readonly [number, number, number, number]): boolean {
  return corners.some(([x, y]) => x < left || x > right || y < top || y > bottom);
}
