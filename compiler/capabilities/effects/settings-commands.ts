import type { Invocation } from '../shell/command.ts';
import { meantProgram, verbsOf } from './meant-program.ts';
import { PERSON, USER_SETTINGS, type SettingsWriter } from './user-settings.ts';

const GIT = 'git’s own files';
const HOOKS = 'git’s hooks';
const HOST = 'the settings of an agent host';
const PACKAGES = 'the configuration of a package manager';
const START = 'shell start files';

const WRITERS: readonly SettingsWriter[] = [
  {
    program: /^(claude|claude-code)$/,
    verbs:
      /^(config (set|add|remove|rm|reset|edit)|mcp (add|remove|rm|reset|login|logout)\S*|plugins? (?!list|validate|details)\S+|install|update|upgrade|migrate-installer|setup-token|auth log\w+|log(in|out)|approve\S*|remote-control|import)\b/,
    what: HOST,
  },
  { program: /^codex$/, verbs: /^(mcp (add|remove|log\w+)|log(in|out)|features (enable|disable)|plugin )/, what: HOST },
  { program: /^(gemini|qwen)$/, verbs: /^(mcp (add|remove)|(extensions?|hooks|skills) (?!list))/, what: HOST },
  {
    program: /^(cursor-agent|opencode|copilot|amp|goose|crush|droid|auggie|kiro-cli)$/,
    verbs: /^(mcp (add|remove|enable|disable|login|logout|auth)|auth log\w+|log(in|out)|plugin |configure|install)/,
    what: HOST,
  },
  {
    program: /^(code|cursor|windsurf|codium|vscodium)$/,
    verbs: /^$/,
    needs: /^--(add-mcp|(un)?install-extension)/,
    what: HOST,
  },
  {
    program: /^(npm|pnpm|cnpm)$/,
    verbs: /^((config|c) (set|delete|rm|edit|fix)|set |log(in|out)|adduser|add-user|token (create|revoke)|trust )/,
    what: PACKAGES,
  },
  {
    program: /^(yarn|yarnpkg)$/,
    verbs:
      /^(config (set|unset|delete)|set version|policies set-version|plugin (import|remove)|npm log\w+|log(in|out))/,
    what: PACKAGES,
  },
  { program: /^pip[0-9.]*$/, verbs: /^config (set|unset|edit)\b/, what: PACKAGES },
  {
    program: /^(conda|mamba|micromamba)$/,
    verbs: /^config\b/,
    unless: /^--(show|get|validate|describe)/,
    what: PACKAGES,
  },
  { program: /^(conda|mamba|micromamba)$/, verbs: /^(init|shell init|shell deinit)\b/, what: START },
  { program: /^poetry$/, verbs: /^(config \S+ \S|source (add|remove)|self )/, what: PACKAGES },
  { program: /^poetry$/, verbs: /^config \S+/, needs: /^--unset/, what: PACKAGES },
  { program: /^uv$/, verbs: /^(auth log\w+|tool update-shell|self )/, what: PACKAGES },
  { program: /^bundler?$/, verbs: /^(config (set|unset|(?!get|list)\S+ \S)|plugin )/, what: PACKAGES },
  { program: /^gem$/, verbs: /^(signin|signout)\b/, what: PACKAGES },
  { program: /^gem$/, verbs: /^sources?\b/, needs: /^(-[ar]|--(add|remove|clear-all))/, what: PACKAGES },
  { program: /^bun$/, verbs: /^pm trust\b/, what: PACKAGES },
  {
    program: /^(volta|fnm|asdf|mise|rtx)$/,
    verbs: /^(default \S|global \S|settings (set|add|unset) |plugins? (add|install|remove|update)|trust\b|activate --)/,
    what: PACKAGES,
  },
  { program: /^mvnw?$/, verbs: null, needs: /^--encrypt-(master-)?password/, what: PACKAGES },
  { program: /^composer$/, verbs: /^(global )?config \S+ \S/, what: PACKAGES },
  { program: /^composer$/, verbs: /^(global )?config\b/, needs: /^(--(unset|editor|auth)|-e$)/, what: PACKAGES },
  { program: /^cargo$/, verbs: /^log(in|out)\b/, what: PACKAGES },
  { program: /^rustup$/, verbs: /^(default \S|override (set|add|unset|remove)|set |self )/, what: PACKAGES },
  { program: /^go$/, verbs: /^env\b/, needs: /^-[wu]$/, what: PACKAGES },
  {
    program: /^(dotnet|nuget)$/,
    verbs:
      /^(nuget )?(add source|(sources|source|config) (add|remove|update|enable|disable|set|unset)|(remove|update|enable|disable) source)\b/,
    what: PACKAGES,
  },
  { program: /^mix$/, verbs: /^hex\.(config|organization|user|repo)\b/, what: PACKAGES },
  {
    program: /^(git|git-config)$/,
    verbs: /^config (set|unset|edit|rename-section|remove-section|\S+ \S)/,
    unless: /^(--get\S*|--list|-l)$/,
    what: GIT,
  },
  {
    program: /^(git|git-config)$/,
    verbs: /^config\b/,
    needs: /^--(unset|add|edit|replace|rename|remove)|^-e$/,
    what: GIT,
  },
  {
    program: /^git$/,
    verbs: /^(lfs (install|uninstall|update)|maintenance (start|stop|register|unregister)|hook install)\b/,
    what: HOOKS,
  },
  { program: /^git-lfs$/, verbs: /^(install|uninstall|update)\b/, what: HOOKS },
  {
    program: /^(husky|husky-init|simple-git-hooks|git-hooks|yorkie)$/,
    verbs: null,
    unless: /^(--version|-v)$/,
    what: HOOKS,
  },
  {
    program: /^(pre-commit|prek|lefthook|captainhook|cog)$/,
    verbs: /^((un)?install|init-templatedir|add|install-hooks?)( |$)/,
    what: HOOKS,
  },
  { program: /^overcommit$/, verbs: /^$/, needs: /^(--((un)?install|sign)|-[iu]$)/, what: HOOKS },
  { program: /^direnv$/, verbs: /^(allow|permit|grant|edit|deny|block|revoke)\b/, what: START },
  { program: /^crontab$/, verbs: null, unless: /^-l$/, what: PERSON },
  {
    program: /^(gh|glab)$/,
    verbs:
      /^(config set|alias (set|import|delete)|auth (login|logout|setup-git|refresh|switch)|extension \S+|ssh-key add|gpg-key add)/,
    what: PERSON,
  },
  { program: /^chsh$/, verbs: null, what: PERSON },
  ...USER_SETTINGS,
];

/** A long command names few programs, and each often. */
const known = new Map<string, readonly SettingsWriter[]>();

function writersOf(program: string): readonly SettingsWriter[] {
  const found = known.get(program) ?? WRITERS.filter((it) => it.program.test(program));
  known.set(program, found);
  return found;
}

/** Whose files a program writes without being told which, though no agent may; null if it writes none. */
export function settingsWrittenBy(invocation: Invocation): string | null {
  const { program, args } = meantProgram(invocation);
  const writers = writersOf(program);
  if (writers.length === 0 || args.some((it) => /^(--help|-h)$/.test(it))) return null;
  const verbs = verbsOf(args);
  const has = (option: RegExp) => args.some((it) => option.test(it));
  const found = writers.find(
    (it) =>
      (it.verbs === null || verbs.some((text) => it.verbs?.test(text))) &&
      (it.needs === undefined || has(it.needs)) &&
      !(it.unless !== undefined && has(it.unless)),
  );
  return found?.what ?? null;
}
