/** Syntax that tells the code of a language from its comments and texts, and starts its functions. */
export interface ProgrammingLanguage {
  readonly family: 'braces' | 'indent' | 'other';
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  /** Whether block comments nest. */
  readonly nests: boolean;
  /** Quotes of texts on one line, and of texts over several lines. */
  readonly quotes: string;
  readonly long: readonly string[];
  /** Whether `'` may stand for a lifetime or begins a character. */
  readonly lifetimes: boolean;
  /** Whether `/` may begin a pattern. */
  readonly patterns: boolean;
  /** Words that begin a function; null where a `{` after `)` or `=>` does. */
  readonly heads: RegExp | null;
}

const BRACES: ProgrammingLanguage = {
  family: 'braces',
  line: ['//'],
  block: [['/*', '*/']],
  nests: false,
  quotes: `"'`,
  long: [],
  lifetimes: false,
  patterns: false,
  heads: null,
};
const SCRIPT: ProgrammingLanguage = { ...BRACES, patterns: true };
const WORDS = /\b(?:fn|func|fun|function|def)\b(?:[^{}]|\{\})*$/;
const RUST: ProgrammingLanguage = {
  ...BRACES,
  quotes: '"',
  nests: true,
  lifetimes: true,
  heads: /\bfn\s+\w+(?:[^{};]|\{\})*$/,
};
const GO: ProgrammingLanguage = { ...BRACES, long: ['`'], heads: /\bfunc\b(?:[^{}]|\{\})*$/ };
const WORDED: ProgrammingLanguage = { ...BRACES, long: ['"""'], heads: WORDS };
const PYTHON: ProgrammingLanguage = { ...BRACES, family: 'indent', line: ['#'], block: [], long: ['"""', "'''"] };
const SHELL: ProgrammingLanguage = {
  ...BRACES,
  line: ['#'],
  block: [],
  quotes: '',
  heads: /(?:^|[\n;])\s*(?:function\s+[\w:.-]+\s*(?:\(\))?|[\w:.-]+\s*\(\))\s*$/,
};
const HASHED: ProgrammingLanguage = { ...BRACES, family: 'other', line: ['#'], block: [] };

const BY_EXTENSION: Readonly<Record<string, ProgrammingLanguage>> = Object.fromEntries(
  (
    [
      ['ts tsx mts cts js jsx mjs cjs', SCRIPT],
      ['rs', RUST],
      ['go', GO],
      ['c h cc cpp cxx hh hpp java cs', BRACES],
      ['kt kts swift scala php', WORDED],
      ['py pyi', PYTHON],
      ['sh bash zsh', SHELL],
      ['rb pl ex exs jl r', HASHED],
    ] as const
  ).flatMap(([extensions, language]) => extensions.split(' ').map((it) => [it, language])),
);

/** The language of a file, by its name; null if it is no code. */
export function languageOf(path: string): ProgrammingLanguage | null {
  const [, extension = ''] = /\.([a-z]+)$/i.exec(path) ?? [];
  const name = extension.toLowerCase();
  return Object.hasOwn(BY_EXTENSION, name) ? (BY_EXTENSION[name] ?? null) : null;
}
