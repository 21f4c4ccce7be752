// `npm start`: from a fresh clone to a served deployment, with one command.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const own = join('.vade', 'demo');
const host = '127.0.0.1';
const port = process.env.PORT ?? '8765';

const node = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) {
    process.stderr.write(stdout);
    process.exit(status ?? 1);
  }
  return stdout.toString('utf8');
};
const main = join('dist', 'compiler', 'cli', 'main.js');
const vade = (...args) => JSON.parse(node(main, ...args, '--format', 'json')).data;

process.stderr.write('building …\n');
node(join('node_modules', 'typescript', 'bin', 'tsc'), '--project', 'tsconfig.build.json');
node(join('compiler', 'present', 'page', 'build.mjs'));

const keys = join(own, 'keys.json');
const bundle = join(own, 'bundle');
mkdirSync(join(root, own), { recursive: true });
rmSync(join(root, keys), { force: true });
const compiled = vade('compile', '--dev', '--out', bundle);
const held = ['--name', 'demo', '--keys', keys, '--dev', '--bundle', bundle];
const agent = vade('key', 'create', '--agent', 'cto', ...held);
const admin = vade('key', 'create', '--admin', 'acme/human/demo', ...held);

const flags = [
  '--dev',
  '--bundle',
  bundle,
  '--keys',
  keys,
  '--audit',
  join(own, 'audit.db'),
  '--host',
  host,
  '--port',
  port,
];
const server = spawn(process.execPath, [main, 'serve', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
server.stderr.on('data', (chunk) => {
  process.stderr.write(chunk);
  if (chunk.includes('"msg":"ready"')) greet();
});
server.on('exit', (code) => process.exit(code === 143 || code === 130 ? 0 : (code ?? 1)));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));

function greet() {
  process.stdout.write(`
${compiled.deployment}: ${compiled.gardens} gardens compiled from serial ${compiled.serial}, served on http://${host}:${port}

Ask as the cto:

  curl -s http://${host}:${port}/v1/agents/cto/recall-instruction \\
    -H 'authorization: Bearer ${agent.key}' \\
    -H 'content-type: application/json' \\
    -d '{"intent":"I am about to merge a risky change"}'

An administrator's key, for this demo alone: ${admin.key}
Ctrl-C ends it.
`);
}
