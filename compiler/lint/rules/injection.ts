import type { RuleId } from '../../schema/diagnostics.ts';
import { quote, type Finding } from '../../sources/finding.ts';
import { flatten, type Flat } from './flatten.ts';
import { isMention } from './mention.ts';
import { EXFILTRATIONS, INJECTIONS, ROLES, type Phrase } from './phrases.ts';

const HELP: Partial<Record<RuleId, string>> = {
  prompt_injection: 'use other words; to warn of the phrase, quote it and say that it is an attack',
  role_tag_forged: 'delete it; to write about it, quote it and say what to do about it',
  exfiltration_asked:
    'name a tool, or refer to a secret by its name; an instruction never sends a secret to an address',
};

/** Phrases that turn an agent against its instructions, role markers, and requests to exfiltrate secrets. */
export function findInjections(text: string): Finding[] {
  const flat = flatten(text);
  return [
    ...findPhrases(text, flat, INJECTIONS, 'prompt_injection'),
    ...findPhrases(text, flat, ROLES, 'role_tag_forged'),
    ...findPhrases(text, flat, EXFILTRATIONS, 'exfiltration_asked'),
    ...findEncoded(text),
  ];
}

function findPhrases(text: string, flat: Flat, phrases: readonly Phrase[], rule: RuleId): Finding[] {
  const found = new Map<number, Finding>();
  for (const { pattern, effect } of phrases) {
    for (const match of flat.text.matchAll(pattern)) {
      // the leading characters of a match only mark the beginning of a sentence
      const start = match.index + (/^["'.!?;:,\s]*/.exec(match[0])?.[0].length ?? 0);
      const end = match.index + match[0].length;
      if (isMention(flat, start, end)) continue;
      const index = flat.offsets[start] ?? 0;
      const words = text.slice(index, (flat.offsets[end - 1] ?? index) + 1);
      if (!found.has(index)) {
        found.set(index, { rule, index, message: `${quote(words)} ${effect}`, help: HELP[rule] ?? 'delete it' });
      }
    }
  }
  return [...found.values()];
}

/** Whether a text contains any such phrase, quoted or not: for hidden places. */
export function isInjection(text: string): boolean {
  const flat = flatten(text).text;
  return [...INJECTIONS, ...ROLES, ...EXFILTRATIONS].some(({ pattern }) => flat.search(pattern) !== -1);
}

/** Runs of characters that could be base64. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,8192}={0,2}/g;

/** The same phrases in base64: people cannot read them, but a model can. */
function findEncoded(text: string): Finding[] {
  return [...text.matchAll(BASE64)].flatMap(({ 0: run, index }) => {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (/[^\t\n\r -~]/.test(decoded) || !isInjection(decoded)) return [];
    const message = 'base64 here hides words that turn an agent against its instructions';
    return [{ rule: 'prompt_injection' as const, index, message, help: 'delete it' }];
  });
}
