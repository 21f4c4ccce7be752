import { hostFileAt } from '../../hosts/host-files.ts';
import { PROTECTED, type Obeyed } from './protected-files.ts';

const HOOKS = 'git hooks and their configuration';
const SHELL = 'shell settings of a folder';
const EDITOR = 'editor tasks and settings';
const START = 'start files of debuggers and interpreters';

/**
 * Files that a program of the person runs or obeys by itself, wherever they are, beside those of coding agents' hosts.
 * Files that somebody starts by name (a script, a build, a test and its settings) are the project’s own source.
 */
const OBEYED: readonly Obeyed[] = [
  ...PROTECTED,
  { what: 'git settings in the tree', at: /(^|\/)\.(gitattributes|gitmodules|lfsconfig|gitreview)$/i },
  {
    what: HOOKS,
    at: /(^|\/)(\.(husky|githooks|git-hooks|lefthook|trunk)(\/|$)|\.?lefthook(-local)?\.(ya?ml|toml|jsonc?)$|\.pre-commit-(config|hooks)\.ya?ml$|prek\.toml$|\.overcommit\.ya?ml$|hk(\.local)?\.pkl$)/i,
  },
  {
    what: HOOKS,
    at: /(^|\/)(\.(husky|lintstaged|commitlint)rc[^/]*|(husky|lint-staged|commitlint)\.config\.\w+|captainhook(\.config)?\.json|grumphp\.ya?ml(\.dist)?|\.cargo-husky\/.*|\.?simple-git-hooks\.\w+|\.?rusty-hook\.toml|\.moon\/workspace\.ya?ml|\.gitlint|\.czrc|\.cz\.\w+)$/i,
  },
  {
    what: SHELL,
    at: /(^|\/)(\.envrc(\.[\w.-]+)?|\.env\.leave|\.autoenv[^/]*|\.direnvrc|\.?(mise|rtx)(\.[\w-]+)*\.toml|\.tool-versions|\.prototools|\.?mise(-tasks)?\/.*|\.config\/(mise([./].*)?|direnv\/.*)|\.(rbenv|pyenv)-vars|\.bash_(enter|leave)|\.(direnv|flox|smartcd|shadowenv\.d|devenv)(\/.*)?)$/i,
  },
  {
    // a hook of the shell evaluates them, and no new consent is asked for
    what: SHELL,
    at: /(^|\/)(devbox\.json|flake\.nix|shell\.nix|devenv(\.local)?\.(nix|ya?ml)|\.?(tmuxinator|tmuxp|teamocil|smug)\.(ya?ml|json)|bin\/(activate-hermit|hermit\.hcl))$/i,
  },
  {
    what: EDITOR,
    at: /(^|\/)(\.(vscode|idea|fleet|zed|helix|theia|lapce|vim|nvim|vs|nova|run|bsp|lsp|calva|nlsp-settings)(\/|$)|[._](exrc|n?vimrc|gvimrc|lvimrc)$|\.(local\.vimrc|vimrc\.local|nvim\.lua|lazy\.lua|vimspector\.json|neoconf\.json|projections\.json|solargraph\.yml|dir-locals(-2)?\.el)$|\.ycm_extra_conf\.pyc?$|Session\.vim$|[^/]*\.(code-workspace|sublime-project|run\.xml)$)/i,
  },
  {
    // each may name a program that the next build starts
    what: 'settings of compilers and builds',
    at: /(^|\/)(\.cargo\/config(\.toml)?|rust-toolchain(\.toml)?|[^/]*\.bazelrc|\.bazel(version|iskrc)|tools\/bazel|\.buckconfig(\.local|\.d\/.*)?|\.pants\.rc|\.plzconfig[^/]*|\.(sbt|jvm)opts)$/i,
  },
  {
    what: START,
    at: /(^|\/)(\.(gdbinit|lldbinit|pdbrc(\.py)?|rdbgrc(\.rb)?|byebugrc|perldb|jdbrc|mdbrc|phpdbginit|psysh\.php)|jdb\.ini)$/i,
  },
  {
    what: START,
    at: /(^|\/)([._]?irbrc|irb\.rc|\.(pryrc|rvmrc|rprofile|renviron|rdata|octaverc|iex\.exs|erlang|ghci|ocamlinit|swiplrc|nrepl\.edn|pythonrc(\.py)?)|startup\.m|(site|user)customize\.py|(ipython|jupyter)_(\w+_)?config\.(py|json))$/i,
  },
  {
    what: 'settings and hooks of other version control',
    at: /(^|\/)((\.(hg|jj|sl|bzr|pijul)|_darcs)(\/|$)|\.(p4config|p4rc|arcconfig)$)/i,
  },
  {
    what: 'a development container or environment',
    at: /(^|\/)(\.(devcontainer|gitpod|ona|codesandbox|ddev|docksal|c9|che)(\/|$)|\.devcontainer\.json$|\.gitpod\.(ya?ml|dockerfile)$|\.?devfile\.ya?ml$|\.replit$|replit\.nix$|\.stackblitzrc$|\.lando(\.\w+)?\.ya?ml$)/i,
  },
  {
    what: 'package manager programs and settings',
    at: /(^|\/)(\.yarn\/(releases|plugins|sdks)(\/|$)|\.yarnrc(\.ya?ml)?$|\.npmrc$|\.corepack\.env$|\.pnp\.\w+(\.\w+)?$|\.?pnpmfile\.\w+$|bunfig\.toml$|(uv|poetry)\.toml$|\.(mvn|bundle)(\/|$)|gradle\/wrapper(\/|$)|(gradlew|mvnw)(\.\w+)?$)/i,
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
  const kind = OBEYED.find(({ at }) => at.test(path) || at.test(plain));
  if (kind) return kind.what;
  const host = hostFileAt(path) ?? hostFileAt(plain);
  return host === null || host.kind === 'work' ? null : `${host.kind} of an agent host`;
}
