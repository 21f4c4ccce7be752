/** The effects of a sed script besides editing. */
export interface SedScript {
  /** Whether a command or flag `e` runs the shell. */
  readonly executes: boolean;
  /** Files that `w` writes. */
  readonly writes: readonly string[];
}

/** Reads a script of sed as far as it takes to know what it runs and writes. */
export function readSedScript(script: string): SedScript {
  const writes: string[] = [];
  let executes = false;
  let at = 0;
  const restOfLine = (from: number) => {
    const end = script.indexOf('\n', from);
    return end < 0 ? script.length : end;
  };
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at++] ?? '';
    if (command === 'e') executes = true;
    if (command === 's' || command === 'y') {
      const { flags, end } = readSubstitution(script, at);
      if (command === 's' && flags.includes('e')) executes = true;
      at = end;
      if (flags.endsWith('w')) {
        const line = restOfLine(at);
        writes.push(script.slice(at, line).trim());
        at = line;
      }
    } else if (/[aicrRwWbt:Tev]/.test(command)) {
      const end = /[btT:v]/.test(command) ? endOfLabel(script, at) : restOfLine(at);
      if (/[wW]/.test(command)) writes.push(script.slice(at, end).trim());
      at = end;
    } else if (command === '#') at = restOfLine(at);
  }
  return { executes, writes };
}

function endOfLabel(script: string, from: number): number {
  let at = from;
  while (at < script.length && !/[;\n}]/.test(script[at] ?? '')) at++;
  return at;
}

/** Skips spaces, separators and addresses: numbers, `$`, `/…/`, `\c…c`, with their flags. */
function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const char = script[at] ?? '';
    if (char === '/') at = endOfRegex(script, at + 1, '/');
    else if (char === '\\') at = endOfRegex(script, at + 2, script[at + 1] ?? '');
    else if (/[\s;{}0-9$,+~!IM]/.test(char)) at++;
    else break;
  }
  return at;
}

/** The place behind the next delimiter that is not escaped and not in brackets. */
function endOfRegex(script: string, from: number, delimiter: string): number {
  let at = from;
  while (at < script.length && script[at] !== delimiter) at += script[at] === '\\' ? 2 : 1;
  return at + 1;
}

function readSubstitution(script: string, from: number): { flags: string; end: number } {
  const delimiter = script[from] ?? '';
  const second = endOfRegex(script, from + 1, delimiter);
  let end = endOfRegex(script, second, delimiter);
  const start = end;
  while (end < script.length && /[gpIiMme0-9w]/.test(script[end] ?? '')) if (script[end++] === 'w') break;
  return { flags: script.slice(start, end), end };
}
