import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPinnedRoot } from '../../compiler/capabilities/gate/read-root.ts';
import { canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import { readRoot } from '../../compiler/trust/root-chain.ts';
import { failure } from '../cli/failing.ts';
import { SIGN, TRUST, workplace, type Workplace } from '../cli/workplace.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const withMark = (text: string) => `\uFEFF${text}`;
const indented = (text: string) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
const reordered = (text: string) => {
  const { signatures, payloadType, payload } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ signatures, payloadType, payload }, null, '\t');
};

let place: Workplace;
let revision: unknown;

/** The trust root is committed too, as `vade init` makes it. */
beforeAll(async () => {
  place = workplace();
  place.repo.write('instructions/trust/1.json', place.trust.root.envelope);
  place.repo.git('add', 'instructions');
  place.repo.git('commit', '--quiet', '--message', 'trust');
  const ran = await place.run(['compile', ...SIGN]);
  revision = ran.envelope().data['revision'];
});

/** Runs with a changed file, which is as before afterwards. */
async function changed<T>(file: string, change: (text: string) => string, work: () => Promise<T>): Promise<T> {
  const path = join(place.cwd, file);
  const before = readFileSync(path);
  writeFileSync(path, change(before.toString('utf8')));
  try {
    return await work();
  } finally {
    writeFileSync(path, before);
  }
}

describe('a trust root counts by what it says, however it was checked out', () => {
  test.each([
    ['CRLF', crlf],
    ['a byte order mark', withMark],
    ['indentation', indented],
    ['another order, tabs and no line end', reordered],
    ['all of them', (text: string) => withMark(crlf(indented(text)))],
  ])('a root with %s compiles to the same bytes, verifies and recalls', async (_, change) => {
    await changed('root.json', change, async () => {
      const compiled = await place.run(['compile', ...SIGN]);
      expect([compiled.code, compiled.envelope().data['revision']]).toEqual([0, revision]);
      expect((await place.run(['verify', ...TRUST])).code).toBe(0);
      expect((await place.run(['recall', ...TRUST, '--agent', 'cto', '--intent', 'done for today'])).code).toBe(0);
    });
  });

  test('the gate of tasks accepts it under the fingerprint that its hook names', () => {
    const { envelope } = place.trust.root;
    const now = Date.now();
    for (const change of [crlf, withMark, indented, reordered]) {
      const bytes = Buffer.from(change(envelope.toString('utf8')));
      expect(sha256(readRoot(bytes).envelope)).toBe(sha256(envelope));
      expect(readPinnedRoot(bytes, sha256(envelope), now).deployment).toBe('acme');
    }
    expect(() => readPinnedRoot(Buffer.from(crlf(envelope.toString('utf8'))), 'f'.repeat(64), now)).toThrow('hook');
  });

  test.each([
    ['a member that is there twice', (text: string) => text.replace('{', '{"payload":"e30=",')],
    ['a signature that is there twice', (text: string) => text.replace('"sig":', '"sig":"e30=","sig":')],
    ['data behind it', (text: string) => `${text}{}`],
    ['a member too many', (text: string) => text.replace('{', '{"more":1,')],
    ['an escaped name', (text: string) => text.replace('"payload"', '"p\\u0061yload"')],
    ['white space in the payload', (text: string) => text.replace('"payload":"', '"payload":" ')],
    [
      'another payload',
      (text: string) =>
        canonicalJson({ ...(JSON.parse(text) as object), payload: Buffer.from('{}').toString('base64') }),
    ],
  ])('a root with %s is refused', async (_, change) => {
    await changed('root.json', change, async () => {
      const [code, error] = failure(await place.run(['verify', ...TRUST]));
      expect([code, error]).toEqual([7, 'BUNDLE_UNVERIFIED']);
    });
  });
});

describe('the name of the current root', () => {
  test.each([
    ['CRLF', crlf],
    ['a byte order mark and CRLF', (text: string) => withMark(crlf(text))],
  ])('with %s is read', async (_, change) => {
    const ran = await changed('bundle/current', change, () => place.run(['verify', ...TRUST]));
    expect(ran.code).toBe(0);
  });

  test.each([
    ['two lines', (text: string) => `${text}${text}`],
    ['a space', (text: string) => ` ${text}`],
    ['no line end', (text: string) => text.trim()],
    ['a carriage return alone', (text: string) => text.replace('\n', '\r')],
  ])('with %s is refused', async (_, change) => {
    const ran = await changed('bundle/current', change, () => place.run(['verify', ...TRUST]));
    expect(ran.code).toBe(7);
  });
});

