import { z } from 'zod';
import type { KeptResults } from '../../schema/kept-results.ts';
import { GraphPin } from '../ann/ann-port.ts';
import type { BuiltGraph } from '../ann/build-ann-graph.ts';
import type { WrittenVectors } from './vectors.ts';

const KeptGraph = z.strictObject({ pin: GraphPin, file: z.base64() });

/** The graph of these vectors as it was built before; else it is built now. */
export function keptGraph(
  vectors: WrittenVectors,
  kept: KeptResults | null,
  build: () => BuiltGraph | null,
): BuiltGraph | null {
  if (kept === null) return build();
  const inputs = inputsOf(vectors);
  const known = kept.find('graph', inputs, KeptGraph);
  if (known) return { pin: known.pin, file: Buffer.from(known.file, 'base64') };
  const built = build();
  if (built) kept.keep('graph', inputs, { pin: built.pin, file: built.file.toString('base64') });
  return built;
}

function inputsOf({ data, ...counts }: WrittenVectors): string {
  return `${JSON.stringify(counts)}\n${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')}`;
}
