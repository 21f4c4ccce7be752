/** A kind of files that a program of the person runs, or obeys. */
export interface Obeyed {
  /** For people. */
  readonly what: string;
  /** Its paths, wherever they begin; letters in any case, as some disks have it. */
  readonly at: RegExp;
  /** Where no agent may write it, whatever its role and its task say; without it, what it left is judged. */
  readonly protectedIn?: 'everywhere' | 'home';
}

const HOST = 'rules, skills, commands, agents, servers and hooks of an agent host';
const HOOKS = 'git hooks and their configuration';

/**
 * Files that run, or are obeyed, on the user's side, wherever they are: the one table for the gate, which denies some
 * of them at once, and for the check, which finds all of them in an agent's work, unless the role names them.
 * Expressions, since the gate has no time to compile globs.
 */
export const OBEYED: readonly Obeyed[] = [
  {
    what: 'hook settings',
    at: /(^|\/)\.claude(\/(settings[^/]*\.json|hooks)(\/|$)|$)|(^|\/)\.claude\.json$|(^|\/)managed-settings(\.d)?(\.json|\/|$)/i,
    protectedIn: 'everywhere',
  },
  // hooks, references and configuration are not for editing
  { what: 'git’s own files', at: /(^|\/)\.git(\/|$)/i, protectedIn: 'everywhere' },
  { what: 'Vademecum’s keys and state', at: /(^|\/)\.vade(\/|$)/i, protectedIn: 'everywhere' },
  {
    // every later command would run what is in them
    what: 'shell start files',
    at: /(^|\/)(\.(bashrc|bash_profile|bash_login|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|gitconfig|inputrc)$|\.config\/(git|fish)\/)/i,
    protectedIn: 'home',
  },
  {
    what: HOST,
    at: /(^|\/)\.(claude|claude-plugin|agents|aiassistant|amazonq|amp|augment|cline|clinerules|codeium|codex|continue|copilot|crush|cursor|devin|factory|gemini|goose|junie|kilocode[^/]*|kiro|openhands[^/]*|opencode|qwen|roo|tabnine|trae|warp|windsurf)(\/|$)/i,
  },
  {
    what: HOST,
    at: /(^(agents?|claude|gemini|qwen|warp|crush)(\.\w+)?\.md|(^|\/)(\.mcp\.json|\.aider[^/]*|\.(augment-guidelines|clinerules|cursorrules|goosehints|roomodes|roorules[^/]*|rules|windsurfrules)|\.?(crush|opencode)\.jsonc?))$/i,
  },
  // documents have such names in small letters below a folder
  { what: HOST, at: /(^|\/)((AGENTS?|CLAUDE|GEMINI|QWEN|WARP|CRUSH)(\.\w+)?|SKILL)\.md$/ },
  {
    what: HOST,
    at: /(^|\/)\.github\/(copilot-[^/]*|(instructions|prompts|agents|chatmodes|hooks|skills)(\/.*)?)$/i,
  },
  { what: 'git settings in the tree', at: /(^|\/)\.(gitattributes|gitmodules|lfsconfig)$/i },
  {
    what: HOOKS,
    at: /(^|\/)(\.(husky|githooks|git-hooks|lefthook)(\/|$)|\.?lefthook(-local)?\.(ya?ml|toml|jsonc?)$|\.pre-commit-(config|hooks)\.ya?ml$|prek\.toml$|\.overcommit\.ya?ml$|hk\.pkl$)/i,
  },
  {
    what: HOOKS,
    at: /(^|\/)(\.(husky|lintstaged|commitlint)rc[^/]*|(husky|lint-staged|commitlint)\.config\.\w+|captainhook(\.config)?\.json|grumphp\.ya?ml(\.dist)?|\.cargo-husky\/.*|\.?simple-git-hooks\.\w+)$/i,
  },
  {
    what: 'shell settings of a folder',
    at: /(^|\/)(\.envrc|\.autoenv[^/]*|\.?mise(\.[\w-]+)*\.toml|\.tool-versions|\.?mise\/.*|\.config\/mise([./].*)?)$/i,
  },
  {
    what: 'editor tasks and settings',
    at: /(^|\/)(\.(vscode|idea|fleet|zed|helix|theia|lapce|vim|nvim|vs|nova)(\/|$)|\.(exrc|vimrc|lvimrc|nvimrc|nvim\.lua|dir-locals(-2)?\.el)$|[^/]*\.(code-workspace|sublime-project)$)/i,
  },
  {
    // each may name a program that the next build starts
    what: 'settings of compilers and builds',
    at: /(^|\/)(\.cargo\/config(\.toml)?|rust-toolchain(\.toml)?|\.bazelrc|tools\/bazel)$/i,
  },
  {
    what: 'start files of debuggers and interpreters',
    at: /(^|\/)\.(gdbinit|lldbinit|pdbrc|irbrc|pryrc|rvmrc|rprofile|renviron|octaverc)$/i,
  },
  { what: 'settings and hooks of other version control', at: /(^|\/)\.(hg|jj|sl|bzr)(\/|$)/i },
  {
    what: 'a development container',
    at: /(^|\/)(\.devcontainer(\/|$)|\.devcontainer\.json$|\.gitpod\.ya?ml$|\.?devfile\.ya?ml$)/i,
  },
  {
    what: 'package manager programs and settings',
    at: /(^|\/)(\.yarn\/(releases|plugins|sdks)(\/|$)|\.yarnrc(\.ya?ml)?$|\.npmrc$|\.pnp\.\w+(\.\w+)?$|\.?pnpmfile\.\w+$|bunfig\.toml$|(uv|poetry)\.toml$|\.(mvn|bundle)(\/|$)|gradle\/wrapper(\/|$)|(gradlew|mvnw)(\.\w+)?$)/i,
  },
];

/**
 * The kind of an agent's file that a program would run or obey; null if none would.
 *
 * @param path relative to the top of the tree
 */
export function obeyedAt(path: string): string | null {
  // some disks take a name without the dots and blanks at its end
  const plain = path.replaceAll(/[. ]+(?=\/|$)/g, '');
  return OBEYED.find(({ at }) => at.test(path) || at.test(plain))?.what ?? null;
}
