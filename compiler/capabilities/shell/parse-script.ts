import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { TooLarge } from './reading.ts';
import { MAX_NODES, MAX_WORDS } from './words/limits.ts';

type Script = ReturnType<typeof parse>;

/** Beginning of a longer script, parsed first: it cannot hold too many words, and tells where parts become too many. */
const BEGINNING = 2 * MAX_WORDS;
/** The share that is parsed beyond what the beginning predicts, as parts do not lie evenly. */
const MARGIN = 1.1;

/** Parses a script. @throws TooLarge if it has more words, or its beginning more parts, than are read */
export function parseScript(text: string): Script {
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
 * number. What stands in a substitution is not parsed yet.
 */
function shareRead(script: Script): number {
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
    if (parts + open.length > MAX_NODES || words > MAX_WORDS) throw new TooLarge('the command has too many parts');
  }
  return Math.max((parts + open.length) / MAX_NODES, words / MAX_WORDS);
}

/** Most words are plain text, and a long command has many: nothing runs inside of them. */
export function isPlain(node: SyntaxNode): boolean {
  return node.type === 'Word' && node.parts === undefined;
}
