import ts from 'typescript';
import { changesOf, type Change } from './mutators.ts';

/** A change of a source file, and the place where it can be switched on. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  /** The whole line, to recognise the mutant by when lines have moved. */
  readonly code: string;
  readonly from: string;
  readonly to: string;
  readonly change: Change;
  /** The expression or statement around the change that can stand behind a switch. */
  readonly place: { readonly start: number; readonly end: number; readonly statement: boolean };
}

/** Every mutant of a source file. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found: Mutant[] = [];
  const visit = (node: ts.Node) => {
    if (isFixed(node)) return;
    for (const change of changesOf(node, file)) {
      const place = placeOf(node, change, file);
      if (!place) continue;
      const { line, character } = file.getLineAndCharacterOfPosition(change.start);
      const from = text.slice(change.start, change.end);
      const code = (lines[line] ?? '').trim();
      const { mutator, text: to } = change;
      found.push({ path, line: line + 1, column: character + 1, mutator, code, from, to, change, place });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((a, b) => a.change.start - b.change.start);
}

/** Code that no program runs, and names that are no values. */
function isFixed(node: ts.Node): boolean {
  const { parent } = node as { parent?: ts.Node };
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (parent !== undefined && ts.isPropertyAssignment(parent) && parent.name === node) ||
    (parent !== undefined && ts.isBindingElement(parent) && parent.propertyName === node) ||
    (parent !== undefined && ts.isExpressionStatement(parent) && ts.isStringLiteral(node)) ||
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

/** The smallest expression around a change that is a value, with the whole of a chain of `?.`; or the statement. */
function placeOf(node: ts.Node, change: Change, file: ts.SourceFile): Mutant['place'] | null {
  const at = (it: ts.Node, statement: boolean) => ({ start: it.getStart(file), end: it.getEnd(), statement });
  if (ts.isExpressionStatement(node)) return at(node, true);
  let it: ts.Node = node;
  if (ts.isIfStatement(it) || ts.isWhileStatement(it)) it = it.expression;
  if (ts.isConditionalExpression(it)) it = it.condition;
  if (ts.isArrowFunction(it)) it = it.body;
  if (ts.isReturnStatement(it) && it.expression) it = it.expression;
  for (;;) {
    const above: ts.Node = it.parent;
    const leads = 'expression' in above && above.expression === it;
    const chained =
      ts.isPropertyAccessExpression(above) || ts.isElementAccessExpression(above) || ts.isCallExpression(above);
    const asserted = ts.isNonNullExpression(above);
    if (!leads || !(asserted || chained)) break;
    it = above;
  }
  const target = ts.isBinaryExpression(it.parent) && it.parent.left === it && isAssignment(it.parent);
  if (target || isCounted(it) || ts.isDeleteExpression(it.parent) || ts.isTaggedTemplateExpression(it.parent))
    return null;
  return change.start >= it.getStart(file) && change.end <= it.getEnd() ? at(it, false) : null;
}

/** The operand of `++` or `--`, which has to stay a reference. */
function isCounted({ parent }: ts.Node): boolean {
  if (ts.isPostfixUnaryExpression(parent)) return true;
  const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
  return ts.isPrefixUnaryExpression(parent) && [PlusPlusToken, MinusMinusToken].some((it) => it === parent.operator);
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/**
 * The source with every mutant in it, each behind a switch: `vadeMutant(id)` is true where the mutant of this id is on.
 * No line is added, so that traces of the stack stay right.
 */
export function instrument(text: string, mutants: ReadonlyMap<number, Mutant>): string {
  const all = [...mutants];
  return rewrite(0, text.length, null);

  function rewrite(start: number, end: number, within: string | null): string {
    const key = ({ place }: Mutant) => `${place.start}:${place.end}`;
    const inside = all.filter(([, it]) => it.place.start >= start && it.place.end <= end && isBelow(it, within));
    // the widest places first, each with all its mutants
    const outermost = inside.filter(
      ([, it]) => !inside.some(([, other]) => key(other) !== key(it) && contains(other.place, it.place)),
    );
    const places = new Map(outermost.map(([, it]) => [key(it), it.place]));
    let result = '';
    let at = start;
    for (const [name, place] of [...places].sort(([, a], [, b]) => a.start - b.start)) {
      const here = inside.filter(([, it]) => key(it) === name);
      const original = rewrite(place.start, place.end, name);
      result += text.slice(at, place.start) + switched(place, here, original);
      at = place.end;
    }
    return result + text.slice(at, end);
  }

  function isBelow({ place }: Mutant, within: string | null): boolean {
    return within === null || `${place.start}:${place.end}` !== within;
  }

  function switched(place: Mutant['place'], here: readonly (readonly [number, Mutant])[], original: string): string {
    if (place.statement) {
      const off = here.map(([id]) => `!vadeMutant(${id})`).join(' && ');
      return `{ if (${off}) { ${original} } }`;
    }
    const cases = here.map(([id, { change }]) => {
      const mutated = text.slice(place.start, change.start) + change.text + text.slice(change.end, place.end);
      return `vadeMutant(${id}) ? (${mutated}) : `;
    });
    return `(${cases.join('')}(${original}))`;
  }
}

function contains(outer: Mutant['place'], inner: Mutant['place']): boolean {
  return outer.start <= inner.start && outer.end >= inner.end && outer !== inner;
}
