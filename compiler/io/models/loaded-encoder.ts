import type { Encoder } from '../../recall/signals/semantic.ts';
import type { ModelPin } from '../../schema/source/org.ts';

/** An encoder, and its pin for a bundle. */
export interface LoadedEncoder {
  readonly encoder: Encoder;
  readonly pin: ModelPin;
}
