const MOST = 120;

/** Line that a comment fills, or that ends with one. */
const COMMENT = /^\s*(?:\/?\*|\/\/)|\s\/\/ /;
/** Line that stays whole: a URL is copied, and a tool reads a directive. */
const WHOLE = /https?:\/\/|oxfmt-ignore|oxlint-|@ts-/;
/** Begin of a comment whose head is `what`; a line of `//` below another one goes on with its sentence. */
const HEADLESS = /\/\*\*?\s+(?:\* )?what\b|\/\/ what\b(?<!^\s*\/\/.*\n\s*\/\/ what)/gim;

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** Places of a source where a line of a comment is longer than a reader's window. */
export function longComments(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    const isLong = line.length > MOST && COMMENT.test(line) && !WHOLE.test(line);
    return isLong ? [`${file}:${i + 1}`] : [];
  });
}

/** Places of a source where a comment begins with `what`, in place of the noun that it describes. */
export function headlessComments(file: string, text: string): string[] {
  return [...text.matchAll(HEADLESS)].map(({ index }) => `${file}:${lineOf(text, index)}`);
}
