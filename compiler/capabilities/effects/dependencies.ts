import type { Invocation } from '../shell/command.ts';
import { meantProgram, verbsOf } from './meant-program.ts';

/** The package managers of one language: which files say what a project depends on, and which commands change them. */
interface Packages {
  /** Names and endings of files, as `*.csproj`. */
  readonly files: string;
  readonly commands: readonly Change[];
}

/** A command that changes such files: its words without options. */
interface Change {
  readonly program: RegExp;
  readonly verbs: RegExp | null;
  /** Only with a package's name behind the verb. */
  readonly named?: true;
  /** Only with one of these options. */
  readonly needs?: RegExp;
  readonly unless?: RegExp;
}

const GLOBAL = /^(-g|--global|--no-save|--location=global)$/;
const ASKS = /^(--help|-h|--dry-run|--check|--version)$/;

/** Every ecosystem that the gate and the check know. */
const PACKAGES: Readonly<Record<string, Packages>> = {
  javascript: {
    files:
      'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb deno.json deno.jsonc deno.lock jsr.json bower.json',
    commands: [
      { program: /^npm$/, verbs: /^(install|i|in|add|isntall)( |$)/, named: true, unless: GLOBAL },
      {
        program: /^npm$/,
        verbs: /^(update|up|upgrade|uninstall|un|remove|rm|r|unlink|dedupe|ddp|shrinkwrap|pkg(?! get)|audit fix)( |$)/,
        unless: GLOBAL,
      },
      { program: /^(npm|pnpm|yarn|bun)$/, verbs: /^(init|link|ln|import)( |$)/ },
      {
        program: /^pnpm$/,
        verbs:
          /^(add|update|up|upgrade|remove|rm|uninstall|un|unlink|dedupe|patch-commit|approve-builds|self-update|audit fix)( |$)/,
        unless: GLOBAL,
      },
      { program: /^pnpm$/, verbs: /^(install|i)( |$)/, named: true, unless: GLOBAL },
      { program: /^yarn$/, verbs: /^(add|remove|upgrade|up|upgrade-interactive|dedupe|set|unlink)( |$)/ },
      { program: /^bun$/, verbs: /^(add|a|remove|rm|update|unlink|patch)( |$)/, unless: GLOBAL },
      { program: /^bun$/, verbs: /^(install|i)( |$)/, named: true, unless: GLOBAL },
      {
        program: /^(deno|jsr)$/,
        verbs: /^(add|remove|install|uninstall|init|outdated --update)( |$)/,
        named: true,
        unless: GLOBAL,
      },
      { program: /^deno$/, verbs: /^(outdated|update)( |$)/, needs: /^(-u|--update|--latest)$/ },
      { program: /^(npm-check-updates|ncu)$/, verbs: null, needs: /^(-[a-z]*u[a-z]*|--upgrade)$/ },
      { program: /^npm-check$/, verbs: null, needs: /^(-[a-z]*[uy]|--update(-all)?)$/ },
      { program: /^corepack$/, verbs: /^(use|up)( |$)/ },
      { program: /^lerna$/, verbs: /^(add|link|init|import)( |$)/ },
    ],
  },
  rust: {
    files: 'Cargo.toml Cargo.lock',
    commands: [
      {
        program: /^cargo$/,
        verbs: /^(add|rm|remove|update|upgrade|generate-lockfile|init|new|set-version|vendor)( |$)/,
      },
    ],
  },
  python: {
    files:
      'pyproject.toml setup.py setup.cfg requirements.txt requirements.in requirements-*.txt requirements/*.txt constraints.txt poetry.lock uv.lock pdm.lock pixi.toml pixi.lock Pipfile Pipfile.lock environment.yml environment.yaml conda-lock.yml pylock.toml',
    commands: [
      { program: /^poetry$/, verbs: /^(add|remove|update|lock|init|new|version [^-])( |$)?/ },
      { program: /^uv$/, verbs: /^(add|remove|lock|init|version [^-]|pip compile)( |$)?/ },
      { program: /^uv$/, verbs: /^(sync|run)( |$)/, needs: /^(--upgrade|-U|-P|--upgrade-package)(=|$)/ },
      { program: /^pdm$/, verbs: /^(add|remove|update|lock|init|new|import)( |$)/ },
      { program: /^(pixi|rye|hatch)$/, verbs: /^(add|remove|update|upgrade|lock|init|new|import)( |$)/ },
      { program: /^pipenv$/, verbs: /^(update|uninstall|lock|upgrade)( |$)/ },
      { program: /^pipenv$/, verbs: /^install( |$)/, named: true },
      { program: /^pip-(compile|sync|tools)$|^pip-compile-multi$|^conda-lock$/, verbs: null },
    ],
  },
  go: {
    files: 'go.mod go.sum go.work go.work.sum',
    commands: [
      {
        program: /^go$/,
        verbs: /^(get|mod (tidy|edit|init|vendor)|work (init|use|edit|sync))( |$)/,
        unless: /^-(json|print)$/,
      },
    ],
  },
  ruby: {
    files: 'Gemfile Gemfile.lock gems.rb gems.locked *.gemspec',
    commands: [{ program: /^bundler?$/, verbs: /^(add|update|remove|lock|init|inject)( |$)/ }],
  },
  php: {
    files: 'composer.json composer.lock',
    commands: [{ program: /^composer$/, verbs: /^(require|remove|update|upgrade|u|r|init|bump)( |$)/ }],
  },
  dotnet: {
    files:
      '*.csproj *.fsproj *.vbproj packages.config packages.lock.json Directory.Packages.props global.json paket.dependencies paket.lock',
    commands: [
      {
        program: /^dotnet$/,
        verbs:
          /^((\S+ )?(add|remove) (\S+ )?(package|reference)|package (add|remove|update)|reference (add|remove)|new|outdated)( |$)/,
        unless: /^(--list|-l)$/,
      },
      { program: /^(nuget|paket)$/, verbs: /^(add|install|update|remove|init)( |$)/ },
    ],
  },
  jvm: {
    files:
      'pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts libs.versions.toml gradle.lockfile verification-metadata.xml build.sbt',
    commands: [
      {
        program: /^mvnw?$/,
        verbs: /(^| )(org\.codehaus\.mojo:)?versions[:\S]*:(use|update|set|lock|unlock|revert|commit|force)/,
      },
      {
        program: /^gradlew?$/,
        verbs: null,
        needs: /^(--write-locks|--update-locks|--write-verification-metadata|-M)(=|$)/,
      },
      { program: /^gradlew?$/, verbs: /(^| )(init|wrapper|useLatestVersions|versionCatalogUpdate)( |$)/ },
    ],
  },
  dart: {
    files: 'pubspec.yaml pubspec.lock pubspec_overrides.yaml',
    commands: [{ program: /^(dart|flutter)$/, verbs: /^(pub (add|remove|upgrade|downgrade)|create)( |$)/ }],
  },
  elixir: {
    files: 'mix.exs mix.lock rebar.config rebar.lock',
    commands: [
      {
        program: /^mix$/,
        verbs: /^(deps\.(update|unlock)|new|igniter\.(install|add))( |$)/,
        unless: /^--check-unused$/,
      },
      { program: /^rebar3$/, verbs: /^(upgrade|unlock)( |$)/ },
    ],
  },
  swift: {
    files: 'Package.swift Package.resolved Podfile Podfile.lock Cartfile Cartfile.resolved',
    commands: [
      { program: /^swift$/, verbs: /^package (update|init|add-\S+|edit|unedit)( |$)/ },
      { program: /^(pod|carthage)$/, verbs: /^(update|init)( |$)/ },
    ],
  },
};

const COMMANDS = Object.values(PACKAGES).flatMap((it) => it.commands);
/** As entries of a list of files, in every folder. */
export const MANIFESTS: readonly string[] = Object.values(PACKAGES).flatMap((it) =>
  it.files.split(' ').map((file) => `**/${file}`),
);

/** Whether a program changes what a project depends on. */
export function changesDependencies(invocation: Invocation): boolean {
  const { program, args } = meantProgram(invocation);
  const commands = COMMANDS.filter((it) => it.program.test(program));
  if (commands.length === 0 || args.some((it) => ASKS.test(it))) return false;
  const has = (option: RegExp | undefined) => option !== undefined && args.some((it) => option.test(it));
  // `yarn workspace a add x`, and `cargo +nightly -Z x add y`
  const all = verbsOf(args).map((it) => it.replace(/^workspace \S+ /, ''));
  return commands.some(
    (it) =>
      all.some((text) => (it.verbs?.test(text) ?? true) && (it.named !== true || text.includes(' '))) &&
      (it.needs === undefined || has(it.needs)) &&
      !has(it.unless),
  );
}
