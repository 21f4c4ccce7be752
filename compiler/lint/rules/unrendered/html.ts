import type { Range } from './range.ts';

/** The text that a reader gets of a tag: an image's text in its place, a title above what it belongs to. */
const TOLD = /\b(?:alt|title) ?= ?(?:"[^"]*"|'[^']*')/gi;

/** Elements whose content no page shows. */
const UNSHOWN = /^(?:script|style|template|title|noscript|noembed|noframes|iframe|datalist)$/i;

/** Start and end of a comment, a declaration or a CDATA section; the first that fits. */
const MARKS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '>'],
  ['<!', '>'],
] as const;

/** Comments and declarations, also unclosed ones. Takes linear time. */
export function declaredIn(html: string): Range[] {
  const found: Range[] = [];
  for (let from = html.indexOf('<'); from !== -1;) {
    const mark = MARKS.find(([open]) => html.startsWith(open, from));
    const to = mark ? endOf(html, mark[1], from + mark[0].length) : from + 1;
    if (mark) found.push({ from, to });
    from = html.indexOf('<', to);
  }
  return found;
}

function endOf(html: string, close: string, from: number): number {
  const at = html.indexOf(close, from);
  return at === -1 ? html.length : at + close.length;
}

/** All HTML that a page does not show: comments, declarations, tags with attributes, scripts. Takes linear time. */
export function unshownIn(html: string): Range[] {
  const found: Range[] = [];
  for (let from = html.indexOf('<'); from !== -1;) {
    const mark = MARKS.find(([open]) => html.startsWith(open, from));
    const to = mark ? endOf(html, mark[1], from + mark[0].length) : tagEnd(html, from);
    found.push(...(mark ? [{ from, to }] : tagParts(html, from, to)));
    from = html.indexOf('<', to);
  }
  return found;
}

/** End of a tag, whose attributes may contain any character in quotes; a mere `<` is text, and ends at once. */
function tagEnd(html: string, from: number): number {
  if (!/^<\/?[a-z]/i.test(html.slice(from, from + 3))) return from + 1;
  let quote = '';
  for (let at = from + 1; at < html.length; at++) {
    const it = html.charAt(at);
    if (quote !== '') quote = it === quote ? '' : quote;
    else if (it === '>') return at + 1;
    else if (it === '"' || it === "'") quote = it;
  }
  return html.length;
}

/** A tag without the texts that a reader gets of it. */
function tagParts(html: string, from: number, to: number): Range[] {
  if (to === from + 1) return [];
  const told = [...html.slice(from, to).matchAll(TOLD)];
  const starts = [from, ...told.map((it) => from + it.index + it[0].length)];
  return starts.map((start, i) => ({ from: start, to: from + (told[i]?.index ?? to - from) }));
}

/** Contents of elements that no page shows, by the tags of a text in order; an unclosed one has all that follows. */
export function contentsOf(text: string, tags: readonly Range[]): Range[] {
  const found: Range[] = [];
  let open: { readonly name: string; readonly from: number } | null = null;
  for (const { from, to } of tags) {
    const [, slash = '', name = ''] = /^<(\/?)([a-z]+)/i.exec(text.slice(from, from + 20)) ?? [];
    if (open === null && slash === '' && UNSHOWN.test(name)) open = { name: name.toLowerCase(), from: to };
    else if (open !== null && slash !== '' && name.toLowerCase() === open.name) {
      found.push({ from: open.from, to: from });
      open = null;
    }
  }
  return open === null ? found : [...found, { from: open.from, to: text.length }];
}
