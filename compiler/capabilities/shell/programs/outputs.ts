import type { Field } from '../words/field.ts';
import { splitOptions } from '../words/options.ts';
import { PLAIN } from './plain-programs.ts';

/** Options that name an output in most programs that have them. */
const OUTPUT =
  /^(?:-[a-z]{0,2}o|-MF|--?(?!-?no-)(?:[a-z-]*[_-])?(?:out|output|outfile|outdir)(?:[_-]?(?:file|path|dir|directory))?(?:\.\w+)?|--(?:report-(?:file|path)|export-(?:json|csv|markdown|asciidoc)|xml-file))(?:=([^]*))?$/i;
/** Names of what only an output is, before a word for a file or folder: `--coverage.reportsDirectory`, `--log-file`. */
const PLACE =
  /^--(?!no-)(?:[a-z]+[-_.])*(?:log|reports?|coverage|results|junit|html|site|dist|artifacts?|scratch|declaration|metadata|iid|tsbuildinfo|distribution|snapshots?-out)[-_]?(?:file|path|dir|directory|xml|report|location|destination)(?:=([^]*))?$/i;
/** Options that mean nothing else in any program: `--metafile`, `--destination`. */
const ALONE = /^--(?:metafile|iidfile|destination|dest|export-filename|redirect-warnings|summary-export)(?:=([^]*))?$/i;
/** Of the programs that take words as words, those with such an option. */
const WITH_OUTPUT =
  /^(gcc|g\+\+|clang|clang\+\+|ld|shuf|tree|eslint|go|ruff|rubocop|rspec|rustc|jest|vitest|tsc|pytest|cargo|gitleaks|bun|yarn|playwright|mypy|mocha)$/;

/** Such options of one program, with what is attached to them as a group. */
const OWN: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(cc|gcc|g\+\+|clang|clang\+\+|rustc)$/, /^-(?:o|MF|Wl,-Map[,=]|Wp,-MM?D,)([^]+)$/],
  [/^(strace|ltrace|dot|pandoc|protoc|nim)$/, /^-o(?=[^=\s]*[./])([^]+)$/],
  [/^cargo$/, /^--(?:target-dir|root|artifact-dir)(?:=([^]*))?$/],
  [/^rustc$/, /^(?:--emit=?)?(?:link|obj|asm|metadata|dep-info)=([^]*)$/],
  [/^cmake$/, /^(?:-B|--prefix)=?([^]*)$/],
  [/^pip[0-9.]*$/, /^(?:-[tdw]|--(?:target|prefix|dest|report|wheel-dir))(?:=([^]*))?$/],
  [/^protoc$/, /^--\w+_out=(?:[^:]*:)?([^]+)$/],
  [/^go$/, /^--?(?:cover|cpu|mem|block|mutex)profile(?:=([^]*))?$/],
  [/^ssh-keygen$/, /^-f$/],
  [/^openssl$/, /^-keyout$/],
  [/^(javac|javadoc|scalac|kotlinc|babel|swc|tsup|parcel|jsdoc|mkdocs|hugo|jekyll|mdbook|helm|aria2c)$/, /^-d$/],
  [/^coverage$/, /^(?:-d|--data-file(?:=([^]*))?)$/],
  [/^helm$/, /^--untardir(?:=([^]*))?$/],
  [/^(pytest|py\.test)$/, /^--(?:basetemp|html|resultlog|report-log)(?:=([^]*))?$/],
  [/^(pytest|py\.test)$/, /^(?:--cov-report=)?(?:xml|html|json|lcov|annotate):([^]+)$/],
  [/^_?mocha$/, /^(?:(?:-O|--reporter-options?)=?)?output=([^]+)$/],
  [/^(swift|xcodebuild)$/, /^(?:--build-path|-derivedDataPath)(?:=([^]*))?$/],
  [/^(npm|pnpm)$/, /^--(?:pack-destination|out)(?:=([^]*))?$/],
  [/^yarn$/, /^--filename(?:=([^]*))?$/],
  [/^mvnw?$/, /^(?:-l|--log-file|-D(?:outputDirectory|maven\.repo\.local))(?:=([^]*))?$/],
  [/^gradlew?$/, /^(?:-g|--(?:gradle-user-home|project-cache-dir))(?:=([^]*))?$/],
  [/^bazel(isk)?$/, /^--(?:output_(?:base|user_root)|symlink_prefix)=([^]*)$/],
  [/^phpunit$/, /^--(?:log-\w+|coverage-(?!text)\w+|testdox-\w+)(?:=([^]*))?$/],
  [/^pg_dump(all)?$/, /^(?:-f|--file)(?:=([^]*))?$/],
  [/^mysqldump$/, /^(?:-r|--result-file)(?:=([^]*))?$/],
  [/^redis-cli$/, /^--rdb$/],
  [/^(tcpdump|tshark|dumpcap)$/, /^-w$/],
  [/^nmap$/, /^-o[NXSGA]$/],
  [/^ab$/, /^-[ge]$/],
  [/^gh$/, /^(?:-[DO]|--dir)(?:=([^]*))?$/],
  [
    /^node$/,
    /^--(?:cpu-prof-(?:dir|name)|heap-prof-(?:dir|name)|diagnostic-dir|test-reporter-destination)(?:=([^]*))?$/,
  ],
  [/^(docker|podman|nerdctl)$/, /^(?:(?:-o|--output)=?)?(?:type=\w+,)?dest=([^,]*)/],
  [/^java$/, /^-(?:XX:HeapDumpPath=|XX:StartFlightRecording=(?:.*,)?filename=|Xlog:\w+:(?:file=)?)([^,:]+)/],
];

