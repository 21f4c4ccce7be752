import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { World } from '../app/world/world.ts';
import { ERRORS, VadeError, type ErrorCode } from '../schema/errors.ts';

/** The command line's own entry: what is published is published by the very command a person would run. */
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** A gate that is not through by then is ended; whatever it had done by then is whole. */
const TIMEOUT_MS = 300_000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/** Publishes a body for an agent, on behalf of an administrator. */
export type Publish = (agent: string, body: Buffer, admin: string) => Promise<object>;

/**
 * `vade publish` in a process of its own (DESIGN §6.9): a server that is listening neither parses Markdown nor calls git,
 * and what goes wrong there ends there. Only the environment it needs is handed on.
 *
 * @param flags of `vade publish`, but for agent, admin and input
 */
export function childPublisher(flags: readonly string[], world: World): Publish {
  const kept = ['PATH', 'TMPDIR', 'VADE_SIGNING_KEY', 'VADE_MODEL_HUB'];
  const env = Object.fromEntries(
    kept.flatMap((name) => (world.env[name] === undefined ? [] : [[name, world.env[name]]])),
  );
  return async (agent, body, admin) => {
    const given = [`--agent=${agent}`, `--admin=${admin}`, '--input-file=-', '--format=json', '--quiet'];
    return answerOf(await run([MAIN, 'publish', ...given, ...flags], body, world.cwd, env));
  };
}

function run(
  args: readonly string[],
  input: Buffer,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', reject);
    // a child that ends before it has read everything answers by how it ends
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (_code, signal) => {
      if (signal === null) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`publishing was ended by ${signal}`));
    });
  });
}

interface Envelope {
  readonly ok: boolean;
  readonly data: object | null;
  readonly warnings: readonly object[];
  readonly error: { readonly code: string; readonly message: string; readonly context: Record<string, unknown> } | null;
}

/** The child's answer as this process would have come to it. */
function answerOf(stdout: string): object {
  const { ok, data, warnings, error } = JSON.parse(stdout) as Envelope;
  if (ok && data) return { ...data, warnings };
  const code = (error?.code ?? 'internal').toLowerCase();
  const known = code in ERRORS ? (code as ErrorCode) : 'internal';
  // to the command line a body is an argument
  throw new VadeError(
    known === 'argument_invalid' ? 'request_invalid' : known,
    error?.message ?? '',
    error?.context ?? {},
  );
}
