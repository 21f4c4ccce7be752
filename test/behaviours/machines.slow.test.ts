import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { handbook, listing } from '../io/handbook.ts';
import { publish, readPublished } from '../io/published.ts';
import { vadeProcess, type Ran } from '../support/cli.ts';
import { realGate, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment } from '../support/repository.ts';

const trust = testTrust();

/** A folder that holds what a production compile is given from outside. */
function given(): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'root.json'), trust.root.envelope);
  writeFileSync(join(folder, 'key.pem'), trust.pem);
  return folder;
}

const compile = (cwd: string, repo: string, out: string, env: Record<string, string> = {}, more: string[] = []) =>
  vadeProcess(['compile', '--repo', repo, '--trust', 'root.json', '--key', 'key.pem', '--out', out, ...more], cwd, env);

/** Answer of a recall, without its time and the token that closes it. */
function answerOf(ran: Ran | undefined) {
  const { chunks, explain } = ran?.envelope().data ?? {};
  expect(chunks).not.toEqual([]);
  return { chunks, explain: { ...(explain as object), now: null } };
}

describe('DESIGN §6.3 the same commit, compiler and keys give the same bytes', () => {
  test('a compile gives the same bytes in every time zone and locale, with and without --previous', async () => {
    const repo = handbook();
    const cwd = given();
    const runs = [
      await compile(cwd, repo.path, 'a', { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }),
      await compile(cwd, repo.path, 'b', { TZ: 'America/St_Johns', LC_ALL: 'C', LANG: 'C' }),
      await compile(cwd, repo.path, 'c', { TZ: 'UTC', LANG: 'zh_CN.UTF-8', HOME: cwd }, ['--previous', 'a']),
    ];
    expect(runs.map((it) => it.code)).toEqual([0, 0, 0]);
    expect(listing(join(cwd, 'b'))).toEqual(listing(join(cwd, 'a')));
    expect(listing(join(cwd, 'c'))).toEqual(listing(join(cwd, 'a')));
    expect(listing((await publish(repo.path, { trust, over: { gate: await realGate() } })).folder)).toEqual(
      listing(join(cwd, 'a')),
    );
    expect(execFileSync('diff', ['-r', 'a', 'b'], { cwd, encoding: 'utf8' })).toBe('');
  });

  test('a processor without SIMD gives the same answers', async () => {
    const repo = handbook();
    const cwd = given();
    // V8 then compiles no SIMD; the code under test takes its other path
    const plain = ['--no-enable-sse4-1'];
    const compiled = await publish(repo.path, { trust, over: { gate: await realGate() } });
    const args = ['compile', '--repo', repo.path, '--trust', 'root.json', '--key', 'key.pem', '--out', 'bundle'];
    expect((await vadeProcess(args, cwd, {}, plain)).code).toBe(0);
    expect(listing(join(cwd, 'bundle'))).toEqual(listing(compiled.folder));
    const ask = ['recall', '--trust', 'root.json', '--bundle', 'bundle', '--agent', 'cto', '--explain'];
    const [quick, slow] = await Promise.all(
      [[], plain].map((flags) => vadeProcess([...ask, '--intent', 'I put the work down for tonight'], cwd, {}, flags)),
    );
    expect(answerOf(slow)).toEqual(answerOf(quick));
  });

  test('the written bytes verify against their signatures', async () => {
    const repo = handbook();
    const cwd = given();
    const { data } = (await compile(cwd, repo.path, 'bundle')).envelope();
    const read = readPublished(join(cwd, 'bundle'), trust);
    expect(data['revision']).toBe(read.bundle.revision);
    expect(readFileSync(join(cwd, 'bundle', 'current'), 'utf8')).toBe(`${read.bundle.revision}\n`);
  });
});

describe('deeply nested input does not crash a compile', () => {
  test.each([
    ['brackets that close', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['brackets that do not', '['.repeat(60_000)],
    ['braces', '{a: '.repeat(15_000)],
    ['dashes', `\n  ${'- '.repeat(30_000)}x`],
  ])('deeply nested YAML ends a compile with exit 4: %s', async (_, nested) => {
    const repo = smallDeployment();
    for (const name of ['a', 'b']) {
      repo.write(`instructions/agents/cto/${name}.md`, `---\ndescription: x\naliases: ${nested}\n---\nx\n`);
    }
    repo.commit();
    const cwd = given();
    const { code, envelope } = await compile(cwd, repo.path, 'bundle');
    expect(code).toBe(4);
    const faults = envelope().error.context['faults'] as { rule: string; file: string }[];
    expect(new Set(faults.map((it) => it.rule))).toEqual(new Set(['yaml_invalid']));
    expect(new Set(faults.map((it) => it.file)).size).toBe(2);
  });
});
