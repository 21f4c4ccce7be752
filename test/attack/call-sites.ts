import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A place in the code that calls git, and the words that it always says. */
export interface CallSite {
  readonly file: string;
  readonly line: number;
  readonly words: readonly string[];
}

/** The functions that end in a git process: those of `Git` and `PrivateGit`, the three below them, and the log. */
const CALLS = /^(text|stream|run|runGit|spawnGit|start|readLog)$/;
/** The rooms that call git; the worktrees of agents are tasks' own. */
const FOLDERS = ['compiler/io', 'compiler/tasks/worktree'];

/** Every call of git in the code, read from its syntax tree. */
export function callSites(): CallSite[] {
  const ofGit = (file: string) => /git(-process|-config)?\.ts/.test(readFileSync(file, 'utf8') + file);
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files.filter((file) => file.endsWith('.ts') && ofGit(file)).flatMap(sitesOf);
}

function sitesOf(file: string): CallSite[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const lists = new Map<string, readonly string[]>();
  const sites: CallSite[] = [];
  const wordsAt = (node: ts.Node): readonly string[] => {
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(wordsAt);
    if (ts.isSpreadElement(node)) return wordsAt(node.expression);
    return ts.isStringLiteral(node) ? [node.text] : (ts.isIdentifier(node) && lists.get(node.text)) || [];
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrayLiteralExpression(node.initializer)) {
      lists.set(node.name.getText(), wordsAt(node.initializer));
    }
    if (ts.isCallExpression(node)) {
      const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const words = CALLS.test(callee.getText()) ? node.arguments.map(wordsAt).find((it) => it.length > 0) : undefined;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (words) sites.push({ file, line: line + 1, words });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}
