import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectsOf } from '../support/projects.ts';

/** Sources that are mutated together, and tested by the same files. */
export interface Room {
  readonly sources: readonly string[];
  /** Tests of it that stand elsewhere, as those of its command. */
  readonly also?: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  recall: { sources: ['compiler/recall'] },
  trust: { sources: ['compiler/trust'] },
  coverage: {
    sources: ['compiler/gardens/coverage-gate.ts', 'compiler/quality/unit-coverage'],
    also: ['test/gardens/certify.test.ts', 'test/gardens/let-through.test.ts'],
  },
  approvals: {
    sources: ['compiler/gardens/approvals', 'compiler/gardens/approve-garden.ts'],
    also: ['test/cli/commands/trust/approve.test.ts', 'test/cli/commands/trust/approve-gate.test.ts'],
  },
  capabilities: {
    sources: ['compiler/capabilities'],
    also: [
      'test/tasks/obeyed-files.test.ts',
      'test/trust/capability-consent.test.ts',
      'test/cli/commands/capability.test.ts',
      'test/cli/commands/capability-hooks.test.ts',
      'test/behaviours/role-approval.test.ts',
    ],
  },
  tasks: {
    sources: ['compiler/tasks'],
    // not that of killed writers, which takes long and notices nothing that others do not
    also: [
      ...['clean', 'compose', 'decide', 'run', 'spawn', 'verdict-outcome', 'worktree'].map(
        (it) => `test/cli/commands/task/${it}.test.ts`,
      ),
      'test/cli/commands/capability-doctor.test.ts',
    ],
  },
  versions: { sources: ['compiler/history'] },
  continuity: { sources: ['compiler/continuity'], also: ['test/continuity'] },
  auth: { sources: ['server/auth'], also: ['test/server/http/connections.test.ts'] },
  audit: { sources: ['server/audit/chain', 'server/audit/queue', 'server/audit/records'], also: ['test/server/audit'] },
};

/** The source files of a room. */
export function sourcesOf(root: string, { sources }: Room): string[] {
  return filesOf(root, sources, (path) => path.endsWith('.ts'));
}

/**
 * The test files nearest to a room, in the order in which they are tried: those that mirror its files and folders, and
 * those that it names; pure ones first, and of these the mirror of a source file. Slow ones are left out.
 */
export function nearestTests(root: string, { sources, also = [] }: Room): string[] {
  const { pure } = projectsOf(root);
  const mirrors = new Set(sourcesOf(root, { sources }).map(mirrorOf));
  const rank = (path: string) => (pure.includes(path) ? 0 : 2) + (mirrors.has(path) ? 0 : 1);
  const tests = filesOf(root, [...sources.map(mirrorOf), ...also], isTest);
  return [...new Set(tests)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/**
 * The same test files, those first that stand nearest to the mirror of a source, and those in its folder before those
 * further down: they are likeliest to notice its change.
 */
export function nearestFirst(source: string, tests: Iterable<string>): string[] {
  const folders = mirrorOf(source).split('/');
  const shared = (test: string) => {
    const own = test.split('/');
    const parting = folders.findIndex((folder, at) => folder !== own[at]);
    return parting < 0 ? folders.length : parting;
  };
  const depth = (test: string) => test.split('/').length;
  return [...tests].sort((a, b) => shared(b) - shared(a) || depth(a) - depth(b));
}

/** `test/trust/dsse.test.ts` tests `compiler/trust/dsse.ts`, `test/server/log.test.ts` tests `server/log.ts`. */
function mirrorOf(source: string): string {
  return `test/${source.replace(/^compiler\//, '').replace(/\.ts$/, '.test.ts')}`;
}

const isTest = (path: string) => path.endsWith('.test.ts') && !path.endsWith('.slow.test.ts');

function filesOf(root: string, places: readonly string[], wanted: (path: string) => boolean): string[] {
  return places
    .filter((place) => existsSync(join(root, place)))
    .flatMap((place) =>
      place.endsWith('.ts')
        ? [place]
        : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((it) => `${place}/${it}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter(wanted)
    .sort();
}
