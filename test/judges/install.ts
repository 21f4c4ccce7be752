import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** The programs that judge exported files; nobody here wrote them. */
export interface Judges {
  readonly node: string;
  readonly rulesync: string;
  readonly agnix: string;
  /** The folder of the reference library of Agent Skills. */
  readonly python: string;
}

const HERE = join('test', 'judges');
const PINNED = ['package.json', 'package-lock.json'].map((name) => join(HERE, 'installed', name));
const REQUIREMENTS = join(HERE, 'requirements.txt');
const FOLDER = resolve('.cache', 'judges');

/** Installs the judges apart from the project: rulesync needs a newer Node.js, the others are Python's. */
export function installJudges(): Judges {
  const python = join(FOLDER, 'python');
  const stamp = join(FOLDER, '.installed');
  const wanted = createHash('sha256');
  for (const file of [...PINNED, REQUIREMENTS]) wanted.update(readFileSync(file));
  const digest = wanted.digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
    mkdirSync(FOLDER, { recursive: true });
    for (const file of [...PINNED, '.npmrc']) copyFileSync(file, join(FOLDER, basename(file)));
    install('npm', ['ci', '--ignore-scripts', '--loglevel', 'error']);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--upgrade', '--target', python];
    install('python3', [...pip, '--requirement', resolve(REQUIREMENTS)]);
    writeFileSync(stamp, digest);
  }
  const modules = join(FOLDER, 'node_modules');
  const own = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return {
    node: existsSync(own) ? own : process.execPath,
    rulesync: join(modules, 'rulesync', 'dist', 'cli', 'index.js'),
    agnix: join(python, 'bin', 'agnix'),
    python,
  };
}

function install(program: string, args: readonly string[]): void {
  process.stderr.write(`installing the judges with ${program} …\n`);
  const { status } = spawnSync(program, args, { cwd: FOLDER, stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) throw new Error(`the judges cannot be installed: ${program} failed, so nothing is judged`);
}
