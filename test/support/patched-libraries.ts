import ts from 'typescript';

/** Calls that write into their first argument. */
const WRITERS = ['Object.assign', 'Object.defineProperty', 'Object.defineProperties', 'Object.setPrototypeOf'];

/**
 * Places where a source changes a library from outside: it assigns to a member of what a package exports, or takes
 * the type of such a member away by `as unknown as` for a type of its own, which reaches unpromised members.
 *
 * @returns the text of each place, in the order of the file
 */
export function patchesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const libraries = namesOfLibraries(source);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const target = changedBy(node) ?? retypedBy(node, libraries);
    if (target !== undefined && libraries.has(rootOf(target))) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Names that stand for what a package exports: by `import`, `require()` or `await import()`. */
function namesOfLibraries(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && isPackage(node.moduleSpecifier))
      importedBy(node).forEach((it) => names.add(it));
    if (ts.isVariableDeclaration(node) && node.initializer && isLoaded(node.initializer)) {
      boundBy(node.name).forEach((it) => names.add(it));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function importedBy({ importClause }: ts.ImportDeclaration): string[] {
  const named = importClause?.namedBindings;
  const bound = named === undefined ? [] : ts.isNamespaceImport(named) ? [named] : named.elements;
  return [importClause, ...bound].flatMap((it) => (it?.name === undefined ? [] : [it.name.text]));
}

function boundBy(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((it) => (ts.isBindingElement(it) ? boundBy(it.name) : []));
}

/** The value of `require('package')` or `await import('package')`, or a member of it. */
function isLoaded(node: ts.Expression): boolean {
  const value = bare(node);
  if (ts.isPropertyAccessExpression(value)) return isLoaded(value.expression);
  if (ts.isAwaitExpression(value)) return isLoaded(value.expression);
  if (!ts.isCallExpression(value) || !value.arguments[0] || !isPackage(value.arguments[0])) return false;
  return value.expression.kind === ts.SyntaxKind.ImportKeyword || value.expression.getText() === 'require';
}

function isPackage(node: ts.Node): boolean {
  return ts.isStringLiteral(node) && !node.text.startsWith('.');
}

/** The expression that a node writes into. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
    return isMember(node.left) ? node.left : undefined;
  }
  if (ts.isDeleteExpression(node)) return node.expression;
  return ts.isCallExpression(node) && WRITERS.includes(node.expression.getText()) ? node.arguments[0] : undefined;
}

/** The expression that a node takes the type away of, unless the new one is a type of a library too. */
function retypedBy(node: ts.Node, libraries: ReadonlySet<string>): ts.Expression | undefined {
  if (!ts.isAsExpression(node) || libraries.has(node.type.getText().split('.')[0] ?? '')) return undefined;
  const { expression } = node;
  return ts.isAsExpression(expression) && expression.type.kind === ts.SyntaxKind.UnknownKeyword
    ? expression.expression
    : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function isMember(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** First name of a chain of members and calls: `nlp` of `nlp.methods().one`; a direct call makes an own value. */
function rootOf(node: ts.Expression): string {
  const value = bare(node);
  if (ts.isIdentifier(value)) return value.text;
  if (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value)) return rootOf(value.expression);
  if (ts.isCallExpression(value) && isMember(bare(value.expression))) return rootOf(value.expression);
  return '';
}

/** Without parentheses, casts and `!`. */
function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node);
  return isWrapped ? bare(node.expression) : node;
}
