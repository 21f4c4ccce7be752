import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { failure } from '../cli/failing.ts';
import { holding } from '../cli/holding.ts';
import { compiledWorkplace, TRUST, workplace } from '../cli/workplace.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

async function withKeys(count: number): Promise<{ folder: string; ids: string[] }> {
  const folder = holding(Array.from({ length: count }, (_, i) => `a${i}`));
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    ids.push(String((await vade(['key', 'create', '--agent', `a${i}`], folder)).envelope().data['id']));
  }
  return { folder, ids };
}

describe('irreversible commands', () => {
  test('an irreversible command requires --yes, and changes nothing without it', async () => {
    const { folder, ids } = await withKeys(1);
    const before = readFileSync(join(folder, 'keys.json'), 'utf8');
    const ran = await vade(['key', 'revoke', '--id', ids[0] ?? ''], folder);
    expect(failure(ran)).toEqual([3, 'CONFIRMATION_REQUIRED']);
    expect(ran.envelope().error).toMatchObject({ phase: 'validation' });
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(before);
  });

  test('an irreversible command reports its effect with --dry-run, and acts once', async () => {
    const { folder, ids } = await withKeys(1);
    const before = readFileSync(join(folder, 'keys.json'), 'utf8');
    const effect = async (...more: string[]) =>
      (await vade(['key', 'revoke', '--id', ids[0] ?? '', ...more], folder)).envelope().data['effect'];
    expect(await effect('--dry-run')).toBe('would_update');
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(before);
    expect([await effect('--yes'), await effect('--yes'), await effect('--dry-run')]).toEqual([
      'updated',
      'noop',
      'would_noop',
    ]);
  });
});

describe('--dry-run of commands that only add', () => {
  test.each([
    ['init', ['init', '--dir', 'handbook', '--no-admin', '--dry-run'], 'would_create'],
    ['key create', ['key', 'create', '--agent', 'cto', '--dry-run'], 'would_create'],
  ])('%s --dry-run reports its effect, and writes nothing', async (_name, args, effect) => {
    const folder = holding();
    const ran = await vade(args, folder);
    expect([ran.code, ran.envelope().data['effect']]).toEqual([0, effect]);
    expect(readdirSync(folder)).toEqual(['instructions']);
  });

  test('compile --dry-run writes nothing; then a compile writes once, and the next one is a noop', async () => {
    const place = workplace();
    const compile = async (...more: string[]) => {
      const ran = await place.run(['compile', '--trust', 'root.json', '--key', 'signing.pem', ...more]);
      return [ran.code, ran.envelope().data['effect']];
    };
    expect(await compile('--dry-run')).toEqual([0, 'would_create']);
    expect(existsSync(join(place.cwd, 'bundle'))).toBe(false);
    expect(await compile()).toEqual([0, 'created']);
    expect(await compile()).toEqual([0, 'noop']);
    expect(await compile('--dry-run')).toEqual([0, 'would_noop']);
  });
});

describe('lists', () => {
  test('a list comes in pages, each item once, with an opaque cursor', async () => {
    const { folder, ids } = await withKeys(5);
    const seen: string[] = [];
    let cursor: string[] = [];
    for (let page = 0; page < 3; page++) {
      const { data, meta } = (await vade(['key', 'list', '--limit', '2', ...cursor], folder)).envelope();
      seen.push(...(data['keys'] as { id: string }[]).map((it) => it.id));
      const pagination = meta['pagination'] as { total: number; has_more: boolean; next_cursor: string | null };
      expect([pagination.total, pagination.has_more]).toEqual([5, page < 2]);
      cursor = pagination.next_cursor === null ? [] : ['--cursor', pagination.next_cursor];
    }
    expect(seen).toEqual(ids);
    const all = (await vade(['key', 'list', '--limit', '0'], folder)).envelope().data['keys'] as unknown[];
    expect(all).toHaveLength(5);
  });

  test('a list refuses a forged cursor', async () => {
    const { folder } = await withKeys(1);
    expect(failure(await vade(['key', 'list', '--cursor', 'zzz'], folder))).toEqual([3, 'ARGUMENT_INVALID']);
  });
});

