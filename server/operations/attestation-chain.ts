import type { ProvenEnvelope } from '../../compiler/io/bundle/open-bundle.ts';

/** §21.4.3: the garden's signed statement attests everything in it. */
export function chainOf(subject: string, { envelope }: ProvenEnvelope) {
  return [{ subject, envelope: JSON.parse(envelope.toString('utf8')) as unknown }];
}
