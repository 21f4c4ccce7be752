import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { USES } from '../../compiler/cli/help.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { failure } from './failing.ts';

const INVALID = [3, 'ARGUMENT_INVALID'];
const run = (...args: string[]) => vade(args, tempFolder());

describe('DESIGN §6.11 an invalid argument exits 3', () => {
  test.each([
    ['an unknown command', ['recal'], 'vade recall'],
    ['an unknown command of two words', ['key', 'craete'], 'vade key create'],
    ['an unknown command below a command', ['probe', 'sugest', '--agent', 'cto', '--out', 'x'], 'vade probe suggest'],
    ['an unknown command of a group', ['audit', 'verfy'], 'vade audit verify'],
    ['an unknown command with more words after it', ['key', 'creat', 'cto'], 'vade key create'],
    ['a command that resembles none of its group', ['key', 'frobnicate'], 'vade key revoke'],
    ['a word after a command that resembles none below it', ['probe', 'cto'], 'is not a flag'],
    ['an unknown flag', ['recall', '--agent', 'cto', '--intent', 'x', '--max-chunk', '3'], '--max-chunks'],
    ['a flag that resembles none of the command', ['brief', 'probes', '--agent', 'cto', '--dev'], '--help lists'],
    ['the last word of a longer command', ['doctor'], 'vade capability doctor'],
    ['an unknown short flag', ['key', 'list', '-x'], '-x'],
    ['a missing required flag', ['recall', '--agent', 'cto'], '--intent'],
    ['a flag given twice', ['recall', '--agent', 'cto', '--agent', 'ct', '--intent', 'x'], '--agent'],
    ['a flag without its value', ['compile', '--dev', '--ref'], '--ref'],
    ['a switch with a value', ['compile', '--dev=yes'], '--dev'],
    ['a number that is not an integer', ['recall', '--agent', 'cto', '--intent', 'x', '--max-chunks', '1.5'], '1.5'],
    ['a number in words', ['recall', '--agent', 'cto', '--intent', 'x', '--max-chunks', 'three'], 'three'],
    ['a number below its bounds', ['recall', '--agent', 'cto', '--intent', 'x', '--max-chunks', '0'], '--max-chunks'],
    ['a number above its bounds', ['serve', '--dev', '--port', '65536'], '--port'],
    ['a value that is not allowed', ['key', 'list', '--format', 'xml'], 'json, text'],
    ['a positional', ['key', 'list', 'all'], 'all'],
    ['a positional after --', ['key', 'list', '--', 'all'], 'all'],
    ['a second word for the one that needs no flag', ['model', 'pin', 'a/b', 'c/d'], '--name is given 2 times'],
    ['an empty command', [''], 'vade'],
  ])('an invalid argument exits 3 and is named: %s', async (_name, args, named) => {
    const ran = await run(...args);
    expect(failure(ran)).toEqual(INVALID);
    expect(ran.envelope().error).toMatchObject({ phase: 'validation' });
    expect(ran.stdout).toContain(named);
  });

  test('one error lists all invalid arguments', async () => {
    const ran = await run(
      'recall',
      'cto',
      '--max-chunks',
      '0',
      '--token-budget',
      'x',
      '--dev',
      '--dev',
      '--hints',
      'a',
    );
    expect(failure(ran)).toEqual(INVALID);
    const faults = ran.envelope().error.context['faults'] as string[];
    for (const named of ['cto', '--max-chunks', '--token-budget', '--dev', '--hints', '--agent', '--intent']) {
      expect(faults.filter((it) => it.includes(named)).length).toBeGreaterThanOrEqual(1);
    }
  });

  test('the error suggests the most similar flag, and the most similar command as a command line', async () => {
    expect((await run('compile', '--trsut=x')).envelope().error.context['faults']).toEqual([
      expect.stringContaining('--trust'),
    ]);
    expect((await run('kye', 'list')).envelope().error.suggestion).toContain('vade key list');
    const below = await run('probe', '--agent', 'cto', 'sugest', 'more');
    expect(below.envelope().error.suggestion).toBe('did you mean “vade probe suggest”?');
    const none = await run('key', 'frobnicate');
    expect(none.envelope().error.suggestion).toBe(
      'choose one of vade key create, vade key heartbeat, vade key list, vade key revoke',
    );
  });

  test('the value of a flag is not corrected, even if it resembles a command', async () => {
    const ran = await run('probe', '--dev', '--agent', 'sugest');
    expect([ran.envelope().meta['command'], ran.code]).toEqual(['probe', 5]);
  });

  test('an unknown flag without a command exits 3', async () => {
    expect(failure(await run('--bogus'))).toEqual(INVALID);
  });

  test.each(['--quiet key list', '--dev compile', '--format json key list'])(
    'a flag before the command is refused or obeyed, and never treated as a request for help: vade %s',
    async (line) => {
      const ran = await run(...line.split(' '));
      expect([ran.code, ran.stdout]).not.toEqual([0, '']);
    },
  );

  test('an empty agent, path or number is refused', async () => {
    const folder = tempFolder();
    expect(failure(await vade(['key', 'create', '--agent', ''], folder))).toEqual(INVALID);
    expect(failure(await vade(['recall', '--agent', 'x', '--intent', 'x', '--max-chunks', ''], folder))).toEqual(
      INVALID,
    );
    expect(existsSync(`${folder}/keys.json`)).toBe(false);
  });
});

