import { z } from 'zod';
import { sortDiagnostics, type Diagnostic } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import { toDiagnostics, type Finding } from '../sources/finding.ts';
import { findHomoglyphs } from './rules/homoglyph.ts';
import { findInjections } from './rules/injection.ts';
import { findSecrets, presetSecrets, type ScanSecrets } from './rules/secret.ts';
import { findUnseen } from './rules/unicode.ts';
import { findActiveUris, findUnrendered, lazily } from './rules/unrendered.ts';
import { isFenced, markupOf } from './rules/unrendered/markup.ts';

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
  const kind = kindOf(file);
  const inputs = `${kind}\n${text}`;
  const settles = scanSecrets === presetSecrets ? kept : null;
  if (settles?.find('security', inputs, z.literal('clean')) === 'clean') return [];
  // a byte order mark is not part of the text
  const read = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const found = await findAll(kind, read, scanSecrets);
  if (found.length === 0) settles?.keep('security', inputs, 'clean');
  return sortDiagnostics(toDiagnostics(file, read, found));
}

type Kind = 'markdown' | 'data' | 'envelope';

/** All that the rules know of a file besides its text. */
function kindOf(file: string): Kind {
  if (file.endsWith('.json')) return 'envelope';
  return /\.(?:ya?ml|toml)$/.test(file) ? 'data' : 'markdown';
}

async function findAll(kind: Kind, text: string, scanSecrets: ScanSecrets): Promise<Finding[]> {
  const secrets = await findSecrets(text, scanSecrets);
  // only programs read signed envelopes
  if (kind === 'envelope') return [...findUnseen(text), ...secrets];
  const markup = lazily(() => markupOf(text, kind === 'markdown'));
  const words = [
    ...findHomoglyphs(text),
    ...findInjections(text, (index) => isFenced(text, markup(), index)),
    ...findUnrendered(text, markup),
    ...findActiveUris(text, markup),
  ];
  return [...findUnseen(text), ...words, ...secrets];
}
