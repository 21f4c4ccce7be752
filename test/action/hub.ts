import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/folder.ts';

/** A call of `gh`: its arguments, and the JSON that it got on stdin. */
export interface Call {
  readonly args: readonly string[];
  readonly input: { readonly body?: string } | null;
}

/** A `gh` that answers from a table, and remembers what it was asked to write. */
export interface FakeHub {
  readonly PATH: string;
  readonly GH_TOKEN: string;
  readonly calls: () => Call[];
}

/** @param answers by the address without its page: JSON, or bytes */
export function fakeHub(answers: Readonly<Record<string, unknown>>): FakeHub {
  const folder = tempFolder();
  const log = join(folder, 'calls');
  const table = Object.entries(answers).map(([path, it]) => [
    path,
    (Buffer.isBuffer(it) ? it : Buffer.from(JSON.stringify(it))).toString('base64'),
  ]);
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(Object.fromEntries(table)));
  writeFileSync(join(folder, 'gh.mjs'), GH);
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'gh.mjs')}' "$@"\n`);
  chmodSync(join(folder, 'gh'), 0o755);
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    GH_TOKEN: 'token',
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []).map(readCall),
  };
}

const readCall = (line: string): Call => JSON.parse(line) as Call;

const GH = `
import { appendFileSync, readFileSync } from 'node:fs';
const args = process.argv.slice(2);
const file = (name) => new URL(name, import.meta.url);
const writes = args.includes('--method');
const input = writes ? JSON.parse(readFileSync(0, 'utf8')) : null;
appendFileSync(file('calls'), JSON.stringify({ args, input }) + '\\n');
if (!writes) {
  const path = args[1].replace(/[?&]per_page=100&page=\\d+$/, '');
  const answer = JSON.parse(readFileSync(file('answers.json'), 'utf8'))[path];
  if (answer === undefined) {
    console.error('gh: Not Found (HTTP 404): ' + path);
    process.exit(1);
  }
  process.stdout.write(Buffer.from(answer, 'base64'));
}
`;
