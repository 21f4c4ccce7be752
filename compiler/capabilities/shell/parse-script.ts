import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { TooLarge } from './reading.ts';
import { MAX_NODES } from './words/limits.ts';

type Script = ReturnType<typeof parse>;

/** The beginning of a longer script is parsed first: if its parts are too many, the rest is not parsed. */
const BEGINNING = 32 * 1024;

/** Parses a script. @throws TooLarge if already its beginning has more parts than are read */
export function parseScript(text: string): Script {
  if (text.length > BEGINNING) countParts(parse(text.slice(0, BEGINNING)));
  return parse(text);
}

/** Counts nodes that a walk counts too, which stops at the same number. What stands in a substitution is not parsed yet. */
function countParts(script: Script): void {
  const open: SyntaxNode[] = [script];
  let count = 0;
  for (const node of open) {
    forEachChild(node, (child) => {
      if (child.type === 'Word') count += child.parts?.length ?? 0;
      else open.push(child);
    });
    if (count + open.length > MAX_NODES) throw new TooLarge('the command has too many parts');
  }
}

/** Most words are plain text, and a long command has many: nothing runs inside of them. */
export function isPlain(node: SyntaxNode): boolean {
  return node.type === 'Word' && node.parts === undefined;
}
