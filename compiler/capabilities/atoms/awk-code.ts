import { PLAIN } from '../shell/programs/plain-programs.ts';
import { isKnown } from '../shell/words/field.ts';
import { flat } from './inline-code.ts';

const SYSTEM = /\bsystem\s*\(/;
const SYSTEM_LITERAL = /\bsystem\s*\(\s*"[^"\\]*"\s*\)/g;
const READ = /(^|[^|])\|\s*&?\s*getline\b/;
const READ_LITERAL = /"[^"\\]*"\s*\|\s*&?\s*getline\b/g;

/** Why a program of awk is refused; null if it is not. */
export function judgeAwk(code: string): string | null {
  if (/@\s*\w+\s*\(/.test(code)) return 'awk calls a function by a computed name';
  const programs = pipedTo(code);
  if (!SYSTEM.test(code) && !READ.test(code) && programs.length === 0) return null;
  if (flat(code).includes('git')) return 'awk starts programs and mentions git';
  const rest = code.replaceAll(SYSTEM_LITERAL, ' ').replaceAll(READ_LITERAL, ' ');
  const isOpen = SYSTEM.test(rest) || READ.test(rest) || !programs.every(isWrittenOut) || !isKnown(code);
  return isOpen ? 'awk starts programs whose names are not literal' : null;
}

/** The programs behind each `print … |`. The code is read once: a pattern for it would take quadratic time. */
function pipedTo(code: string): string[] {
  const masked = code.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (it) => `"${'x'.repeat(it.length - 2)}"`);
  const found: string[] = [];
  let prints = false;
  for (const { 0: token, index } of masked.matchAll(/[;{}\n]|\|\|?|\bprintf?\b/g)) {
    if (token === '|' && prints) found.push(code.slice(index + 1).replace(/^\s*&?\s*/, ''));
    // a statement ends, or a new one begins with `print`
    prints = token.startsWith('print');
    if (found.length > MAX_PIPES) return [''];
  }
  return found;
}

/** An awk program with more pipes is treated as one that pipes to a program whose name is not written out. */
const MAX_PIPES = 100;

/** A program in quotes: alone, or followed by more if it is one that runs nothing else. */
function isWrittenOut(target: string): boolean {
  const [, text = null, after = ''] = /^"([^"\\]{0,4000})"\s*(.?)/s.exec(target) ?? [];
  if (text === null) return false;
  const [program = ''] = text.trim().split(/\s+/);
  return after === '' || /[;})\n]/.test(after) || (/\s/.test(text.trimStart()) && PLAIN.has(program));
}
