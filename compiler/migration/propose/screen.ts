import { lintText } from '../../lint/lint-text.ts';
import { SECURITY_RULES } from '../../schema/diagnostics.ts';
import type { LeftOut } from '../documents/left-out.ts';
import type { Section } from '../documents/sections.ts';
import type { UnitDraft } from './drafts.ts';

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
  const around = [title, ...above, document.title ?? '', isPreamble ? opening : ''].join('\n');
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

/** Drafts without the intents and keywords that a compile would refuse, such as one that leaves the “never” out. */
export async function screenDrafts(drafts: readonly UnitDraft[]): Promise<UnitDraft[]> {
  const phrases = drafts.flatMap(({ entry, spare }) => [
    ...(entry.load_triggers?.intents ?? []),
    ...(entry.load_triggers?.keywords ?? []),
    ...spare,
  ]);
  const found = (await lintText('triggers.md', phrases.join('\n\n'))).filter(({ rule }) => SECURITY_RULES.has(rule));
  const unsafe = new Set(found.map(({ line }) => phrases[(line - 1) / 2]));
  if (unsafe.size === 0) return [...drafts];
  const safe = (list: readonly string[] = []) => list.filter((it) => !unsafe.has(it));
  return drafts.map((draft) => {
    if (draft.current) return draft;
    const { intents, keywords } = draft.entry.load_triggers ?? {};
    return {
      ...draft,
      entry: { ...draft.entry, load_triggers: { intents: safe(intents), keywords: safe(keywords) } },
      spare: safe(draft.spare),
    };
  });
}
