import { isPair, isScalar, visit, type Document, type Node, type Pair, type Scalar } from 'yaml';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import { quoted, quoteIt } from '../schema/issue-wording.ts';

/** Keys whose values are sentences; a comment after any other value is one that its author meant. */
const PROSE: ReadonlySet<string> = new Set([
  ...['description', 'intents', 'keywords', 'task_types', 'required_by_task_types'],
  ...['intent', 'phrases', 'triggers', 'role'],
]);

/** The mapping in answers and in files of phrases whose values are sentences, or hold them. */
const SENTENCES = 'units';

/**
 * Sentences that YAML cuts at “ #”, as in `description: Post in the #deployments channel`: what stands behind it would
 * be lost without a word.
 */
export function cutProse(
  document: Document.Parsed,
  text: string,
  file: string,
  position: (offset: number) => Position,
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  visit(document, {
    Scalar: (key, scalar, path) => {
      if (key === 'key' || scalar.type !== 'PLAIN' || !isProse(path)) return;
      const cut = cutOf(scalar, text);
      if (cut === null) return;
      const message = `“${shown(cut.kept)}” ends before “#”: YAML reads “${shown(cut.lost)}” as a comment`;
      const help = quoteIt(`${cut.lead}${quoted(inOneLine(`${cut.kept} ${cut.lost}`))}`);
      faults.push(diagnostic('yaml_invalid', file, message, help, position(scalar.range?.[0] ?? 0)));
    },
  });
  return faults;
}

/** A sentence in two halves, and what stands before it on its line. */
interface Cut {
  readonly lead: string;
  readonly kept: string;
  readonly lost: string;
}

/** The part of a scalar that YAML keeps, and the comment behind it on its line; null without one. */
function cutOf({ range }: Scalar, text: string): Cut | null {
  if (!range) return null;
  const [from, to] = range;
  const end = text.indexOf('\n', to);
  const rest = text.slice(to, end === -1 ? undefined : end);
  if (!/^[ \t]+#/.test(rest)) return null;
  const lead = text.slice(text.lastIndexOf('\n', from) + 1, from).trimStart();
  return { lead, kept: text.slice(from, to), lost: rest.trim() };
}

/** Whether a sentence stands here: by the nearest key, or as an entry of the mapping of sentences. */
function isProse(path: readonly (Document | Node | Pair)[]): boolean {
  const [nearest = '', next] = path.filter(isPair).map(nameOf).reverse();
  return PROSE.has(nearest) || next === SENTENCES;
}

const nameOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

const MOST_SHOWN = 80;

const inOneLine = (half: string): string => half.replaceAll(/\s+/g, ' ');

function shown(half: string): string {
  const line = inOneLine(half);
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`;
}
