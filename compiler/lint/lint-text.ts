import { z } from 'zod';
import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import { toDiagnostics } from '../sources/finding.ts';
import { findHomoglyphs } from './rules/homoglyph.ts';
import { findInjections } from './rules/injection.ts';
import { findSecrets, presetSecrets, type ScanSecrets } from './rules/secret.ts';
import { findUnseen } from './rules/unicode.ts';
import { findActiveUris, findUnrendered, lazily } from './rules/unrendered.ts';
import { markupOf } from './rules/unrendered/markup.ts';

/**
 * All rules of class security for one text: a unit with its front matter, `boot.md`, YAML, an old version. Nothing in
 * the text can switch a rule off. Untrusted input: every rule takes linear time.
 *
 * @param kept which texts are known to break no rule
 */
export async function lintText(
  file: string,
  text: string,
  scanSecrets: ScanSecrets = presetSecrets,
  kept: KeptResults | null = null,
): Promise<Diagnostic[]> {
  const inputs = `${kindOf(file)}\n${text}`;
  const settles = scanSecrets === presetSecrets ? kept : null;
  if (settles?.find('security', inputs, z.literal('clean')) === 'clean') return [];
  const found = await findAll(file, text, scanSecrets);
  if (found.length === 0) settles?.keep('security', inputs, 'clean');
  return found;
}

/** The facts of a file that the rules know besides its text. */
const kindOf = (file: string) => /\.(?:ya?ml|toml|json)$/.exec(file)?.[0] ?? '.md';

async function findAll(file: string, text: string, scanSecrets: ScanSecrets): Promise<Diagnostic[]> {
  // a byte order mark is not part of the text
  const read = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const secrets = await findSecrets(read, scanSecrets);
  const markup = lazily(() => markupOf(read, !/\.(?:ya?ml|toml)$/.test(file)));
  // only programs read signed envelopes
  const words = file.endsWith('.json')
    ? []
    : [
        ...findHomoglyphs(read),
        ...findInjections(read),
        ...findUnrendered(read, markup),
        ...findActiveUris(read, markup),
      ];
  return sortDiagnostics(toDiagnostics(file, read, [...findUnseen(read), ...words, ...secrets]));
}
