import { isMap, isScalar, isSeq, parseDocument, visit, type Document, type Node } from 'yaml';
import { splitFrontMatter } from './front-matter.ts';

/** A new value for one key of a YAML text; null removes the key. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: string | number | boolean | readonly string[] | null;
}

/**
 * Changes keys of a YAML text by its document tree: comments, order, quoting styles and all other keys stay.
 *
 * @returns null if the tree cannot represent the change, for example because of an alias
 */
export function editYaml(yaml: string, edits: readonly Edit[]): string | null {
  return changed(yaml, (document) => {
    for (const edit of edits) apply(document, edit);
  });
}

/** Adds items to the end of a list at the top of a YAML text; all else stays. Lists in an item stay on one line. */
export function appendYaml(yaml: string, key: string, items: readonly Item[]): string | null {
  return changed(yaml, (document) => {
    const list = document.get(key);
    if (!isSeq(list)) throw new TypeError(`${key} is not a list`);
    if (list.items.length === 0) list.flow = false;
    for (const item of items) list.add(blockOf(document, item));
  });
}

/** An item of a list, such as a probe. */
type Item = Readonly<Record<string, string | readonly string[]>>;

function blockOf(document: Document, item: Item): Node {
  const node = document.createNode(item);
  if (isMap(node)) for (const { value } of node.items) if (isSeq(value)) value.flow = true;
  return node;
}

function changed(yaml: string, change: (document: Document) => void): string | null {
  const document = parseDocument(yaml, { schema: 'core', merge: false, uniqueKeys: true });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  try {
    change(document);
    if (hasTwins(document)) return null;
    const indentSeq = !/^[A-Za-z_]+:[ \t]*\n-[ \t]/m.test(yaml);
    return document.toString({ lineWidth: 0, flowCollectionPadding: false, indentSeq });
  } catch {
    // the library refuses to write a document that it could not read again
    return null;
  }
}

/** Whether a map has one key twice, such as `1` and `"1"`: an edit found no key where a reader finds one. */
function hasTwins(document: Document): boolean {
  let found = false;
  visit(document, {
    Map: (_key, { items }) => {
      const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : key));
      found ||= new Set(keys).size < keys.length;
    },
  });
  return found;
}

/** Changes keys of a file's front matter; its body stays the same, byte for byte. */
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
    // an empty document would be read as null
    if (isMap(rest) && rest.items.length === 0) document.deleteIn([parent]);
    return;
  }
  const before = document.getIn(path, true);
  if (typeof value === 'object') setList(document, path, value, before);
  else if (isScalar(before) && before.anchor === undefined) before.value = value;
  else document.setIn(path, value);
}

/** Unchanged items keep their nodes, and with them their comments. */
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