describe('malformed IDs', () => {
  test.each(['../etc', 'a%2e%2e', 'a?b', 'a\nb', 'a/b', ''])(
    'the ID %j is an argument error of key create and key revoke',
    async (id) => {
      const folder = tempFolder();
      expect(failure(await vade(['key', 'create', '--agent', id], folder))).toEqual([3, 'ARGUMENT_INVALID']);
      expect(failure(await vade(['key', 'revoke', '--yes', '--id', id], folder))).toEqual([3, 'ARGUMENT_INVALID']);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

describe('former names of commands', () => {
  test('a former name of a command exits with 13 and a redirect that runs verbatim', async () => {
    const { folder, ids } = await withKeys(1);
    const ran = await vade(['key', 'delete', '--id', ids[0] ?? '', '--yes', '--format', 'json'], folder);
    expect([ran.code, ran.envelope().error.code]).toEqual([13, 'COMMAND_REDIRECTED']);
    const [, ...words] = (ran.envelope().error.redirect?.command ?? '').split(' ');
    expect((await vade(words, folder)).envelope().data['effect']).toBe('updated');
  });
});

describe('pipes', () => {
  const run = (args: readonly string[], input: string | null, cwd: string) =>
    new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stdin.on('error', () => undefined);
      if (input !== null) child.stdin.end(input);
      child.on('close', (code) => {
        resolve({ code, stdout });
      });
    });

  test('a request can come from standard input, up to 64 KiB', async () => {
    const place = await compiledWorkplace();
    const recall = (bytes: number) => {
      const request = JSON.stringify({ intent: 'done for today' }).padEnd(bytes);
      return run(['recall', '--agent', 'cto', '--input-file', '-', ...TRUST], request, place.cwd);
    };
    const answered = await recall(65_536);
    expect([answered.code, answered.stdout]).toEqual([0, expect.stringContaining('"name":"wrap-up"')]);
    const refused = await recall(65_537);
    expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('ARGUMENT_INVALID')]);
  });

  test('a command does not wait for an open pipe without input', async () => {
    expect((await run(['key', 'list'], null, tempFolder())).code).toBe(0);
  });

  test('a command ends quietly if the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'manifest'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(stderr).toBe('');
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('the completion for %s names every command', async (shell) => {
    const { data } = (await vade(['completion', '--shell', shell], tempFolder())).envelope();
    const words = [...COMMANDS.keys()].flatMap((path) => path.split('.'));
    expect(words.filter((it) => !new RegExp(`\\b${it}\\b`).test(String(data['script'])))).toEqual([]);
  });

  test.each([
    { typed: 'key re', offered: ['revoke'], not: [] },
    // a command that is a group too takes flags, and goes on
    { typed: 'prob', offered: ['probe'], not: ['probe suggest'] },
    { typed: 'probe ', offered: ['suggest', '--max-lost'], not: ['--since'] },
    { typed: 'probe suggest --', offered: ['--since', '--out'], not: ['--max-lost', '--unit'] },
  ])('the completion script for bash completes “$typed”', async ({ typed, offered, not }) => {
    const folder = tempFolder();
    const script = String((await vade(['completion', '--shell', 'bash'], folder)).envelope().data['script']);
    const words = ['vade', ...typed.split(' ')];
    const place = `COMP_WORDS=(${words.map((it) => `'${it}'`).join(' ')}) COMP_CWORD=${words.length - 1}`;
    const asked = `${script}\n${place}; _vade; echo "\${COMPREPLY[*]}"`;
    const said = await new Promise<string>((resolve) => {
      const child = spawn('bash', ['--norc', '-c', asked], { stdio: ['ignore', 'pipe', 'ignore'] });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.on('close', () => {
        resolve(out.trim());
      });
    });
    expect(said.split(' ')).toEqual(expect.arrayContaining(offered));
    for (const it of not) expect(said.split(' ')).not.toContain(it);
  });

  test('the completion for fish distinguishes probe and probe suggest', async () => {
    const ran = await vade(['completion', '--shell', 'fish'], tempFolder());
    const rows = String(ran.envelope().data['script']).split('\n');
    const when = (flag: string) => rows.filter((it) => it.endsWith(` -l ${flag}`)).join('\n');
    expect(when('max-lost')).toContain('_from probe; and not __fish_seen_subcommand_from suggest');
    expect(when('out')).toContain("_from probe; and __fish_seen_subcommand_from suggest'");
    expect(rows.filter((it) => / -a probe( |$)/.test(it))).toHaveLength(1);
  });
});
