// The first process of the container: `vade`, with secrets from files, and its own health check.
import { readFileSync } from 'node:fs';

/** Secrets that may come as a file, which no `docker inspect` shows: `<name>_FILE` is its path. */
const SECRETS = ['VADE_AUDIT_KEY', 'VADE_CHECKPOINT_KEY', 'VADE_BUNDLE_TOKEN', 'VADE_SIGNING_KEY', 'PGPASSWORD'];

/** The port that `vade serve` has unless told otherwise; --port of another number needs a health check of its own. */
const PORT = 8765;

if (process.argv[2] === 'health') await checkHealth();
else {
  for (const name of SECRETS) readSecret(name);
  await import('../../dist/compiler/cli/main.js');
}

async function checkHealth() {
  try {
    const { status } = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4000) });
    process.exitCode = status === 200 ? 0 : 1;
  } catch {
    process.exitCode = 1;
  }
}

function readSecret(name) {
  const file = process.env[`${name}_FILE`];
  if (file === undefined || file === '') return;
  if (process.env[name]) fail(`${name} and ${name}_FILE are both set: give one`);
  try {
    process.env[name] = readFileSync(file, 'utf8').replace(/\n$/, '');
  } catch ({ code }) {
    fail(`${name}_FILE: ${file} cannot be read (${code})`);
  }
}

/** Ends with the code of `vade` for a wrong argument; no secret is quoted. */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(3);
}
