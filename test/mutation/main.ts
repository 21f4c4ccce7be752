// Changes the sources in small ways and counts which changes the nearest tests notice.
//
//   npm run mutants [-- --room <name>]... [--file <path>]... [--test <path>]... [--sample <n>] [--seed <n>]
//     [--report <file>] [--list]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readAccepted, staleOf } from './accepted.ts';
import type { Judged } from './judged.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { failsOf, reportOf, scoreOf, survivorsOf } from './report.ts';
import { nearestTests, ROOMS, sourcesOf } from './rooms.ts';
import { judgeMutants } from './run.ts';
import { sampleOf } from './sample.ts';
import { withoutRefused } from './types.ts';

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    test: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.exit(130);
  });

const root = process.cwd();
const accepted = readAccepted(readFileSync(join(root, 'test/mutation/accepted.yaml'), 'utf8'));
const rooms = values.room ?? (values.file ? roomsOf(values.file) : Object.keys(ROOMS));
const judged = new Map<string, readonly Judged[]>();
let isSampled = false;
for (const name of rooms) {
  const { mutants, tests, isPart } = planOf(name);
  isSampled ||= isPart;
  say(`${name}: ${mutants.length} mutants, ${tests.length} files of tests`);
  if (values.list) say(tests.map((it) => `  ${it}`).join('\n'));
  else
    judged.set(
      name,
      await judgeMutants({
        root,
        mutants,
        tests,
        say: (line) => {
          say(`  ${line}`);
        },
      }),
    );
  say(survivorsOf(judged.get(name) ?? [], accepted).join('\n'));
}
if (!values.list) conclude();

function planOf(name: string): { mutants: Mutant[]; tests: string[]; isPart: boolean } {
  const room = ROOMS[name];
  if (!room) throw new TypeError(`no room ${name}: ${Object.keys(ROOMS).join(', ')}`);
  const sources = sourcesOf(root, room).filter((it) => values.file?.includes(it) ?? true);
  const all = sources.flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')));
  const drawn = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed));
  const tests = values.test ?? nearestTests(root, room);
  return { mutants: withoutRefused(root, drawn), tests, isPart: drawn.length < all.length };
}

function roomsOf(files: readonly string[]): string[] {
  return Object.keys(ROOMS).filter((name) =>
    sourcesOf(root, ROOMS[name] ?? { sources: [] }).some((it) => files.includes(it)),
  );
}

function conclude(): void {
  const stale = staleOf(accepted, [...judged.values()].flat(), isSampled);
  const report = reportOf(judged, accepted, stale);
  if (values.report !== undefined) writeFileSync(values.report, report);
  say(report);
  const fails = failsOf([...judged.values()].map(scoreOf), stale);
  for (const it of fails) say(it);
  process.exitCode = fails.length > 0 ? 1 : 0;
}

function say(line: string): void {
  if (line !== '') process.stdout.write(`${line}\n`);
}
