import { STARTERS } from '../shell/programs/code-commands.ts';
import { literalStarts } from '../shell/programs/literal-starts.ts';
import { plainCode } from '../shell/programs/plain-code.ts';
import type { InlineCode } from '../shell/reading.ts';
import type { Field } from '../shell/words/field.ts';
import { isKnown } from '../shell/words/field.ts';
import { computedIn } from './computed-code.ts';
import { namesGitCommand } from './git-programs.ts';

/** Longer code is not judged, but refused if it could start a program. */
const MAX_CODE = 100_000;

/** Words by which code starts programs, or hides how. */
const STARTS =
  /\b(system|popen\d?e?|subprocess|spawn\w*|exec\w*|fork|forkpty|eval|pty|pexpect|plumbum|fabric|runpy|importlib|ctypes|cffi|marshal|pickle|getattr|globals|locals|vars|builtins|child_process|worker_threads|shell_exec|passthru|proc_open|qx|readpipe|syscall|binding|dlopen|Command|Cmd|execute|communicate|create_subprocess\w*|posix_spawn\w*|dlsym|getoutput|getstatusoutput|startfile|webbrowser|Bun|execa|zx|shelljs|capture[23]e?|Function|AsyncFunction|constructor)\b|__(import|builtins|class|subclasses|globals|dict|getattribute|loader)__|`[^`]*`|%x|\bos\s*\.\s*exec|\bcompile\s*\(|require\s*\(\s*[^'"\s]|import\s*\(\s*[^'"\s]/;
/** Uses of such words that start nothing. */
const HARMLESS =
  /\b__class__\s*\.\s*__(?:name|qualname)__|\bre\s*\.\s*compile\s*\(|\.\s*exec\s*\(|\bexecutable\b|\bexecut(or|ion)\b|\bnew Function\b(?!\s*\()/g;
/** Python's list of what is installed: it loads nothing, unless the code asks for an entry point. */
const METADATA =
  /\bimportlib\s*\.\s*metadata\b|\bfrom\s+importlib\s+import\s+metadata\b|\bimportlib\s*\.\s*util(?:\s*\.\s*find_spec\b(?!\s*\([^()]*\)\s*\.))?/g;
const LOADS = /\b(?:EntryPoint|entry_points|load\w*|exec_module|module_from_spec|spec_from_\w+|sys\s*\.\s*modules)\b/;
/** Uses of JavaScript's functions for classes, and of Bun's for files, that start nothing. */
const PLAIN_USES =
  /(?<![.\w$])constructor\s*\([^()'"`]*\)\s*\{|\.\s*constructor\s*(?:[!=]==?|\.\s*name\b)|\bBun\s*\.\s*(?:version|file\s*\([^()]*\)\s*\.\s*(?:text|json|exists|bytes|size|type))\b/g;
const LIBRARIES =
  /\b(import|from|require|use|load)\b[^\n;]*\b(git|pygit2|dulwich|GitPython|simple-git|isomorphic-git|nodegit|rugged|libgit2)\b/i;
/** The file of git's program: a copy of it has another name. */
const PROGRAM = /\/(s?bin|git-core|libexec)\/git\b/;
/** Ways to make a text that is not written out. */
const HIDES =
  /\bchr\b|\\x[0-9a-f]|\\u[0-9a-f{]|\\[0-7]{2}|b(ase)?64|atob|fromCharCode|fromCodePoint|fromhex|unhexlify|codecs|rot.?13|::\s*-1|reverse|\bpack\b|%c|\bargv\b|\benviron\b|getenv|process\.env|\bENV\b|\bstdin\b|\binput\s*\(|getattr|__import__|\beval\b|\bbinding\b|\bARGV\b|\bcompile\s*\(|Function\s*\(|replace|translate|importlib|globals|constructor|pickle|marshal|ctypes|runpy|__\w+__/i;
/** The first argument of what starts a program. */
const CALLS = new RegExp(String.raw`\b(${STARTERS})\s*\(\s*`, 'g');
const LITERAL = /^(\[\s*)?(['"`])((?:(?!\2)[^\\\n$])*)\2((\s*,\s*(['"])((?:(?!\6)[^\\\n])*)\6)*)\s*[\]),]/;

/** Why code of another language is refused; null if it is not. */
export function judgeCode({ program, code, args }: InlineCode): string | null {
  if (program === 'input')
    return namesGitCommand(code) && STARTS.test(code) ? 'the standard input mentions git and starts programs' : null;
  if (!isKnown(code) && onlyUnknown(code)) return `${program} runs code that is only known at run time`;
  if (LIBRARIES.test(code)) return 'the code loads a git library';
  if (PROGRAM.test(code)) return 'the code contains the path of the git program';
  const computed = computedIn({ program, code: code.slice(0, MAX_CODE), args });
  if (computed !== null) return computed;
  const isScripting = /^(python|pypy|ipython|bpython|node|nodejs|tsx|ts-node|bun|deno)/.test(program);
  const plain = withoutHarmless(program, code.slice(0, MAX_CODE));
  if (!isScripting && namesGitCommand(code)) return 'the code contains a git command';
  if (!mayStart(program, plain) && !bangs(program, code)) return null;
  if (code.length > MAX_CODE) return `the code has more than ${MAX_CODE} characters`;
  if (!isScripting && !startsLiterals(program, plain))
    return `${program} runs code that starts programs, and the gate cannot tell which`;
  if (flat([code, ...args].join(' ')).includes('git')) return 'the code starts programs and mentions git';
  if (!isKnown(code) || HIDES.test(code)) return 'the code starts programs whose names are not literal';
  return !isScripting || everyLiteral(code) ? null : 'the code starts programs whose names are not literal';
}

/** Whether code of a language for scripts starts nothing but commands that it writes out. */
function startsLiterals(program: string, code: Field): boolean {
  const starts = literalStarts(program, code);
  return starts !== null && !mayStart(program, starts.rest);
}

/** Whether code has a word by which it starts programs; in some languages, a text in two parts is one too. */
function mayStart(program: string, code: Field): boolean {
  return STARTS.test(code) || (/^(perl|ruby|php|lua)/.test(program) && STARTS.test(plainCode(program, code)));
}

/** Arithmetic in a text of its own: `eval('1+1')`. */
const SUM = /\beval\s*\(\s*(['"])[\d\s+\-*/%().,<>=!&|^~]*\1\s*\)/g;
const IS_JAVASCRIPT = /^(node|nodejs|tsx|ts-node|bun|deno)/;
/** A template of JavaScript, with what stands before it: a name there is a function that may run the text. */
const TEMPLATE = /([\w$)\]]{0,60})([ \t]?)`([^`\\]*(?:\\.[^`\\]*)*)`/gs;
const KEYWORDS = new Set(['', 'return', 'case', 'of', 'in', 'typeof', 'yield', 'await', 'throw', 'default']);

/** Code without the uses of such words that start nothing, such as the search `regex.exec(text)` in JavaScript. */
function withoutHarmless(program: string, whole: string): string {
  const code = whole.replaceAll(SUM, ' ');
  if (!IS_JAVASCRIPT.test(program)) {
    const plain = code.replaceAll(HARMLESS, ' ');
    return LOADS.test(code) ? plain : plain.replaceAll(METADATA, ' ');
  }
  const plain = code.replaceAll(TEMPLATE, (template, tag: string, _space, text: string) =>
    KEYWORDS.has(tag) ? `${tag} ${[...text.matchAll(/\$\{[^}]*\}?/g)].join(' ')} ` : template,
  );
  return plain.replaceAll(PLAIN_USES, ' ').replaceAll(/\/[a-z]*\s*\.\s*exec\s*\(/g, ' ');
}

function onlyUnknown(code: Field): boolean {
  return code.replaceAll(/[\uE000-\uE003\s]/g, '') === '';
}

/** ipython's `!command`. */
function bangs(program: string, code: string): boolean {
  return program.startsWith('ipython') && code.includes('!');
}

/** Letters and digits alone, less words that hold git by chance. */
export function flat(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/github|gitlab|digits?|legitimate|legit|\.gitignore/g, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

function everyLiteral(code: string): boolean {
  const calls = [...code.matchAll(CALLS)];
  return calls.length > 0 && calls.every((it) => LITERAL.test(code.slice(it.index + it[0].length)));
}
