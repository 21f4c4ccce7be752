import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { EXIT, EXITS, exitsOf, type ExitName } from '../../compiler/cli/exit.ts';
import { closeRegistry, defineCommand, SCOPES } from '../../compiler/cli/registry.ts';
import { runCommandLine } from '../../compiler/cli/run.ts';
import { openRemote } from '../../compiler/io/remote/remote.ts';
import { ERRORS, VadeError, type ErrorCode } from '../../compiler/schema/errors.ts';
import { type World } from '../../compiler/world/world.ts';
import { vadeProcess } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { silentServer } from '../support/silent-server.ts';
import { failure } from './failing.ts';

const declares = (path: string) => exitsOf(COMMANDS.get(path)!);

describe('DESIGN §6.11 the exit codes that commands declare', () => {
  test('some command declares every exit code of the table, except REDIRECTED', () => {
    const declared = new Set([...COMMANDS.values()].flatMap(exitsOf));
    const missing = (Object.keys(EXITS) as ExitName[]).filter((name) => !declared.has(name));
    // a former name of a command is redirected before any command is known
    expect(missing).toEqual(['REDIRECTED']);
  });

  test('every command that reads an audit declares the exit codes of an unavailable database', () => {
    const asking = [...COMMANDS.values()].filter(({ flags }) => 'audit' in flags).map(({ path }) => path);
    expect(asking.length).toBeGreaterThan(6);
    for (const path of asking) {
      expect([path, ...declares(path)]).toEqual(expect.arrayContaining(['AUTH_REQUIRED', 'TIMEOUT', 'UNAVAILABLE']));
    }
    expect(declares('key.create')).toContain('UNAVAILABLE');
  });

  test('vade publish declares the exit code of a commit whose bundle was not written', () => {
    expect(ERRORS.bundle_not_written.exit).toBe(EXIT.PARTIAL_FAILURE);
    expect(declares('publish')).toContain('PARTIAL_FAILURE');
  });

  test('the exit codes of unavailable services are retryable, as their error codes are', () => {
    const exits = new Map(Object.values(EXITS).map(({ code, retryable }) => [code, retryable]));
    for (const code of ['audit_unavailable', 'bundle_unavailable'] as const) {
      expect([ERRORS[code].retryable, exits.get(ERRORS[code].exit)]).toEqual([true, true]);
    }
  });
});

describe('an undeclared exit code', () => {
  const ended = async (code: ErrorCode) => {
    const command = defineCommand({
      ...{ path: 'try', description: 'Fails', danger: 'safe', flags: {}, exits: ['NOT_FOUND'], examples: [] },
      output: z.object({}),
      run: () => Promise.reject(new VadeError(code, 'as it was', { where: 'here' })),
    });
    let stdout = '';
    const stage = { stderr: () => undefined, machine: true, colour: false, version: '0', clock: () => 0 };
    const world = { ended: new Promise<never>(() => undefined) } as unknown as World;
    const exit = await runCommandLine(['try'], closeRegistry([command], {}), () => world, {
      ...stage,
      stdout: (text) => (stdout += text),
    });
    const { error } = JSON.parse(stdout) as {
      error: { code: string; message: string; suggestion?: string; context: object };
    };
    return { exit, ...error };
  };

  test('an undeclared exit code becomes an internal error, which keeps message and context and says what to do', async () => {
    const { suggestion, ...error } = await ended('timed_out');
    expect(error).toMatchObject({ exit: EXIT.GENERAL_ERROR, code: 'INTERNAL', context: { where: 'here' } });
    expect(suggestion).toContain('report this message');
    expect((await ended('timed_out')).message).toMatch(/try does not declare exit 10 \(timed_out\): as it was/);
  });

  test('declared exit codes, and those of every command, are kept', async () => {
    expect(await ended('source_not_found')).toMatchObject({ exit: EXIT.NOT_FOUND, code: 'SOURCE_NOT_FOUND' });
    expect(await ended('argument_invalid')).toMatchObject({ exit: EXIT.ARG_ERROR });
    expect(await ended('interrupted')).toMatchObject({ exit: EXIT.SIGINT });
  });
});

