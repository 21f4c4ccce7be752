import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { examplesOf } from '../documents/markdown.ts';
import { tempFolder } from '../support/folder.ts';
import { describeWhere } from '../support/loudly.ts';
import { writeModel } from '../support/model.ts';
import { repository, type Repository } from '../support/repository.ts';

const ROOT = process.cwd();
const NEEDED = [
  'compiler',
  'server',
  'package.json',
  'pack.mjs',
  'build.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  '.npmrc',
];
const PAPERS = ['README.md', 'LICENSE', 'CHANGELOG.md'];
const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

let clone: Repository;
let tarball: string;
let packed: readonly string[];

/** A clone in which an earlier version was built; its packages are links to those of this one. */
beforeAll(() => {
  clone = repository();
  for (const name of [...NEEDED, ...PAPERS]) clone.copy(join(ROOT, name), name);
  // the build of the sources under test has checked their types; those of the package are the same
  const compilerOptions = { noCheck: true };
  clone.write('tsconfig.unchecked.json', readFileSync(join(ROOT, 'tsconfig.build.json')));
  clone.write('tsconfig.build.json', JSON.stringify({ extends: './tsconfig.unchecked.json', compilerOptions }));
  clone.write('dist/compiler/left-over.js', '').write('signing-key.pem', '').write('dist/server/keys.json', '{}');
  symlinkSync(join(ROOT, 'node_modules'), join(clone.path, 'node_modules'));
  const told = execFileSync('npm', ['pack', '--json', '--loglevel=error'], { cwd: clone.path, encoding: 'utf8' });
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(told.slice(told.search(/^\[/m))) as {
    filename: string;
    files: { path: string }[];
  }[];
  tarball = join(clone.path, filename);
  packed = files.map(({ path }) => path);
});

const isReachable = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000']).status === 0;

describe('the package', () => {
  test('the package has what it needs to run, and the model', () => {
    const needed = [
      'dist/compiler/cli/main.js',
      'dist/compiler/cli/hook-program.cjs',
      'dist/server/audit/sqlite/worker.js',
      'dist/compiler/library/index.d.ts',
    ];
    const data = ['onnx/model_quantized.onnx', 'tokenizer.json', 'config.json'].map(
      (it) => `compiler/encoder/model/${it}`,
    );
    const gate = [
      'dist/compiler/capabilities/gate/vade-gate.cjs',
      'compiler/capabilities/library/roles/edit-local.toml',
    ];
    const page = ['dist/compiler/present/page/app.js', 'dist/compiler/present/page/app.css'];
    expect(packed).toEqual(expect.arrayContaining([...needed, ...data, ...gate, ...page, ...PAPERS, 'package.json']));
  });

  test('the package has no sources, tests, keys, and nothing of an earlier build', () => {
    const known =
      /^(dist\/.*\.c?js|dist\/.*\.d\.ts|compiler\/(encoder\/model|capabilities\/library|schema\/json)\/.*|package\.json|[A-Z]+(\.md)?)$/;
    const others = packed.filter((path) => !known.test(path));
    const data = ['dist/compiler/cli/hook-program.code', 'dist/compiler/present/page/app.css'];
    expect(others).toEqual([...data, 'compiler/quality/paraphrase/lexicon.json'].sort());
    expect(packed.filter((path) => /left-over|gather|\.pem$|(^|\/)test\//.test(path))).toEqual([]);
  });
});

describeWhere(
  isReachable,
  'publishing',
  'a registry of npm is needed',
)('a release', () => {
  test('a dry run of npm publishes the package as it is, and has nothing to correct in it', () => {
    const args = ['publish', '--dry-run', '--ignore-scripts', '--json', '--loglevel=warn', tarball];
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: clone.path, encoding: 'utf8' });
    expect(stderr).not.toContain('auto-corrected');
    expect(status).toBe(0);
    expect(stdout).toContain('vademecum');
  });
});

describeWhere(
  isReachable,
  'the installed package',
  'a registry of npm is needed',
)('an installed package', () => {
  const project = tempFolder();
  const prefix = tempFolder();
  const env = { PATH: process.env['PATH'] };
  const vade = (args: readonly string[], cwd = project) =>
    execFileSync(join(prefix, 'bin/vade'), args, { cwd, encoding: 'utf8', env });
  const vadeOf = (folder: string) => (args: readonly string[], cwd: string) =>
    execFileSync(join(folder, 'node_modules/.bin/vade'), args, { cwd, encoding: 'utf8', env });

  beforeAll(() => {
    writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
    execFileSync('npm', ['install', ...QUIET, tarball], { cwd: project });
    execFileSync('npm', ['install', '--global', '--prefix', prefix, ...QUIET, tarball], { cwd: project });
    // as `npm rebuild better-sqlite3 hnswlib-node` makes them, which takes minutes
    for (const name of ['better-sqlite3', 'hnswlib-node']) {
      const built = `node_modules/${name}/build/Release`;
      cpSync(join(ROOT, built), join(project, built), { recursive: true });
    }
    vade(['init', '--dir', 'handbook']);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: join(project, 'handbook') });
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'Start');
  });

  test('vade of a global installation does not lead into the clone', () => {
    const real = realpathSync(join(prefix, 'bin/vade'));
    expect(real.startsWith(realpathSync(prefix))).toBe(true);
    expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual(['vademecum']);
    expect(vade(['--version'])).toContain('0.1.0');
  });

  test('the example of the README compiles, recalls and verifies, with types that need nothing else', () => {
    const [example] = examplesOf('compiler/library/README.md', ['ts']);
    writeFileSync(join(project, 'example.ts'), example?.text ?? '');
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [], strict: true },
      ...{ exactOptionalPropertyTypes: true, skipLibCheck: false, rootDir: '.', outDir: 'out' },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
    mkdirSync(join(project, 'out'));
    const checked = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc')], { cwd: project });
    expect(checked.stdout.toString()).toBe('');
    const ran = spawnSync(process.execPath, ['out/example.js'], { cwd: project, encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^true wrap-up$/m);
    expect(ran.stdout).not.toContain('false');
  });

  test('without the optional packages a bundle is compiled to the same bytes and served; another model says what to install', () => {
    const handbook = join(project, 'handbook');
    const trusted = ['--trust', 'instructions/trust/1.json'];
    const compile = (...more: string[]) =>
      vadeOf(project)(['compile', ...trusted, '--key', '.vade/signing-key.pem', ...more], handbook);
    compile('--out', 'whole');
    rmSync(join(project, 'node_modules/@xenova'), { recursive: true });
    compile('--out', 'without');
    const current = (name: string) => readFileSync(join(handbook, name, 'current'), 'utf8');
    expect(current('without')).toBe(current('whole'));
    expect(vadeOf(project)(['serve', ...trusted, '--bundle', 'without', '--dry-run'], handbook)).toContain(
      'would_serve',
    );
    writeModel(join(handbook, '.vade/models'));
    const org = join(handbook, 'instructions/org.yaml');
    writeFileSync(org, `${readFileSync(org, 'utf8')}\nmodel: { name: tiny, pooling: cls }\n`);
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qam', 'Model'], {
      cwd: handbook,
    });
    const refused = spawnSync(join(project, 'node_modules/.bin/vade'), ['compile', '--dev', '--format', 'json'], {
      cwd: handbook,
      encoding: 'utf8',
    });
    expect(refused.stdout).toContain('MODEL_UNAVAILABLE');
    expect(refused.stdout).toContain('npm install @xenova/transformers@');
  });

  test('atoms and roles are added to a handbook from the package, and its gate denies without its options', () => {
    vade(['capability', 'add', '--role', 'edit-local', '--repo', 'handbook']);
    expect(readdirSync(join(project, 'handbook/instructions/roles'))).toContain('edit-local.toml');
    const gate = join(project, 'node_modules/vademecum/dist/compiler/capabilities/gate/vade-gate.cjs');
    expect(spawnSync(process.execPath, [gate], { cwd: project, input: '{}' }).status).toBe(2);
  });

  test('files that are no entry cannot be imported', () => {
    const script = `await import('vademecum/dist/compiler/compile.js')`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: project, encoding: 'utf8' });
    expect(ran.stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  // the last: the tests above need the others
  test('without any optional package vade starts, and serves what was compiled with them', () => {
    // with --global, npm 11 leaves nothing out
    execFileSync('npm', ['prune', '--omit=optional', ...QUIET], { cwd: project });
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: object;
    };
    const names = Object.keys(optionalDependencies);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((it) => existsSync(join(project, 'node_modules', it)))).toEqual([]);
    const run = (...args: string[]) => vadeOf(project)(args, join(project, 'handbook'));
    expect(run('--version')).toContain('0.1.0');
    const whole = ['--trust', 'instructions/trust/1.json', '--bundle', 'whole'];
    expect(run('serve', ...whole, '--dry-run')).toContain('would_serve');
    expect(run('recall', ...whole, '--agent', 'assistant', '--intent', 'I am done for now')).toContain('wrap-up');
  });
});
