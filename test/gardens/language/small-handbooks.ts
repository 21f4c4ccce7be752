import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Language } from '../../../compiler/schema/source/language.ts';

/** A handbook as a project has it before it declares a language. */
export interface SmallHandbook {
  readonly language: Language;
  readonly units: readonly (readonly [heading: string, trigger: string, text: string])[];
}

const text = readFileSync(new URL('small-handbooks.yaml', import.meta.url), 'utf8');

/** Twenty of them, in eleven languages. */
export const SMALL_HANDBOOKS = parse(text) as readonly SmallHandbook[];
