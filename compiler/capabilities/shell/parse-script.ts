import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash';

/** Nodes of all trees that one command leads to. */
export const MAX_PARTS = 5_000;
/** Words of one script, plain ones too; a here-document is none. */
const MAX_WORDS = 16_384;
/** Beginning of a longer script, parsed first: it cannot hold too many words, and tells where parts become too many. */
const BEGINNING = 2 * MAX_WORDS;
/** The share that is parsed beyond what the beginning predicts, as parts do not lie evenly. */
const MARGIN = 1.1;

/** Thrown if a bound is exceeded: the command is then denied, so that reading need not go on. */
export class TooLarge extends Error {}

/** Parses a script. @throws TooLarge if it has more words, or its beginning more parts, than are read */
export function parseScript(text: string): ParsedScript {
  if (text.length <= BEGINNING) return parse(text);
  const enough = (BEGINNING * MARGIN) / shareRead(parse(text.slice(0, BEGINNING)));
  // a longer beginning would cost more than it can save
  if (enough < text.length / 2) shareRead(parse(text.slice(0, enough)));
  const script = parse(text);
  shareRead(script);
  return script;
}

/**
 * The share of what is read at most that a script has. Counts nodes that a walk counts too, which stops at the same
 * number. The inside of a substitution is not parsed yet.
 */
function shareRead(script: ParsedScript): number {
  const open: SyntaxNode[] = [script];
  let parts = 0;
  let words = 0;
  for (const node of open) {
    forEachChild(node, (child) => {
      if (child.type !== 'Word') open.push(child);
      else {
        words++;
        parts += child.parts?.length ?? 0;
      }
    });
    if (parts + open.length > MAX_PARTS || words > MAX_WORDS) throw new TooLarge('the command has too many parts');
  }
  return Math.max((parts + open.length) / MAX_PARTS, words / MAX_WORDS);
}
