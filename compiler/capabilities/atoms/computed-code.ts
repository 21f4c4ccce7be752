import type { InlineCode } from '../shell/reading.ts';

/** Code by which a language starts, loads or looks up what is not written out. */
interface Rule {
  readonly program: RegExp;
  readonly code: RegExp;
  readonly why: string;
}

const JAVASCRIPT = /^(node|nodejs|tsx|ts-node|bun|deno)/;
const PYTHON = /^(python|pypy|ipython|bpython)/;
const LOADS = 'loads a module whose name is not literal';
const LOOKS = 'looks up a name that is not literal';
const STARTS = 'may start a program whose name is not literal';

const RULES: readonly Rule[] = [
  {
    program: JAVASCRIPT,
    code: /\b(?:require|import|getBuiltinModule|createRequire)\s*\(\s*(?!(['"`])[^'"`\\$]*\1\s*[,)]|import\.meta\.url\s*\)|__filename\s*\)|\))/,
    why: LOADS,
  },
  { program: JAVASCRIPT, code: /['"](?:node:)?vm['"]|\brunIn(?:New|This)?Context\b/, why: STARTS },
  {
    program: JAVASCRIPT,
    code: /\b(?:process|globalThis|global|module|require\s*\([^)]*\))\s*(?:\?\.)?\s*\[\s*(?!(['"])[\w.$-]*\1\s*\]|\d+\s*\])/,
    why: LOOKS,
  },
  {
    program: PYTHON,
    code: /\b(?:__import__|import_module|resolve_name|locate|find_spec|run_module|methodcaller|attrgetter)\s*\(\s*(?!(['"])[^'"\\]*\1\s*[,)])/,
    why: LOOKS,
  },
  {
    program: PYTHON,
    code: /\b(?:getmembers|InteractiveInterpreter|InteractiveConsole|runsource|runcode|runctx)\b/,
    why: STARTS,
  },
  {
    program: PYTHON,
    code: /\b(?:cProfile|profile|timeit|Trace\s*\([^)]*\))\s*\.\s*(?:run|timeit|repeat)\s*\(\s*(?!(['"])[^'"\\]*\1\s*[,)])/,
    why: STARTS,
  },
  // a literal index in two parts hides what it is
  { program: /./, code: /\[\s*(['"`])[^'"`\]\n]{0,200}\1\s*(?:\+|\.\.?)\s*['"`][^\]\n]{0,200}\]/, why: LOOKS },
  {
    program: /^perl/,
    code: /\bopen\b(?!\/)(?!\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*(['"])\s*[+<>]{1,3}[^'"|]*\1\s*[,;)])/,
    why: STARTS,
  },
  { program: /^perl/, code: /\bIPC::|\bopen[23]\b/, why: STARTS },
  { program: /^raku/, code: /\b(?:shell|run|Proc|EVAL)\b/, why: STARTS },
  { program: /^ruby/, code: /\bPTY\b|\bpipeline(?:_\w+)?\b/, why: STARTS },
  { program: /^perl/, code: /@ARGV\s*=|\b(?:push|unshift|splice)\s*\(?\s*@ARGV|&\s*\{|&\$\w|\$\w+->\(/, why: STARTS },
  {
    program: /^ruby/,
    code: /(?:(?<![.\w])|\bURI\s*\.\s*)open(?!\w|-uri\b)(?!\s*\(?\s*['"][^|'"#][^'"#]*['"]\s*(?:[,)]|$))/,
    why: STARTS,
  },
  {
    program: /^ruby/,
    code: /\b(?:public_send|__send__|send|method|const_get|instance_eval|class_eval)\b(?!\s*\(?\s*:\w+|\s*\(?\s*['"]\w+['"]\s*[,)])/,
    why: LOOKS,
  },
  {
    program: /^php/,
    code: /['"]\s*\)\s*\(|\$\w+\s*\(|\bcall_user_func|\bReflection\w+|\barray_(?:map|walk|filter)\s*\(\s*[^'"\sf]/,
    why: STARTS,
  },
  { program: /^lua/, code: /\b(?:os|io|_G|_ENV|package)\s*\[|\b(?:load|loadstring|dofile|loadfile)\s*\(/, why: LOOKS },
];

/** A module of JavaScript by the name that the code gives it; data is none. */
const MODULES =
  /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*['"](?![^'"]*\.json['"])|\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s*['"](?![^'"]*\.json['"])/g;
/** More modules are not followed: nobody imports as many on a command line. */
const MAX_MODULES = 50;

/** Why code is refused that computes which program, module or attribute it means; null if it does not. */
export function computedIn({ program, code, args }: InlineCode): string | null {
  const rule = RULES.find((it) => it.program.test(program) && it.code.test(code));
  if (rule !== undefined) return `${program} ${rule.why}`;
  // perl opens a name with a bar as a command
  if (program.startsWith('perl') && args.some((it) => /^\s*\||\|\s*$/.test(it))) return `${program} ${STARTS}`;
  if (!JAVASCRIPT.test(program)) return null;
  const names = [...code.matchAll(MODULES)]
    .slice(0, MAX_MODULES)
    .flatMap(([, made, imported]) => made ?? imported ?? []);
  const isLookedUp = (name: string) =>
    new RegExp(`\\b${name}\\s*(?:\\?\\.)?\\s*\\[\\s*(?!(['"])[\\w.$-]*\\1\\s*\\]|\\d+\\s*\\])`).test(code);
  return names.some(isLookedUp) ? `${program} ${LOOKS}` : null;
}
