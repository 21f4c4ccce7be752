import type { Field } from '../shell/field.ts';
import { splitOptions } from '../shell/options.ts';
import { hasGitWords, namesGitCommand } from './git-programs.ts';

/** Programs that commit, tag or push when they release. */
const RELEASERS =
  /^(standard-version|commit-and-tag-version|release-it|semantic-release|np|bump2version|bumpversion|bump-my-version|git-cz|cz|gitmoji|commitizen|release-plz|knope|git-town|tbump|bumpp|czg|opencommit|oco|aicommits|ghp-import|gh-pages)$/;
/** Subcommands by which other programs do. */
const RELEASES: Readonly<Record<string, RegExp>> = {
  lerna: /^(publish|version)$/,
  cargo: /^(release|smart-release|workspaces)$/,
  mvn: /^release:(prepare|perform|branch|rollback|update-versions)/,
  mvnw: /^release:(prepare|perform|branch|rollback|update-versions)/,
  goreleaser: /^(release|publish|announce)$/,
  auto: /^(shipit|release|version|latest|next|canary|changelog)$/,
  monorepo: /^release$/,
  nbgv: /^(tag|prepare-release)$/,
  changeset: /^(tag|publish)$/,
  nx: /^release$/,
  changelogen: /^--(release|push)$/,
  mkdocs: /^gh-deploy$/,
};

/** Whether a program would commit, tag or push as a part of a release, and not only say what it would do. */
export function makesRelease(name: string, args: readonly Field[]): boolean {
  const verbs = Object.hasOwn(RELEASES, name) ? RELEASES[name] : undefined;
  if (verbs === undefined && !RELEASERS.test(name)) return false;
  if (args.some((it) => /^(--dry-run|--help|-h|--version|version|check|info|help)$/.test(it))) return false;
  // a flag may be meant; behind a few words of its own a program has only operands
  const operands = args.filter((it) => !it.startsWith('-')).slice(0, 3);
  const flags = args.filter((it) => it.startsWith('--'));
  return verbs === undefined || [...operands, ...flags].some((it) => verbs.test(it));
}

/** `npm version patch` and its like commit and tag. */
export function makesVersion(name: string, args: readonly string[]): boolean {
  if (!['npm', 'yarn', 'pnpm', 'lerna', 'bun'].includes(name)) return false;
  const { rest } = splitOptions(args, { values: 'C', long: ['prefix', 'cwd', 'dir'] });
  const isVersion = rest[0] === 'version' && (rest.length > 1 || name !== 'npm');
  return isVersion && !args.some((it) => it === '--no-git-tag-version');
}

/** `npm pkg set scripts.x=…`, `npm explore name -- …`: texts that a package manager runs, now or by a name. */
export function keepsScript(name: string, args: readonly string[]): boolean {
  if (!/^(npm|pnpm|yarn|bun)$/.test(name)) return false;
  const runs = args.some((it) => /^(pkg|set-script|explore|config|set|c)$/.test(it));
  return runs && (args.some(namesGitCommand) || hasGitWords(args));
}
