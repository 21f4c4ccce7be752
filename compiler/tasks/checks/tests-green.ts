import { listOf, valueOf } from '../../capabilities/atoms/gate-module.ts';
import type { TaskValues } from '../../schema/capability/parameters.ts';
import { cargoCommands } from './cargo.ts';
import { fail, PASS, unknown, type CheckModule, type Judgement, type Work } from './check-module.ts';
import { shown, type CommandLine } from './command.ts';
import { CARGO, ECOSYSTEMS, type Ecosystem } from './ecosystems.ts';
import { commandOf, fileIn, judgeEnd, prepare, projectFolders, steers } from './projects.ts';

/** What one command found; a number only if it said how many tests passed. */
interface Ran {
  readonly command: string;
  readonly passed: number | null;
}

/**
 * `quality::tests-green`: the tests of the crates that the task names pass, else those of every project of the tree, and
 * there are at least `test-count-min` of them.
 */
export const testsGreen: CheckModule = async (work, check, task) => {
  const crates = listOf('cargo-test-crates', check, task);
  const least = valueOf('test-count-min', check, task) ?? 0;
  if (typeof least !== 'number') throw new TypeError('test-count-min is not a number');
  const ran: Ran[] = [];
  for (const ecosystem of crates.length > 0 ? [CARGO] : ECOSYSTEMS) {
    const judged = await runTests(work, ecosystem, crates, task);
    if ('result' in judged) return judged;
    ran.push(...judged);
  }
  return judgeCount(ran, least);
};

async function runTests(
  work: Work,
  ecosystem: Ecosystem,
  crates: readonly string[],
  task: TaskValues,
): Promise<Ran[] | Judgement> {
  const commands = await testCommands(work, ecosystem, crates);
  if ('result' in commands) return commands;
  const isThere = projectFolders(await work.files(), ecosystem).length > 0;
  const steered = isThere ? (steers(work, ecosystem, task) ?? (await steersScripts(work, task))) : null;
  if (steered !== null) return steered;
  const ran: Ran[] = [];
  for (const command of commands) {
    const unready = await prepare(work, ecosystem, command.folder, task);
    if (unready !== null) return unready;
    const end = await work.run(command);
    const failed = judgeEnd(command, end);
    if (failed !== null) return failed;
    const output = end.end === 'exit' ? `${end.stdout}\n${end.stderr}` : '';
    ran.push({ command: shown(command), passed: ecosystem.count(output) });
  }
  return ran;
}

async function testCommands(
  work: Work,
  ecosystem: Ecosystem,
  crates: readonly string[],
): Promise<CommandLine[] | Judgement> {
  const files = await work.files();
  const folders = projectFolders(files, ecosystem);
  if (ecosystem === CARGO) return cargoCommands(work, ecosystem.test, crates, folders);
  const found: CommandLine[] = [];
  for (const folder of folders) {
    if (ecosystem.name === 'npm' && testScript(await scriptsOf(work.read, fileIn(folder, 'package.json'))) === null) {
      continue;
    }
    // a list of packages alone, such as that of a documentation, is no suite of tests
    if (ecosystem.name === 'pytest' && !files.some((it) => it.startsWith(fileIn(folder, '')) && PYTHON_TEST.test(it))) {
      continue;
    }
    const isOwnPython = ecosystem.name === 'pytest' && files.includes(fileIn(folder, 'requirements.txt'));
    const words = isOwnPython ? ['.venv/bin/python3', ...ecosystem.test.slice(1)] : ecosystem.test;
    found.push(commandOf(words, folder, ecosystem));
  }
  return found;
}

const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

const SCRIPTS = ['pretest', 'test', 'posttest'];

/** The scripts of a `package.json` that `npm test` runs; none if it cannot be read. */
async function scriptsOf(read: Work['read'], path: string): Promise<Map<string, string>> {
  try {
    const { scripts } = JSON.parse((await read(path))?.toString('utf8') ?? '{}') as { scripts?: unknown };
    const all = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return new Map(all.filter(([name]) => SCRIPTS.includes(name)).map(([name, text]) => [name, String(text)]));
  } catch {
    return new Map();
  }
}

/** The test script; null if there is none, or it is the one that says so. */
function testScript(scripts: ReadonlyMap<string, string>): string | null {
  const text = scripts.get('test') ?? '';
  return text === '' || text.includes('no test specified') ? null : text;
}

/** Fails if the change gives `npm test` another meaning, unless the task names that file exactly. */
async function steersScripts({ changes, read, readBefore }: Work, task: TaskValues): Promise<Judgement | null> {
  const named = Array.isArray(task['files-whitelist']) ? task['files-whitelist'] : [];
  const manifests = changes.map((it) => it.path).filter((it) => /(^|\/)package\.json$/.test(it) && !named.includes(it));
  for (const path of manifests) {
    const [before, after] = [await scriptsOf(readBefore, path), await scriptsOf(read, path)];
    const changed = SCRIPTS.filter((it) => before.get(it) !== after.get(it));
    if (changed.length > 0 && before.size > 0) {
      return fail('files that decide how tests are run changed', `${path}: scripts.${changed.join(', scripts.')}`);
    }
  }
  return null;
}

function judgeCount(ran: readonly Ran[], least: number): Judgement {
  if (ran.length === 0) return unknown('nothing in the tree says how its tests are run');
  const told = ran
    .map(({ command, passed }) => `${command}: ${passed ?? 'an unknown number of'} tests passed`)
    .join('; ');
  const passed = ran.reduce((all, it) => all + (it.passed ?? 0), 0);
  if (passed >= least) return { ...PASS, reason: told };
  if (ran.every((it) => it.passed === null)) return unknown('how many tests passed cannot be told', told);
  return fail(`${passed} tests passed; the task asks for at least ${least}`, told);
}
