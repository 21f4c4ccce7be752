import { listOf, valueOf } from '../../capabilities/atoms/gate-module.ts';
import type { GivenValues } from '../../schema/capability/parameters.ts';
import { fail, PASS, unknown, type CheckModule, type Judgement, type Work } from './check-module.ts';
import { shown, type CommandEnd, type CommandLine } from './command.ts';
import { CARGO, ECOSYSTEMS, type Ecosystem } from './ecosystems.ts';
import { commandOf, fileIn, judgeEnd, prepare, prepareIn, projectFolders, steers } from './projects.ts';
import { cargoCommands } from './quality-cargo.ts';

/** The result of one command; a number only if it said how many tests passed. */
interface Ran {
  readonly command: string;
  readonly passed: number | null;
}

/**
 * `quality::tests-green`: the tests of the crates that the task names pass, else those of every project of the tree,
 * and there are at least `test-count-min` of them.
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
  task: GivenValues,
): Promise<Ran[] | Judgement> {
  const commands = await testCommands(work, ecosystem, crates);
  if ('result' in commands) return commands;
  const isThere = projectFolders(await work.files(), ecosystem).length > 0;
  const steered = isThere ? await steers(work, ecosystem, task) : null;
  if (steered !== null) return steered;
  const ran: Ran[] = [];
  for (const command of commands) {
    const unready = await prepare(work, ecosystem, command.folder, task);
    if (unready !== null) return unready;
    const end = await work.run(command);
    const failed = judgeEnd(command, end);
    if (failed !== null) return (await uninstalled(work, ecosystem, command, failed)) ?? failed;
    ran.push({ command: shown(command), passed: ecosystem.count(printed(end)) });
  }
  return ran;
}

function printed(end: CommandEnd): string {
  return end.end === 'not_started' ? '' : `${end.stdout}\n${end.stderr}`;
}

/** Tests that fail because nothing was installed are not the agent's fault; null if all was. */
async function uninstalled(
  work: Work,
  ecosystem: Ecosystem,
  command: CommandLine,
  failed: Judgement,
): Promise<Judgement | null> {
  const { missing, needsLock, manifests } = ecosystem;
  const { folder } = command;
  if (missing?.test(failed.detail ?? '')) return unknown(`${shown(command)}: it is not installed`, failed.detail);
  if (needsLock === undefined || prepareIn(await work.files(), ecosystem, folder) !== undefined) return null;
  for (const name of manifests) {
    const text = (await work.readBefore(fileIn(folder, name)))?.toString('utf8') ?? '';
    if (!needsLock(name, text)) continue;
    const locks = ecosystem.locks.join(', ');
    return unknown(`${name} names packages, and no lock file says which are installed (${locks})`, failed.detail);
  }
  return null;
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
    if (ecosystem.name === 'npm' && !(await hasTestScript(work.read, fileIn(folder, 'package.json')))) continue;
    // a list of packages alone, such as that of a documentation, is not a test suite
    if (ecosystem.name === 'pytest' && !files.some((it) => it.startsWith(fileIn(folder, '')) && PYTHON_TEST.test(it))) {
      continue;
    }
    const words = prepareIn(files, ecosystem, folder)?.test ?? ecosystem.test;
    found.push(commandOf(words, folder, ecosystem));
  }
  return found;
}

const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

/** Whether `npm test` does more than say that there is no test. */
async function hasTestScript(read: Work['read'], path: string): Promise<boolean> {
  try {
    const { scripts } = JSON.parse((await read(path))?.toString('utf8') ?? '{}') as { scripts?: { test?: unknown } };
    const text = scripts?.test;
    return typeof text === 'string' && text !== '' && !text.includes('no test specified');
  } catch {
    return false;
  }
}

function judgeCount(ran: readonly Ran[], least: number): Judgement {
  if (ran.length === 0) return unknown('nothing in the tree says how its tests are run');
  const told = ran
    .map(({ command, passed }) => `${command}: ${passed ?? 'an unknown number of'} tests passed`)
    .join('; ');
  const passed = ran.reduce((all, it) => all + (it.passed ?? 0), 0);
  if (passed >= least) return { ...PASS, reason: told };
  if (ran.every((it) => it.passed === null)) return unknown('the number of passed tests is unknown', told);
  return fail(`${passed} tests passed; the task asks for at least ${least}`, told);
}
