import { lintText } from '../../lint/lint-text.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { SECURITY_RULES } from '../../schema/diagnostics.ts';
import type { KeptResults } from '../../schema/kept-results.ts';

/** The text of an earlier version, and the file that it was in. */
export type PastText = Pick<FactVersion, 'file' | 'content'>;

/** Whether each text breaks a rule of class security. */
export async function screenTexts(texts: readonly PastText[], kept: KeptResults | null = null): Promise<boolean[]> {
  const broken: boolean[] = [];
  for (const { file, content } of texts) {
    const found = await lintText(file, content, undefined, kept);
    broken.push(found.some(({ rule }) => SECURITY_RULES.has(rule)));
  }
  return broken;
}
