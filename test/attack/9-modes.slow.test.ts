import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../cli/workplace.ts';
import { serve, vade, vadeProcess } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

/** Files that others must not read: keys, and questions of agents. */
const PRIVATE = ['audit.db', 'audit.db.key', 'audit.db.checkpoint.pem', 'audit.db.anchor.jsonl', 'audit.db.spool'];

let place: Workplace;
/** Folder of a server after one run. */
let left: string;

/** A copy of what a server starts from. */
function begun(): string {
  const folder = tempFolder();
  for (const it of ['bundle', 'root.json']) cpSync(join(place.cwd, it), join(folder, it), { recursive: true });
  return folder;
}

const modeOf = (folder: string, name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

/** Starts a server, has it answer one recall, and ends it. @returns what it logged */
async function served(folder: string): Promise<string> {
  const created = await vade(['key', 'create', '--agent', 'cto', ...TRUST], folder);
  const server = await serve(TRUST, folder);
  const authorization = `Bearer ${String(created.envelope().data['key'])}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: '{"intent":"done for today"}' };
  const answer = await fetch(`${server.url}/v1/agents/cto/recall-instruction`, asked);
  expect(answer.status).toBe(200);
  await server.stop();
  return server.log();
}

beforeAll(async () => {
  place = await compiledWorkplace();
  left = begun();
  const umask = process.umask(0);
  try {
    await served(left);
    await vade(['trust', 'keygen', '--out', 'made.pem'], left);
  } finally {
    process.umask(umask);
  }
}, 60_000);

describe('private files under umask 0', () => {
  test.each(['keys.json', 'made.pem', ...PRIVATE.filter((it) => it !== 'audit.db.spool')])(
    'only its owner can read %s, whatever the umask',
    (name) => {
      expect([name, modeOf(left, name)]).toEqual([name, '600']);
    },
  );

  test('only its owner can open the spool’s folder, whatever the umask', () => {
    expect(modeOf(left, 'audit.db.spool')).toBe('700');
  });
});

describe('private files that a copy left open to everybody', () => {
  test('a server that starts closes open private files to others, leaves the group’s rights, and logs each file', async () => {
    const folder = tempFolder();
    cpSync(left, folder, { recursive: true });
    for (const name of PRIVATE) chmodSync(join(folder, name), 0o754);
    const log = await served(folder);
    for (const name of PRIVATE) {
      expect([name, modeOf(folder, name)]).toEqual([name, '750']);
      expect(log).toContain(`"file":"${join(folder, name)}"`);
    }
  });

  test('the next change of keys.json closes it to others', async () => {
    const folder = tempFolder();
    cpSync(left, folder, { recursive: true });
    chmodSync(join(folder, 'keys.json'), 0o644);
    await vade(['key', 'create', '--agent', 'cto', ...TRUST], folder);
    expect(modeOf(folder, 'keys.json')).toBe('600');
  });

  test('a server that starts logs no private file that is closed already', async () => {
    const log = await served(left);
    expect(log).not.toBe('');
    for (const name of PRIVATE) expect(log).not.toContain(`"file":"${join(left, name)}"`);
  });
});

describe('a folder in the place of a file, or a file in the place of a folder', () => {
  const folderAt = (path: string) => {
    mkdirSync(path, { recursive: true });
  };
  const fileAt = (path: string) => {
    writeFileSync(path, '');
  };
  test.each([
    ['root.json', folderAt, 4, 'TRUST_REQUIRED'],
    ['keys.json', folderAt, 3, 'REQUEST_INVALID'],
    ['audit.db', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.key', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.checkpoint.pem', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.checkpoint.pub', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.anchor.jsonl', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.seen.json', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.facts', folderAt, 1, 'OUTPUT_FAILED'],
    ['audit.db.spool', fileAt, 1, 'OUTPUT_FAILED'],
    ['bundle', fileAt, 5, 'BUNDLE_NOT_FOUND'],
    ['bundle/current', folderAt, 5, 'BUNDLE_NOT_FOUND'],
    ['bundle/withdrawn.dsse.json', folderAt, 7, 'BUNDLE_UNVERIFIED'],
    ['bundle/freshness.dsse.json', folderAt, 7, 'BUNDLE_UNVERIFIED'],
  ] as const)('a server that starts names %s if it is of the wrong kind', async (name, put, exit, code) => {
    const folder = begun();
    rmSync(join(folder, name), { recursive: true, force: true });
    put(join(folder, name));
    const ran = await vadeProcess(['serve', '--port', '0', ...TRUST], folder);
    expect(failure(ran)).toEqual([exit, code]);
    expect(JSON.stringify(ran.envelope().error)).toContain(name.split('/').at(-1)?.replace('current', 'bundle'));
    expect(existsSync(join(folder, name))).toBe(true);
  });

  test('vade freshen names a signing key that is a folder, and writes no freshness statement', async () => {
    const folder = begun();
    folderAt(join(folder, 'key.pem'));
    const ran = await vade(['freshen', '--key', 'key.pem', ...TRUST], folder);
    expect(failure(ran)[0]).not.toBe(1);
    expect(JSON.stringify(ran.envelope().error)).toContain('key.pem');
    expect(readdirSync(join(folder, 'bundle'))).not.toContain('freshness.dsse.json');
  });
});
