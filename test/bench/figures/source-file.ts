import ts from 'typescript';

/** A name that a file declares at its top. */
export interface Declared {
  readonly name: string;
  readonly kind: 'type' | 'function';
  readonly isExported: boolean;
}

/** Properties of one file that the figures need. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** Lines of each function that has a name and a block. */
  readonly functions: readonly number[];
  readonly declared: readonly Declared[];
}

/** Parses one file of TypeScript or JavaScript. */
export function parseSource(path: string, text: string): SourceFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return {
    path,
    lines: countLines(text),
    functions: functionsIn(source),
    declared: source.statements.flatMap(declaredBy),
  };
}

/** Lines of a text; the last one may or may not end with a line break. */
export function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

function functionsIn(source: ts.SourceFile): number[] {
  const found: number[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (isNamedFunction(node)) found.push(lineOf(node.getEnd()) - lineOf(node.getStart()) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A callback belongs to the function that it is handed in; an overload has no block. */
function isNamedFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node))
    return node.body !== undefined;
  if (ts.isAccessor(node)) return true;
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  const { parent } = node;
  const hasName =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return hasName && ts.isBlock(node.body);
}

function declaredBy(statement: ts.Statement): Declared[] {
  const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport) === true;
  const as = (kind: Declared['kind'], name: ts.Node | undefined) =>
    name ? [{ name: name.getText(), kind, isExported }] : [];
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement))
    return as('type', statement.name);
  if (ts.isFunctionDeclaration(statement)) return as('function', statement.name);
  if (!ts.isVariableStatement(statement)) return [];
  const arrows = statement.declarationList.declarations.filter((it) => it.initializer && isFunction(it.initializer));
  return arrows.flatMap((it) => as('function', it.name));
}

function isExport({ kind }: ts.ModifierLike): boolean {
  return kind === ts.SyntaxKind.ExportKeyword;
}

function isFunction(node: ts.Expression): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}
