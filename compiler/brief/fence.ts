/** A line that begins or ends a block of code. */
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

/** An answer without the code fence around it, each line in its place; or the fault of what is around it. */
export type Unfenced =
  | { readonly text: string }
  | { readonly line: number; readonly why: string; readonly help: string };

/**
 * Takes off the one code fence that a model puts around an answer. Untrusted input.
 *
 * @returns the text as it is where it has no fence
 */
export function unfenced(text: string): Unfenced {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const begin = lines.findIndex((it) => FENCE.test(it));
  if (begin === -1) return { text };
  const before = lines.findIndex((it) => it.trim() !== '');
  if (before < begin) return { line: before + 1, why: 'text stands before the code fence', help: ALONE };
  const [, mark = ''] = FENCE.exec(lines[begin] ?? '') ?? [];
  const end = lines.findIndex((it, i) => i > begin && isEnd(it, mark));
  const open = { line: begin + 1, why: 'the code fence that begins here never ends' };
  if (end === -1) return { ...open, help: `write its end, ${mark}, on a line after the answer, or delete this line` };
  const after = lines.findIndex((it, i) => i > end && it.trim() !== '');
  if (after !== -1) return { line: after + 1, why: 'text stands after the code fence', help: ALONE };
  return { text: lines.map((it, i) => (i === begin || i === end ? '' : it)).join('\n') };
}

const ALONE = 'give the answer alone: delete what stands before and after it';

function isEnd(line: string, mark: string): boolean {
  const [, run = '', rest = ''] = FENCE.exec(line) ?? [];
  return run.startsWith(mark) && rest.trim() === '';
}
