import { isMap, isScalar, parseDocument, type Document, type Node, type Pair } from 'yaml';
import { Org, type HubModel, type ModelChoice } from '../schema/source/org.ts';

/** Preparation and comparison of texts by a named model; an absent member stays as it is in the file. */
export interface ModelSettings {
  readonly pooling?: ModelChoice['pooling'] | undefined;
  readonly query_prefix?: string | undefined;
  readonly passage_prefix?: string | undefined;
  readonly mode?: ModelChoice['mode'];
}

/** Settings that belong to one model: they go when another is named. */
const OWN = ['pooling', 'query_prefix', 'passage_prefix'] as const;

const READING = { schema: 'core', merge: false, uniqueKeys: true } as const;

/**
 * Names a pinned model in the text of an `org.yaml`. Only the value of `model` is written again, with its comments; all
 * other lines stay, byte for byte.
 *
 * @returns null if a program cannot make the change, for example because of an alias
 */
export function editModel(yaml: string, model: HubModel, settings: ModelSettings): string | null {
  const document = parseDocument(yaml, READING);
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents) || contents.flow === true || /^\.\.\./m.test(yaml)) return null;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === 'model') as Pair<Node, Node> | undefined;
  const open = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}\n`;
  const from = pair?.key.range?.[0] ?? open.length;
  const to = pair ? endOf(pair, open) : open.length;
  const written = rewritten(open.slice(from, to), model, settings);
  const text = written && `${open.slice(0, from)}${written}${open.slice(to)}`;
  return text !== null && isSame(document, text, model) ? text : null;
}

/** An absent value ends with its line: what comes after it belongs to the next key. */
function endOf({ key, value }: Pair<Node, Node | null>, text: string): number {
  if (isScalar(value) && value.value !== null) return value.range?.[2] ?? text.length;
  if (isMap(value)) return value.range?.[2] ?? text.length;
  return text.indexOf('\n', key.range?.[1]) + 1;
}

/** The entry `model:` alone, which is a document of its own. */
function rewritten(entry: string, { name, revision, files }: HubModel, settings: ModelSettings): string | null {
  const document = parseDocument(entry, READING);
  if (document.errors.length > 0) return null;
  const before = document.get('model', true);
  if (!isMap(before)) document.set('model', emptied(document, before));
  const isOther = isMap(before) && before.get('name') !== name;
  try {
    for (const key of isOther ? OWN : []) document.deleteIn(['model', key]);
    for (const [key, value] of Object.entries({ name, revision, files, ...settings })) {
      if (value !== undefined) document.setIn(['model', key], value);
    }
    return document.toString({ lineWidth: 0 });
  } catch {
    // the library refuses to write a document that it could not read again
    return null;
  }
}

/** A map in the place of a word such as `builtin`; the word's comment stays. */
function emptied(document: Document, word: unknown): Node {
  const map = document.createNode({});
  if (isScalar(word) && word.comment) map.commentBefore = word.comment;
  return map;
}

/** Whether nothing but the model differs, and the model is the one to name. */
function isSame(before: Document, text: string, { name, revision }: HubModel): boolean {
  const after = parseDocument(text, READING);
  const rest = (document: Document) => JSON.stringify({ ...(document.toJS() as object), model: null });
  const { model } = Org.safeParse(after.toJS()).data ?? {};
  const isNamed = typeof model === 'object' && model.name === name && model.revision === revision;
  return isNamed && rest(before) === rest(after);
}
