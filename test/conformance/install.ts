import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';

/** The installed suite: which one, and what runs it. */
export interface Suite {
  readonly version: string;
  readonly node: string;
  readonly main: string;
}

const PINNED = join('test', 'conformance', 'installed');
const FOLDER = resolve('.cache', 'conformance');
const MODULES = join(FOLDER, 'node_modules');
const FILES = [join(PINNED, 'package.json'), join(PINNED, 'package-lock.json'), '.npmrc'];

/** The suite does not run on an older one. */
const NODE_MAJOR = 22;

/** Installs the suite and the Node.js that it needs into a folder of its own: users of Node 20 never meet either. */
export function installSuite(): Suite {
  const wanted = createHash('sha256')
    .update(readFileSync(join(PINNED, 'package-lock.json')))
    .digest('hex');
  const stamp = join(MODULES, '.installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    install();
    writeFileSync(stamp, wanted);
  }
  const suite = join(MODULES, '@modelcontextprotocol', 'conformance');
  const about = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8')));
  return { version: about.version, node: nodeForSuite(), main: join(suite, 'dist', 'index.js') };
}

function install(): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of FILES) copyFileSync(file, join(FOLDER, basename(file)));
  process.stderr.write('installing the conformance suite …\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel', 'error'], {
    cwd: FOLDER,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error('the conformance suite cannot be installed');
}

/** The one that is installed beside the suite; not every machine has one, so a new enough one of the user's will do. */
function nodeForSuite(): string {
  const own = join(MODULES, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  throw new Error(`the conformance suite needs Node.js ${NODE_MAJOR}, which is not packaged for this machine`);
}