describe('exported files in a checkout', () => {
  const exported = (out: string, ...args: string[]) =>
    place.run(['export', ...TRUST, '--agent', 'cto', '--target', 'all', '--out', out, ...args]);
  const actions = (ran: Awaited<ReturnType<typeof exported>>) =>
    (ran.envelope().data['files'] as { path: string; action: string }[]).map(({ path, action }) => `${action} ${path}`);
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' });

  /** A committed export in a repository, and its files. */
  async function committed(): Promise<{ folder: string; files: readonly string[] }> {
    const folder = tempFolder();
    git(folder, 'init', '--quiet');
    const written = await exported(folder);
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'export');
    const files = actions(written).map((it) => it.slice('create '.length));
    return { folder, files };
  }

  test('export writes .gitattributes, so that a checkout with core.autocrlf has their bytes', async () => {
    const { folder, files } = await committed();
    expect(files).toContain('.gitattributes');
    const clone = join(tempFolder(), 'clone');
    git(folder, '-c', 'core.autocrlf=true', 'clone', '--quiet', folder, clone);
    for (const it of files.filter((path) => path !== '.gitattributes'))
      expect([it, readFileSync(join(clone, it)).equals(readFileSync(join(folder, it)))]).toEqual([it, true]);
    expect((await exported(clone, '--check')).code).toBe(0);
    expect((await exported(clone)).envelope().data['effect']).toBe('noop');
  });

  test.each([
    ['CRLF', crlf],
    ['a byte order mark', withMark],
  ])('files with %s are the same for --check and for the next export', async (_, change) => {
    const { folder, files } = await committed();
    for (const it of files) writeFileSync(join(folder, it), change(readFileSync(join(folder, it), 'utf8')));
    expect((await exported(folder, '--check')).code).toBe(0);
    expect(actions(await exported(folder)).filter((it) => !it.startsWith('unchanged'))).toEqual([]);
  });

  test('a changed file with CRLF is still a file of the export: it drifts, and is written again', async () => {
    const { folder } = await committed();
    const file = join(folder, 'AGENTS.md');
    writeFileSync(file, crlf(`${readFileSync(file, 'utf8')}\nmore\n`));
    expect(failure(await exported(folder, '--check'))).toEqual([4, 'EXPORT_DRIFTED']);
    expect(actions(await exported(folder))).toContain('update AGENTS.md');
    expect(readFileSync(file, 'utf8')).not.toContain('\r');
  });

  test('lines of .gitattributes that are there stay, and the others are added at its end', async () => {
    const folder = tempFolder();
    const own = '* text=auto\r\n/AGENTS.md text eol=crlf';
    writeFileSync(join(folder, '.gitattributes'), own);
    expect(actions(await exported(folder))).toContain('update .gitattributes');
    const text = readFileSync(join(folder, '.gitattributes'), 'utf8');
    expect(text.startsWith(`${own}\n`)).toBe(true);
    expect(text.match(/AGENTS\.md/g)).toHaveLength(1);
    expect(text).toContain('/.cursor/rules/*.mdc text eol=lf\n');
  });
});

test('vade init writes .gitattributes for signed files, or adds its lines to one that is there', async () => {
  const lines = ['/instructions/trust/*.json -text', '/instructions/approvals/*.json -text', '/bundle/** -text'];
  const init = (folder: string) => vade(['init', '--admin', 'acme/human/ann', '--deployment', 'acme'], folder);
  const fresh = tempFolder();
  const first = await init(fresh);
  expect(first.envelope().data['attributes']).toEqual([]);
  expect(first.envelope().data['written']).toContain('.gitattributes');
  expect(readFileSync(join(fresh, '.gitattributes'), 'utf8')).toBe(`${lines.join('\n')}\n`);
  const other = tempFolder();
  writeFileSync(join(other, '.gitattributes'), `*.png binary\n${lines[0]}\n`);
  const second = await init(other);
  expect(second.envelope().data).toMatchObject({ attributes: lines.slice(1) });
  expect(readFileSync(join(other, '.gitattributes'), 'utf8')).toBe(`*.png binary\n${lines.join('\n')}\n`);
});
