import { lintText } from '../../lint/lint-text.ts';
import { SECURITY_RULES } from '../../schema/diagnostics.ts';
import type { LeftOut } from '../documents/left-out.ts';
import type { Section } from '../documents/sections.ts';

/**
 * Leaves out the sections that a compile would quarantine: nothing of them becomes a trigger, a description or a rule
 * of `boot.md`. Untrusted input: a secret is named by its kind and place only.
 */
export async function screenSections(
  sections: readonly Section[],
): Promise<{ sections: readonly Section[]; leftOut: readonly LeftOut[] }> {
  const kept: Section[] = [];
  const leftOut: LeftOut[] = [];
  for (const section of sections) {
    const why = await unsafeBecause(section);
    if (why === null) kept.push(section);
    else leftOut.push({ path: section.document.path, line: section.line, what: why.what, why: why.why });
  }
  return { sections: kept, leftOut };
}

async function unsafeBecause(section: Section): Promise<{ what: string; why: string } | null> {
  const { title, above, document, opening, isPreamble } = section;
  const { triggers, keywords } = document.front;
  const head = isPreamble ? [opening, ...triggers, ...keywords] : [];
  const around = [title, ...above, document.title ?? '', ...head].join('\n');
  const named = await unsafeRule(around);
  if (named !== null)
    return {
      what: 'a section whose headings or front matter cannot be shown',
      why: `${named}: a compile would quarantine it`,
    };
  const found = await unsafeRule(section.text);
  return found === null ? null : { what: title, why: `${found}: a compile would quarantine it` };
}

async function unsafeRule(text: string): Promise<string | null> {
  const found = (await lintText('section.md', text)).find(({ rule }) => SECURITY_RULES.has(rule));
  return found?.rule ?? null;
}
