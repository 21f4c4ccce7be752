import type { Finding } from '../../sources/finding.ts';
import { allMatches } from './all-matches.ts';
import { isInjection } from './injection.ts';
import { markupOf, MAY_HIDE } from './unrendered/markup.ts';
import { covers, type Range } from './unrendered/range.ts';

const TELLS = [
  /\byou (?:must|should|will|shall|are|can|may|have to|need to|ought)\b/i,
  /\b(?:agents?|assistants?|models?|llms?|ais?|bots?|reviewers?) (?:must|should|will|shall|are to|have to|need to)\b/i,
  /\b(?:send|forward|upload|post|e-?mail|transfer|approve|execute|run|curl|fetch|call|reply|respond|answer|grant|delete|merge|skip|disable) (?:the|all|every|any|this|that|these|with|to|it|everything|anything|https?)\b/i,
  /\b(?:when|before|after|while) (?:reading|summari[sz]ing|processing|answering|reviewing) this\b/i,
];

const STYLED_AWAY =
  /<[a-z][^<>]{0,300}?(?:\bstyle ?= ?["'][^"'<>]{0,200}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0(?![.\d])|color ?: ?(?:transparent|white|#fff)))[^<>]{0,300}>|<[a-z][\w-]{0,30}(?: [^<>]{0,300}?)? hidden(?=[ />=])[^<>]{0,300}>/gi;

/** A value that is computed when it is asked for, and once. */
export function lazily<T extends object>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}

/** Text that a page does not show, and elements hidden by style, that give instructions to their reader. */
export function findUnrendered(text: string, markup = lazily(() => markupOf(text))): Finding[] {
  if (!MAY_HIDE.test(text)) return [];
  const styled = allMatches(text, STYLED_AWAY);
  // a text that asks for nothing anywhere need not be parsed
  if (styled.length === 0 && !instructs(text)) return [];
  const { code, hidden } = markup();
  const unseen = hidden.filter(({ from, to }) => instructs(text.slice(from, to)));
  return [
    ...unseen.map((it) => finding(it.from + leadIn(text, it), UNSEEN)),
    ...styled.filter((it) => !covers(code, it.index)).map(({ index }) => finding(index, STYLED)),
  ];
}

const UNSEEN = 'text that a rendered page does not show gives instructions to its reader, and agents read it';
const STYLED = 'an element is hidden by its style, and agents read it';

function instructs(text: string): boolean {
  return TELLS.some((tells) => tells.test(text)) || isInjection(text);
}

/** Length of the start of a hidden part that has only blanks and the marks of quotes and items. */
function leadIn(text: string, { from, to }: Range): number {
  return /^[\s>*+-]*/.exec(text.slice(from, to))?.[0].length ?? 0;
}

function finding(index: number, message: string): Finding {
  const help = 'write it in visible text, or delete it';
  return { rule: 'comment_instructs', index, message, help };
}

/** `data:` with content, and `javascript:` in a link that a click would run. */
const ACTIVE =
  /\bdata:(?:text\/|application\/|image\/svg)[\w.+-]{1,40}(?:;[\w=-]{1,40}){0,4},[^\s)"'>]{8}|\bdata:[\w.+-]{1,40}\/[\w.+-]{1,40};base64,[A-Za-z0-9+/]{16}|(?:\]\(\s?<?|\]:[ \t]{0,9}<?|href ?= ?["']?|src ?= ?["']?|<)(?:javascript|vbscript):/gi;

/** Links that contain content or run a script; in code, `javascript:` is only shown. */
export function findActiveUris(text: string, markup = lazily(() => markupOf(text))): Finding[] {
  return allMatches(text, ACTIVE)
    .filter(({ 0: match, index }) => match.startsWith('data:') || !covers(markup().code, index))
    .map(({ 0: match, index }) => ({
      rule: 'uri_active',
      index,
      message: match.toLowerCase().startsWith('data:')
        ? 'a data: URI contains content that nobody can review'
        : 'a link runs a script',
      help: 'commit the content as a file of its own, or delete it',
    }));
}
