import { fileURLToPath } from 'node:url';
import type { ServerOptions } from '../../server/main.ts';
import { runProcess } from '../io/process/run-process.ts';
import { ERRORS, VadeError, type ErrorCode } from '../schema/errors.ts';
import type { World } from '../world/world.ts';

/** The entry point of the command line: a server publishes with the same command as a person. */
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** A child that takes longer is killed; every change is atomic, so nothing is left half written. */
const SECONDS = 300;

/**
 * Runs `vade publish` in a child process (DESIGN §6.9): a listening server neither parses Markdown nor calls git, and a
 * crash of the child does not affect it. The child gets only the environment variables that it needs.
 *
 * @param flags of `vade publish`, without agent, admin and input
 */
export function childPublisher(flags: readonly string[], world: World): NonNullable<ServerOptions['publish']> {
  const passed = ['PATH', 'TMPDIR', 'VADE_SIGNING_KEY', 'VADE_MODEL_HUB'];
  const env = Object.fromEntries(
    passed.flatMap((name) => (world.env[name] === undefined ? [] : [[name, world.env[name]]])),
  );
  return async (agent, body, admin) => {
    const given = [`--agent=${agent}`, `--admin=${admin}`, '--input-file=-', '--format=json', '--quiet'];
    return publishedBy(await runVade(['publish', ...given, ...flags], body, { cwd: world.cwd, env }));
  };
}

/** Runs this program in a child process. @returns its stdout @throws Error if it does not end by itself */
export async function runVade(words: readonly string[], input: Buffer, { cwd, env }: Pick<World, 'cwd' | 'env'>) {
  const [args, stderr] = [[MAIN, ...words], { bytes: 0, beyond: 'keep_first' } as const];
  const ended = await runProcess({ program: process.execPath, args, cwd, env, input, seconds: SECONDS, stderr });
  if (ended.end === 'exit') return ended.stdout.toString('utf8');
  const why = ended.end === 'not_started' ? ended.why : ended.end === 'killed' ? ended.signal : ended.end;
  throw new Error(`vade ${words[0]} did not end: ${why}`);
}

interface Envelope {
  readonly ok: boolean;
  readonly data: object | null;
  readonly warnings: readonly object[];
  readonly error: { readonly code: string; readonly message: string; readonly context: Record<string, unknown> } | null;
}

/** The result or the error that `vade publish` prints, as if this process had run the command. @throws its error */
export function publishedBy(stdout: string): object {
  const { ok, data, warnings, error } = JSON.parse(stdout) as Envelope;
  if (ok && data) return { ...data, warnings };
  const code = (error?.code ?? 'internal').toLowerCase();
  const known = code in ERRORS ? (code as ErrorCode) : 'internal';
  // the command line reports an invalid body as an invalid argument
  throw new VadeError(
    known === 'argument_invalid' ? 'request_invalid' : known,
    error?.message ?? '',
    error?.context ?? {},
  );
}
