import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { TooLarge } from './reading.ts';
import { MAX_NODES } from './words/limits.ts';

type Script = ReturnType<typeof parse>;

/** The beginning of a longer script is parsed first: it tells how much has to be parsed to find too many parts. */
const BEGINNING = 32 * 1024;
/** The share that is parsed beyond what the beginning predicts, as parts do not lie evenly. */
const MARGIN = 1.1;

/** Parses a script. @throws TooLarge if its beginning already has more parts than are read */
export function parseScript(text: string): Script {
  if (text.length <= BEGINNING) return parse(text);
  const enough = (BEGINNING * MARGIN * MAX_NODES) / countParts(parse(text.slice(0, BEGINNING)));
  // a longer beginning would cost more than it can save
  if (enough < text.length / 2) countParts(parse(text.slice(0, enough)));
  return parse(text);
}

/** Counts nodes that a walk counts too, which stops at the same number. What stands in a substitution is not parsed yet. */
function countParts(script: Script): number {
  const open: SyntaxNode[] = [script];
  let count = 0;
  for (const node of open) {
    forEachChild(node, (child) => {
      if (child.type === 'Word') count += child.parts?.length ?? 0;
      else open.push(child);
    });
    if (count + open.length > MAX_NODES) throw new TooLarge('the command has too many parts');
  }
  return count + open.length;
}

/** Most words are plain text, and a long command has many: nothing runs inside of them. */
export function isPlain(node: SyntaxNode): boolean {
  return node.type === 'Word' && node.parts === undefined;
}
