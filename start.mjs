// `npm start`: from a fresh clone to a served deployment, with one command.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const own = join('.vade', 'demo');
const keys = join(own, 'keys.json');
const host = '127.0.0.1';
const parent = process.ppid;
const port = process.env.PORT || '8765';

// steps that could fail after minutes are tried first; the exit codes are those of `vade`
const fail = (code, message) => {
  process.stderr.write(`npm start: ${message}\n`);
  process.exit(code);
};
const listening = (number) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(number, host, () => {
      const { port: taken } = server.address();
      server.close(() => resolve(taken));
    });
  });
/** Ends the start if the port cannot be served on, and names one that can. */
const tryPort = () =>
  listening(Number(port)).catch(async ({ code, message }) => {
    const reasons = { EADDRINUSE: 'another program listens there', EACCES: 'you may not listen there' };
    const free = await listening(0).catch(() => Number(port) + 1);
    const reason = reasons[code] ?? message;
    fail(6, `${host}:${port} cannot be served on: ${reason}; choose another port: PORT=${free} npm start`);
  });

if (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65_535) {
  fail(3, `PORT is ${JSON.stringify(port)}; it has to be a number from 1 to 65535`);
}
await tryPort();
try {
  accessSync(root, constants.W_OK);
  mkdirSync(join(root, own), { recursive: true });
  rmSync(join(root, keys), { force: true });
} catch ({ message }) {
  fail(1, `${root} has to be a folder that you can write: ${message}`);
}

await import('./setup.mjs');

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
node('build.mjs');

const bundle = join(own, 'bundle');
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
// installing takes minutes, in which another program may have taken it
await tryPort();
const server = spawn(process.execPath, [main, 'serve', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
server.stderr.on('data', (chunk) => {
  process.stderr.write(chunk);
  if (chunk.includes('"msg":"ready"')) greet();
});
server.on('exit', (code) => process.exit(code === 143 || code === 130 ? 0 : (code ?? 1)));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
// also where this process ends by itself, as when whoever read its output went away
process.on('exit', () => server.kill());
// and where npm was killed, which hands on no signal but SIGTERM
const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent;
setInterval(() => isOrphan() && process.exit(1), 500);

function greet() {
  const url = `http://${host}:${port}`;
  process.stdout.write(`
${compiled.deployment}: ${compiled.gardens} gardens compiled from serial ${compiled.serial}, served on ${url}

The page, with everything of every agent:   ${url}/ui
An administrator's key for it, in this demo: ${admin.key}

Ask as the cto:

  curl -s ${url}/v1/agents/cto/recall-instruction \\
    -H 'authorization: Bearer ${agent.key}' \\
    -H 'content-type: application/json' \\
    -d '{"intent":"I am about to merge a risky change"}'

Connect Claude Code as the cto (examples/README.md has other hosts):

  claude mcp add --transport http vademecum ${url}/mcp --header 'Authorization: Bearer ${agent.key}'

Press Ctrl-C to stop.
`);
}
