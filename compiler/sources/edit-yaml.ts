import { isMap, isScalar, isSeq, parseDocument, type Document, type Node } from 'yaml';
import { splitFrontMatter } from './front-matter.ts';

/** One key of a YAML text that gets another value; null takes it out. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: string | boolean | readonly string[] | null;
}

/**
 * Changes keys of a YAML text by its document tree: comments, order, styles of quotes and every other key stay.
 *
 * @returns null where the tree cannot take the change, such as one that an alias stands in the way of
 */
export function editYaml(yaml: string, edits: readonly Edit[]): string | null {
  const document = parseDocument(yaml, { schema: 'core', merge: false, uniqueKeys: true });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  try {
    for (const edit of edits) apply(document, edit);
    const indentSeq = !/^[A-Za-z_]+:[ \t]*\n-[ \t]/m.test(yaml);
    return document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq });
  } catch {
    // the library refuses to write what it could not read again
    return null;
  }
}

/** The same for a file's front matter; its body stays as it is, byte for byte. */
export function editFrontMatter(text: string, edits: readonly Edit[]): string | null {
  const closing = text.indexOf('\n---', 3) + 1;
  const opening = text.indexOf('\n') + 1;
  if (closing === 0) return null;
  const yaml = editYaml(text.slice(opening, closing), edits);
  if (yaml === null) return null;
  const retuned = `${text.slice(0, opening)}${yaml.endsWith('\n') ? yaml : `${yaml}\n`}${text.slice(closing)}`;
  return splitFrontMatter(retuned).content === splitFrontMatter(text).content ? retuned : null;
}

function apply(document: Document, { path, value }: Edit): void {
  if (value === null) {
    document.deleteIn(path);
    const [parent] = path;
    const rest = path.length > 1 ? document.getIn([parent]) : undefined;
    // nothing may be left that reads as null
    if (isMap(rest) && rest.items.length === 0) document.deleteIn([parent]);
    return;
  }
  const before = document.getIn(path, true);
  if (typeof value === 'object') setList(document, path, value, before);
  else if (isScalar(before) && before.anchor === undefined) before.value = value;
  else document.setIn(path, value);
}

/** Items that stay keep their nodes, and so the comments on them. */
function setList(document: Document, path: readonly string[], values: readonly string[], before: unknown): void {
  if (!isSeq(before) || before.anchor !== undefined) {
    document.setIn(path, document.createNode([...values]));
    return;
  }
  const left = [...before.items] as Node[];
  before.items = values.map((value) => {
    const at = left.findIndex((node) => isScalar(node) && node.value === value);
    return at === -1 ? document.createNode(value) : left.splice(at, 1)[0];
  });
}
