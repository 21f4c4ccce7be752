import ts from 'typescript';
import { isIndex, isNoPlace, isSign } from './equivalents.ts';

/** One change of a text: the characters from `start` to `end` become `text`. */
export interface Change {
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const K = ts.SyntaxKind;

const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly (readonly [string, string])[]> = new Map([
  [K.EqualsEqualsEqualsToken, [['equality', '!==']]],
  [K.ExclamationEqualsEqualsToken, [['equality', '===']]],
  [
    K.LessThanToken,
    [
      ['boundary', '<='],
      ['equality', '>='],
    ],
  ],
  [
    K.LessThanEqualsToken,
    [
      ['boundary', '<'],
      ['equality', '>'],
    ],
  ],
  [
    K.GreaterThanToken,
    [
      ['boundary', '>='],
      ['equality', '<='],
    ],
  ],
  [
    K.GreaterThanEqualsToken,
    [
      ['boundary', '>'],
      ['equality', '<'],
    ],
  ],
  [K.AmpersandAmpersandToken, [['logical', '||']]],
  [K.BarBarToken, [['logical', '&&']]],
  [K.PlusToken, [['arithmetic', '-']]],
  [K.MinusToken, [['arithmetic', '+']]],
  [K.AsteriskToken, [['arithmetic', '/']]],
  [K.SlashToken, [['arithmetic', '*']]],
  [K.PercentToken, [['arithmetic', '*']]],
  [K.PlusEqualsToken, [['arithmetic', '-=']]],
  [K.MinusEqualsToken, [['arithmetic', '+=']]],
] as const);

/** Calls that a slip exchanges or forgets: the other name, or null for the receiver alone. */
const METHODS: ReadonlyMap<string, string | null> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['filter', null],
  ['sort', null],
  ['toSorted', null],
  ['reverse', null],
  ['toReversed', null],
  ['slice', null],
  ['trim', null],
  ['toLowerCase', null],
]);

/** Every change of one node, its children's left out. */
export function changesOf(node: ts.Node, file: ts.SourceFile): Change[] {
  const text = (it: ts.Node) => it.getText(file);
  const to = (mutator: string, it: ts.Node, becomes: string): Change => ({
    mutator,
    start: it.getStart(file),
    end: it.getEnd(),
    text: becomes,
  });
  if (ts.isBinaryExpression(node)) return ofBinary(node, to, text);
  if (ts.isCallExpression(node)) return ofCall(node, to, text);
  if (ts.isIfStatement(node))
    return [to('condition', node.expression, 'true'), to('condition', node.expression, 'false')];
  if (ts.isWhileStatement(node)) return [to('condition', node.expression, 'false')];
  if (ts.isConditionalExpression(node))
    return [to('condition', node.condition, 'true'), to('condition', node.condition, 'false')];
  if (ts.isPrefixUnaryExpression(node)) return ofPrefix(node, to, text);
  if (ts.isPostfixUnaryExpression(node))
    return [to('update', node, text(node.operand) + (node.operator === K.PlusPlusToken ? '--' : '++'))];
  if (node.kind === K.TrueKeyword) return [to('boolean', node, 'false')];
  if (node.kind === K.FalseKeyword) return [to('boolean', node, 'true')];
  if (ts.isNumericLiteral(node))
    return isSign(node) || isNoPlace(node) ? [] : [to('number', node, String(Number(node.text) + 1))];
  if (ts.isStringLiteral(node)) return isProse(node.text) ? [] : [to('string', node, `'mutated'`)];
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? [to('array', node, '[]')] : [];
  if (ts.isReturnStatement(node)) return node.expression ? ofResult(node.expression, to) : [];
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : ofResult(node.body, to);
  if (ts.isExpressionStatement(node)) return isEffect(node.expression) ? [to('statement', node, '')] : [];
  return ofChain(node, to);
}

type To = (mutator: string, it: ts.Node, becomes: string) => Change;
type Text = (it: ts.Node) => string;

function ofBinary(node: ts.BinaryExpression, to: To, text: Text): Change[] {
  const { left, right, operatorToken: operator } = node;
  if (operator.kind === K.QuestionQuestionToken) {
    const toLeft = isIndex(node) && text(right) === '-1' ? [] : [to('logical', node, text(left))];
    return [...toLeft, to('logical', node, text(right))];
  }
  const joins = operator.kind === K.PlusToken || operator.kind === K.PlusEqualsToken;
  if (joins && [left, right].some(isText)) return [];
  return (OPERATORS.get(operator.kind) ?? []).map(([mutator, becomes]) => to(mutator, operator, becomes));
}

function ofCall(node: ts.CallExpression, to: To, text: Text): Change[] {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.questionDotToken) return [];
  const other = METHODS.get(text(callee.name));
  if (other === undefined) return [];
  return other === null ? [to('method', node, text(callee.expression))] : [to('method', callee.name, other)];
}

function ofPrefix(node: ts.PrefixUnaryExpression, to: To, text: Text): Change[] {
  if (node.operator === K.ExclamationToken || node.operator === K.MinusToken)
    return [to('negation', node, text(node.operand))];
  if (node.operator === K.PlusPlusToken) return [to('update', node, `--${text(node.operand)}`)];
  return node.operator === K.MinusMinusToken ? [to('update', node, `++${text(node.operand)}`)] : [];
}

/** Of literals the mutators of literals take care. */
function ofResult(result: ts.Expression, to: To): Change[] {
  if (ts.isLiteralExpression(result) || ts.isArrayLiteralExpression(result)) return [];
  if ([K.TrueKeyword, K.FalseKeyword, K.NullKeyword].includes(result.kind)) return [];
  return ts.isIdentifier(result) && result.text === 'undefined' ? [] : [to('result', result, 'undefined')];
}

function isEffect(node: ts.Expression): boolean {
  const it = ts.isAwaitExpression(node) || ts.isVoidExpression(node) ? node.expression : node;
  return ts.isCallExpression(it) ? it.expression.kind !== K.SuperKeyword : ts.isBinaryExpression(it);
}

function ofChain(node: ts.Node, to: To): Change[] {
  if (!ts.isOptionalChain(node) || ts.isNonNullChain(node) || !node.questionDotToken) return [];
  return [to('optional', node.questionDotToken, ts.isPropertyAccessChain(node) ? '.' : '')];
}

const isText = (node: ts.Expression) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Tests assert codes and names; sentences they leave to readers. */
const isProse = (text: string) => /\s/.test(text) || text === '';
