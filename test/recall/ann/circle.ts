import { pointsOf, type Points } from '../../../compiler/recall/ann/ann-port.ts';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';

/** So many points around a circle, in as many dimensions. */
export function circle(count: number, dims = 2): Points {
  const data = Int8Array.from({ length: count * dims }, (_, at) => {
    const angle = (2 * Math.PI * Math.floor(at / dims)) / count;
    return [Math.cos(angle), Math.sin(angle), 0][at % dims]! * 127;
  });
  const [triggers, none] = [1, 0].map((it) => Array<number>(count).fill(it)) as [number[], number[]];
  const mean = Array<number>(dims).fill(0);
  return pointsOf(layVectors({ dims, mean, triggers, phrases: none, texts: none, data }));
}