/** The files and folders that options name as an output. They are guesses: the same option may mean something else. */
export function outputOptions(name: string, args: readonly Field[]): Field[] {
  const module = /^(py|python|pypy)[0-9.]*$/.test(name) ? args.indexOf('-m') : -1;
  if (module >= 0) return outputOptions(args[module + 1] ?? '', args.slice(module + 2));
  const own = OWN.flatMap(([program, option]) => (program.test(name) ? [option] : []));
  if (!PLAIN.has(name) || WITH_OUTPUT.test(name)) own.push(OUTPUT, PLACE, ALONE);
  return own.flatMap((option) =>
    args.flatMap((it, at) => {
      const found = option.exec(it);
      return found === null ? [] : [found.slice(1).find(Boolean) ?? args[at + 1] ?? ''];
    }),
  );
}

/** Programs that make a folder with a new project in it, and the word behind which its name stands, if any. */
const CREATORS: readonly (readonly [program: RegExp, verb: RegExp | null])[] = [
  [/^(cargo|uv|poetry|hatch|pdm|rye)$/, /^(new|init|venv)$/],
  [
    /^(rails|ng|nest|dotnet|flutter|dart|mix|vue|ember|meteor|jekyll|hugo|gatsby|laravel|symfony|gleam|mkdocs|lein|stack)$/,
    /^(new|create|phx\.new)$/,
  ],
  [/^(npm|pnpm|yarn|bun)$/, /^(create|init)$/],
  [/^(deno|zola|mdbook|nimble|expo|nuxi|electron-forge|wrangler)$/, /^init$/],
  [/^(helm|sv)$/, /^create$/],
  [/^ionic$/, /^start$/],
  [/^ansible-galaxy$/, /^init$/],
  [/^(dune|crystal)$/, /^(proj|project|app|lib)$/],
  [/^composer$/, /^create-project$/],
  [/^bundler?$/, /^gem$/],
  [/^django-admin$/, /^start(project|app)$/],
  [/^(create-.*|degit|tiged|giget|express-generator|virtualenv)$/, null],
  // behind `-m`, or the file `manage.py`
  [/^(py|python|pypy)[0-9.]*$/, /^(venv|virtualenv|startproject|startapp)$/],
];

/** The folders of new projects: only the program knows which of its operands is one, so all are guesses. */
export function createdProjects(program: string, args: readonly Field[]): Field[] {
  const name = program.replace(/(?<=.)@.*$/, '');
  const found = CREATORS.find(([it]) => it.test(name));
  if (found === undefined) return [];
  const { rest } = splitOptions(args, { isMixed: true });
  const [, verb] = found;
  const at = verb === null ? -1 : rest.findIndex((it) => verb.test(it));
  return verb !== null && at < 0 ? [] : rest.slice(at + 1);
}
