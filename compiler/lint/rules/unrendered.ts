import type { Finding } from '../../sources/finding.ts';
import { allMatches } from './all-matches.ts';
import { isInjection } from './injection.ts';

/** Text that rendered Markdown hides, but agents read. */
interface Unrendered {
  readonly index: number;
  readonly text: string;
}

const TELLS = [
  /\byou (?:must|should|will|shall|are|can|may|have to|need to|ought)\b/i,
  /\b(?:agents?|assistants?|models?|llms?|ais?|bots?|reviewers?) (?:must|should|will|shall|are to|have to|need to)\b/i,
  /\b(?:send|forward|upload|post|e-?mail|transfer|approve|execute|run|curl|fetch|call|reply|respond|answer|grant|delete|merge|skip|disable) (?:the|all|every|any|this|that|these|with|to|it|everything|anything|https?)\b/i,
  /\b(?:when|before|after|while) (?:reading|summari[sz]ing|processing|answering|reviewing) this\b/i,
];

const STYLED_AWAY =
  /<[a-z][^<>]{0,300}?(?:\bstyle ?= ?["'][^"'<>]{0,200}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0(?![.\d])|color ?: ?(?:transparent|white|#fff)))[^<>]{0,300}>|<[a-z][\w-]{0,30}(?: [^<>]{0,300}?)? hidden(?=[ />=])[^<>]{0,300}>/gi;

/** Comments, and elements hidden by style, that give instructions to their reader. */
export function findUnrendered(text: string): Finding[] {
  const code = codeRanges(text);
  const shown = (index: number) => isWithin(code, index);
  const comments = commentsIn(text)
    .filter((it) => !shown(it.index) && (isInjection(it.text) || TELLS.some((tells) => tells.test(it.text))))
    .map(({ index }) => finding(index, 'a hidden comment gives instructions to its reader, and agents read it'));
  const styled = allMatches(text, STYLED_AWAY)
    .filter((it) => !shown(it.index))
    .map(({ index }) => finding(index, 'an element is hidden by its style, and agents read it'));
  return [...comments, ...styled];
}

function finding(index: number, message: string): Finding {
  const help = 'write it in visible text, or delete it';
  return { rule: 'comment_instructs', index, message, help };
}

/** `<? … ?>`, `<![CDATA[ … ]]>` and `<!X … >`: Markdown passes them on as HTML, and a browser shows none of them. */
const DECLARED = /<\?([^>]{0,2000})>|<!\[CDATA\[([^\]]{0,2000})\]|<!(?!--|\[CDATA)([a-z][^>]{0,2000})>/gi;

const DEFINITION = /^ {0,3}\[(\^?[^\][]{1,200})\]:[ \t]?(.{1,2000})$/gm;

const labelled = (label = '') => label.replace(/\s+/g, ' ').trim().toLowerCase();

/** Definitions that nothing shows: of a label that the text never uses, or a second one of a label. */
function idleDefinitions(text: string): Unrendered[] {
  const used = new Set(allMatches(text, /\[(\^?[^\][]{1,200})\](?!:)/g).map((it) => labelled(it[1])));
  const seen = new Set<string>();
  return allMatches(text, DEFINITION).flatMap((it) => {
    const label = labelled(it[1]);
    const isShown = used.has(label) && !seen.has(label);
    seen.add(label);
    return isShown ? [] : [{ index: it.index, text: it[2] ?? '' }];
  });
}

/** HTML comments, also unclosed ones, declarations, and link definitions that nothing shows. */
function commentsIn(text: string): Unrendered[] {
  const found: Unrendered[] = idleDefinitions(text);
  for (const match of allMatches(text, DECLARED)) {
    found.push({ index: match.index, text: match[1] ?? match[2] ?? match[3] ?? '' });
  }
  for (let index = text.indexOf('<!--'); index !== -1;) {
    const end = text.indexOf('-->', index + 4);
    const stop = end === -1 ? text.length : end;
    found.push({ index, text: text.slice(index + 4, stop) });
    index = text.indexOf('<!--', stop);
  }
  return found;
}

/** `data:` with content, and `javascript:` in a link that a click would run. */
const ACTIVE =
  /\bdata:(?:text\/|application\/|image\/svg)[\w.+-]{1,40}(?:;[\w=-]{1,40}){0,4},[^\s)"'>]{8}|\bdata:[\w.+-]{1,40}\/[\w.+-]{1,40};base64,[A-Za-z0-9+/]{16}|(?:\]\(\s?<?|\]:[ \t]{0,9}<?|href ?= ?["']?|src ?= ?["']?|<)(?:javascript|vbscript):/gi;

/** Links that contain content or run a script; in code, `javascript:` is only shown. */
export function findActiveUris(text: string): Finding[] {
  const code = codeRanges(text);
  return allMatches(text, ACTIVE)
    .filter(({ 0: match, index }) => match.startsWith('data:') || !isWithin(code, index))
    .map(({ 0: match, index }) => ({
      rule: 'uri_active',
      index,
      message: match.toLowerCase().startsWith('data:')
        ? 'a data: URI contains content that nobody can review'
        : 'a link runs a script',
      help: 'commit the content as a file of its own, or delete it',
    }));
}

type Range = readonly [from: number, to: number];

/** Code fences and code spans of a Markdown text, in order. */
function codeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let fence: { mark: string; from: number } | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = { mark, from: start };
    else if (fence !== null && mark?.startsWith(fence.mark) && line.trim() === mark) {
      ranges.push([fence.from, start + line.length]);
      fence = null;
    } else if (fence === null && line.includes('`')) ranges.push(...spansIn(line, start));
    start += line.length + 1;
  }
  if (fence !== null) ranges.push([fence.from, text.length]);
  return ranges;
}

/** Spans between two runs of backticks of the same length; a run without a counterpart is text. */
function spansIn(line: string, start: number): Range[] {
  const runs = [...line.matchAll(/`+/g)].map((it) => ({ at: it.index, length: it[0].length }));
  const last = new Map(runs.map((it) => [it.length, it.at]));
  const found: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i];
    if (!open || (last.get(open.length) ?? -1) <= open.at) continue;
    const close = runs.findIndex((it, j) => j > i && it.length === open.length);
    found.push([start + open.at, start + (runs[close]?.at ?? open.at) + open.length]);
    i = close;
  }
  return found;
}

function isWithin(ranges: readonly Range[], index: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range[0] <= index;
}
