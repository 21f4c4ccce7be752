import type { WidthOf } from './labels.ts';

/** The type that plots are drawn in: the size that `Chart` gives them, and Plot's own family. */
const TYPE = '12px system-ui, sans-serif';

let pen: CanvasRenderingContext2D | null = null;

/** Measures by the browser's own font, which is another one on every machine. */
export const textWidth: WidthOf = (text) => {
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen === null) return text.length * 8;
  pen.font = TYPE;
  return pen.measureText(text).width;
};