describe('DESIGN §8 help is text on stdout, for who cannot have the manifest', () => {
  test('vade alone, piped, gives the first steps on stdout', async () => {
    const ran = await run();
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    for (const first of ['vade init', 'vade dev', 'vade lint', 'vade help']) expect(ran.stdout).toContain(first);
    expect(ran.stdout.split('\n').length).toBeLessThan(12);
  });

  test.each([['compile'], ['key create'], ['probe'], ['probe suggest']])(
    'vade help %s is what --help after it prints',
    async (words) => {
      const [asked, flagged] = [await run('help', ...words.split(' ')), await run(...words.split(' '), '--help')];
      expect([asked.code, asked.stderr, asked.stdout]).toEqual([0, '', flagged.stdout]);
    },
  );

  test.each([[['help', 'trust']], [['trust', '--help']]])('vade %j lists the commands of the group', async (args) => {
    const ran = await run(...args);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const below = [...COMMANDS.keys()].filter((path) => path.startsWith('trust.'));
    for (const path of below) expect(ran.stdout).toContain(path.replace('.', ' '));
    expect(ran.stdout).not.toContain('compile');
  });

  test('vade help for no command exits 3 and suggests the nearest', async () => {
    const ran = await run('help', 'complie');
    expect(failure(ran)).toEqual(INVALID);
    expect(ran.envelope().error.suggestion).toContain('vade compile');
  });

  test('every command has a use in the help, and every use names commands that are there', () => {
    const groups = [...COMMANDS.keys()].flatMap((path) => [path, path.split('.')[0] ?? '']);
    const named = USES.flatMap(([, names]) => names);
    expect(named.filter((name) => !groups.includes(name))).toEqual([]);
    expect([...COMMANDS.keys()].filter((path) => !named.includes(path.split('.')[0] ?? ''))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  test.each([[['help']], [['--help']], [['-h']]])(
    'vade %j, piped, lists every command on stdout and exits 0',
    async (args) => {
      const ran = await run(...args);
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      for (const path of COMMANDS.keys()) expect(ran.stdout).toContain(path.replace('.', ' '));
    },
  );

  test.each([...COMMANDS.values()].map((it) => [it.path.replace('.', ' '), it] as const))(
    'the help of %s, piped, is on stdout, names each of its flags and requires none',
    async (words, command) => {
      const ran = await run(...words.split(' '), '--help');
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      for (const flag of Object.keys(command.flags)) expect(ran.stdout).toContain(`--${flag}`);
    },
  );
});

describe('DESIGN §8 the envelope', () => {
  test('the envelope of a success is {ok,data,error,warnings,meta}, on one line', async () => {
    const ran = await run('key', 'list');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^\{.*\}\n$/);
    expect(Object.keys(ran.envelope())).toEqual(['ok', 'data', 'error', 'warnings', 'meta']);
    expect(ran.envelope()).toMatchObject({ ok: true, data: { keys: [] }, error: null, warnings: [] });
    expect(ran.envelope().meta).toMatchObject({ exit_code: 0, command: 'key.list' });
    expect(Number.isInteger(ran.envelope().meta['duration_ms'])).toBe(true);
    expect(ran.envelope().meta['tool_version']).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('--version prints the version that meta has', async () => {
    const ran = await run('--version');
    expect([ran.code, ran.envelope().data['version']]).toEqual([0, ran.envelope().meta['tool_version']]);
  });

  test('with --format text an error is written to stderr only', async () => {
    const good = await run('key', 'list', '--format', 'text');
    expect([good.code, good.stdout]).toEqual([0, '']);
    const bad = await run('recall', '--format', 'text', '--agent', 'cto');
    expect([bad.code, bad.stdout]).toEqual([3, '']);
    expect(bad.stderr).toContain('--intent');
  });
});
