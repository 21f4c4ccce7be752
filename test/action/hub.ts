import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  for (const [path, it] of Object.entries(answers)) {
    mkdirSync(dirname(join(folder, 'answers', path)), { recursive: true });
    writeFileSync(join(folder, 'answers', path), Buffer.isBuffer(it) ? it : JSON.stringify(it));
  }
  writeFileSync(join(folder, 'gh'), GH, { mode: 0o755 });
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    GH_TOKEN: 'token',
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\x1e').slice(0, -1) : []).map(readCall),
  };
}

/** Arguments and calls end with the separators of ASCII, which JSON escapes. */
function readCall(call: string): Call {
  const [input = '', ...args] = call.split('\x1f').reverse();
  return { args: args.reverse(), input: input === '' ? null : (JSON.parse(input) as Call['input']) };
}

/** A shell starts in a tenth of the time that Node takes, and each case calls it several times. */
const GH = `#!/bin/sh
folder=$(dirname "$0")
printf '%s\\037' "$@" >> "$folder/calls"
case " $* " in *' --method '*) cat >> "$folder/calls"; written=1 ;; esac
printf '\\036' >> "$folder/calls"
[ -n "$written" ] && exit
path=\${2%[?&]per_page=100&page=*}
[ -f "$folder/answers/$path" ] || { echo "gh: Not Found (HTTP 404): $path" >&2; exit 1; }
exec cat "$folder/answers/$path"
`;
