import { existsSync } from 'node:fs';
import { loadEncoder, type LoadedEncoder } from '../../../compiler/io/models/encoder.ts';
import { ModelChoice, type NamedModel } from '../../../compiler/schema/source/org.ts';

const BUILTIN = 'builtin';
const BUILTIN_FOLDER = 'compiler/encoder/model';

const MODEL = process.env['VADE_MODEL'] ?? BUILTIN;

/**
 * The encoder to measure: the built-in one, or the folder VADE_MODEL below VADE_MODELS. Null where VADE_MODEL
 * is `none`, and, loudly, where there is no built-in one.
 */
export async function measuredEncoder(): Promise<LoadedEncoder | null> {
  if (MODEL === BUILTIN && !existsSync(BUILTIN_FOLDER)) {
    console.warn(`SKIPPED: everything dense; there is no ${BUILTIN_FOLDER}, and VADE_MODEL names no other model`);
    return null;
  }
  if (MODEL === 'none') return null;
  const choice: NamedModel = MODEL === BUILTIN ? BUILTIN : ModelChoice.parse({ name: MODEL });
  return loadEncoder(process.env['VADE_MODELS'] ?? 'models', choice);
}