describe('a bundle at an address', () => {
  const get = (base: string, answer?: typeof fetch, timeoutMs = 10_000) =>
    openRemote({ base: new URL(base), timeoutMs, ...(answer && { fetch: answer }) })
      .get('current', 200)
      .then(() => 'found')
      .catch((error: unknown) => (error as VadeError).code);
  const status = (code: number) => () => Promise.resolve(new Response('', { status: code }));

  test('a bundle address without a server exits 12, and is retryable', async () => {
    const { port, close } = await silentServer();
    close();
    const folder = tempFolder();
    // nothing is there to compile, but the development root is made
    await vadeProcess(['compile', '--dev'], folder);
    const ran = await vadeProcess(['serve', '--dev', '--bundle', `https://127.0.0.1:${port}/bundle`], folder);
    expect(failure(ran)).toEqual([12, 'BUNDLE_UNAVAILABLE']);
    expect(ran.envelope().error).toMatchObject({ retryable: true });
  });

  test.each([
    [401, 'credentials_refused', 8],
    [429, 'bundle_unavailable', 12],
    [500, 'bundle_unavailable', 12],
    [503, 'bundle_unavailable', 12],
    [418, 'bundle_not_found', 5],
  ] as const)('a bundle host that answers %i is %s', async (answered, code, exit) => {
    expect(await get('https://bundles.example/', status(answered))).toBe(code);
    expect(ERRORS[code].exit).toBe(exit);
  });

  test('a bundle host that accepts the connection and never answers exits 10', async () => {
    const { port, close } = await silentServer();
    expect(await get(`http://127.0.0.1:${port}/`, undefined, 300)).toBe('timed_out');
    expect(ERRORS.timed_out.exit).toBe(EXIT.TIMEOUT);
    close();
  });

  test('a bundle host that cannot be found, or closes the connection, exits 12', async () => {
    const { port, close } = await silentServer((socket) => socket.destroy());
    expect(await get(`http://127.0.0.1:${port}/`)).toBe('bundle_unavailable');
    close();
  });
});

describe('ManifestResponse required_scopes', () => {
  const scopesOf = (path: string) => COMMANDS.get(path)?.scopes ?? [];

  test('the README of the command line explains every scope', () => {
    const readme = readFileSync('compiler/cli/README.md', 'utf8');
    for (const scope of Object.keys(SCOPES)) expect(readme).toContain(`| \`${scope}\``);
  });

  test('commands that read or write an audit declare a scope for it', () => {
    // report and recall use an audit only if it is given
    const asking = [...COMMANDS.values()].filter(
      ({ flags, path }) => 'audit' in flags && !['report', 'recall'].includes(path),
    );
    for (const { path } of asking) {
      const needed = ['audit.erase', 'audit.retain', 'mcp', 'serve'].includes(path) ? 'audit:write' : 'audit:read';
      expect([path, ...scopesOf(path)]).toEqual([path, needed]);
    }
  });

  test('commands that always sign declare the scope of their key', () => {
    // shadow signs with --attest, serve with --publish
    const signing = [...COMMANDS.values()].filter(
      ({ flags, path }) => 'key' in flags && !['shadow', 'serve'].includes(path),
    );
    expect(Object.fromEntries(signing.map(({ path }) => [path, scopesOf(path).join()]))).toEqual({
      approve: 'admin:sign',
      compile: 'bundle:sign',
      freshen: 'bundle:sign',
      publish: 'bundle:sign',
      rollback: 'admin:sign',
      'task.bypass': 'agent:seal',
      'task.clean': 'agent:seal',
      'task.explain': 'agent:seal',
      'task.replay': 'agent:seal',
      'task.revoke': 'agent:seal',
      'task.run': 'agent:seal',
      'task.spawn': 'agent:seal',
      'task.verify': 'agent:seal',
      'trust.sign': 'root:sign',
      withdraw: 'admin:sign',
    });
  });
});
