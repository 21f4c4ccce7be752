// Changes that mean the same by construction, whatever the program does: no mutant is made of them.
import ts from 'typescript';

/**
 * The result of a comparison for sorting, as in `sort((a, b) => (a < b ? -1 : 1))`: only its sign counts, so that
 * another number means the same.
 */
export function isSign(node: ts.NumericLiteral): boolean {
  const signed = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node;
  let it: ts.Node = signed;
  if (Number(node.text) === 0 || !ts.isConditionalExpression(it.parent) || it.parent.condition === it) return false;
  while (ts.isConditionalExpression(it.parent) || ts.isParenthesizedExpression(it.parent) || isOr(it.parent)) {
    if (ts.isConditionalExpression(it.parent) && it.parent.condition === it) return false;
    it = it.parent;
  }
  const { parent: compare } = it;
  if (!ts.isArrowFunction(compare) || compare.body !== it || !ts.isCallExpression(compare.parent)) return false;
  const { expression: callee } = compare.parent;
  return ts.isPropertyAccessExpression(callee) && ['sort', 'toSorted'].includes(callee.name.text);
}

/** Whether it is the right side of `a || b`, the value of which is then that of the whole. */
function isOr(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.BarBarToken;
}

/** The index that no list has, as in `list[place ?? -1]`: neither has it -2 or undefined. */
export function isNoPlace({ text, parent }: ts.NumericLiteral): boolean {
  return (
    text === '1' &&
    ts.isPrefixUnaryExpression(parent) &&
    parent.operator === ts.SyntaxKind.MinusToken &&
    ts.isBinaryExpression(parent.parent) &&
    parent.parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
    isIndex(parent.parent)
  );
}

/** Whether it is the index of an element. */
export function isIndex(node: ts.Node): boolean {
  return ts.isElementAccessExpression(node.parent) && node.parent.argumentExpression === node;
}
