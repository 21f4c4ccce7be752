import type { Field } from '../words/field.ts';
import { splitOptions } from '../words/options.ts';
import { PLAIN } from './plain-programs.ts';

/** Options that name an output in most programs that have them. */
const OUTPUT =
  /^(?:-[a-z]{0,2}o|-MF|--?(?!-?no-)(?:[a-z-]*[_-])?(?:out|output|outfile|outdir)(?:[_-]?(?:file|path|dir|directory))?|--(?:log-file|report-(?:file|path)|junit-?xml|export-(?:json|csv|markdown|asciidoc)|xml-file))(?:=([^]*))?$/i;
/** Of the programs that take words as words, those with such an option. */
const WITH_OUTPUT =
  /^(gcc|g\+\+|clang|clang\+\+|ld|shuf|tree|eslint|go|ruff|rubocop|rspec|rustc|jest|vitest|tsc|pytest|cargo|gitleaks)$/;

/** Such options of one program, with what is attached to them as a group. */
const OWN: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(cc|gcc|g\+\+|clang|clang\+\+)$/, /^-(?:o|MF|Wl,-Map[,=]|Wp,-MM?D,)([^]+)$/],
  [/^cargo$/, /^--(?:target-dir|root)(?:=([^]*))?$/],
  [/^cmake$/, /^(?:-B|--prefix)=?([^]*)$/],
  [/^pip[0-9.]*$/, /^(?:-[td]|--(?:target|prefix|dest))(?:=([^]*))?$/],
  [/^protoc$/, /^--\w+_out=(?:[^:]*:)?([^]+)$/],
  [/^go$/, /^--?(?:cover|cpu|mem|block|mutex)profile(?:=([^]*))?$/],
  [/^ssh-keygen$/, /^-f$/],
  [/^openssl$/, /^-keyout$/],
  [/^(javac|babel)$/, /^-d$/],
  [/^pytest$/, /^--basetemp(?:=([^]*))?$/],
];

/** The files and folders that options name as an output. They are guesses: the same option may mean something else. */
export function outputOptions(name: string, args: readonly Field[]): Field[] {
  const own = OWN.flatMap(([program, option]) => (program.test(name) ? [option] : []));
  if (!PLAIN.has(name) || WITH_OUTPUT.test(name)) own.push(OUTPUT);
  return own.flatMap((option) =>
    args.flatMap((it, at) => {
      const found = option.exec(it);
      return found === null ? [] : [found.slice(1).find(Boolean) ?? args[at + 1] ?? ''];
    }),
  );
}

/** Programs that make a folder with a new project in it, and the word behind which its name stands. */
const CREATORS: readonly (readonly [program: RegExp, verb: RegExp])[] = [
  [/^(cargo|uv|poetry|hatch|pdm)$/, /^(new|init|venv)$/],
  [/^(rails|ng|nest|dotnet|flutter)$/, /^(new|create)$/],
  [/^(npm|pnpm|yarn|bun)$/, /^(create|init)$/],
  [/^django-admin$/, /^startproject$/],
  // behind `-m`
  [/^(py|python|pypy)[0-9.]*$/, /^(venv|virtualenv)$/],
];

/** The folders of new projects. */
export function createdProjects(name: string, args: readonly Field[]): Field[] {
  const { rest } = splitOptions(args, { isMixed: true });
  const verb = CREATORS.find(([it]) => it.test(name))?.[1];
  const at = verb === undefined ? -1 : rest.findIndex((it) => verb.test(it));
  return at < 0 ? [] : rest.slice(at + 1).slice(-1);
}
