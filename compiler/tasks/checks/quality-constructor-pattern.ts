import { functionsIn } from '../code/functions.ts';
import { languageOf } from '../code/languages.ts';
import { maskCode } from '../code/mask.ts';
import { failFor, type CheckModule } from './check-module.ts';

/** Lines of code; blank lines and comments are none. */
const MAX_FILE_LINES = 200;
const MAX_FUNCTION_LINES = 30;
/** Longer than any file within the limit could be: it is not read on. */
const MAX_SOURCE = 1024 * 1024;

/** `quality::constructor-pattern`: no file over 200 lines and no function over 30, among the files that changed. */
export const constructorPattern: CheckModule = async ({ changes, read }) => {
  const found: string[] = [];
  for (const { path, after, mode } of changes) {
    if (after === null || mode === '120000' || languageOf(path) === null) continue;
    found.push(...tooLong(path, (await read(path))?.toString('utf8') ?? null));
  }
  return failFor(found, `files over ${MAX_FILE_LINES} lines, or functions over ${MAX_FUNCTION_LINES}`);
};

/**
 * The file and its functions, where they are too long, as `path:line: why`.
 *
 * @param source null if it was too large to be read
 */
export function tooLong(path: string, source: string | null): string[] {
  const language = languageOf(path);
  if (language === null) return [];
  if (source === null || source.length > MAX_SOURCE) return [`${path}:1: the file is too large to be counted`];
  const masked = maskCode(source, language);
  const isCode = masked.split('\n').map((it) => it.trim() !== '');
  const linesIn = (from: number, to: number) => isCode.slice(from - 1, to).filter(Boolean).length;
  const whole = linesIn(1, isCode.length);
  const functions = functionsIn(masked, language).map(({ from, to }) => ({ from, lines: linesIn(from, to) }));
  return [
    ...(whole > MAX_FILE_LINES ? [`${path}:1: the file has ${whole} lines`] : []),
    ...functions
      .filter((it) => it.lines > MAX_FUNCTION_LINES)
      .map((it) => `${path}:${it.from}: a function has ${it.lines} lines`),
  ];
}
