import childProcess, { type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { afterAll } from 'vitest';
import { starting } from '../starter/run-small.ts';
import { counted } from './count.ts';

/** Cost of one test file. */
export interface Cost {
  /** Seconds of processor time, of this process and of those that it started and that ended. */
  readonly cpu: number;
  /** Processes that were started, by program. */
  readonly processes: Readonly<Record<string, number>>;
  readonly compiles: number;
}

declare module 'vitest' {
  interface TaskMeta {
    cost?: Cost;
  }
}

const first = counted.vadeCosts === undefined;
const costs = (counted.vadeCosts ??= { cpu: 0, compiles: 0, processes: new Map() });

if (first) {
  const own = childProcess as unknown as Record<string, (...args: unknown[]) => ChildProcess>;
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork']) count(own, name);
  syncBuiltinESMExports();
}

function count(own: Record<string, (...args: unknown[]) => unknown>, name: string): void {
  const original = own[name]!;
  const counting = (...args: unknown[]) => {
    const program = name === 'fork' ? 'node' : basename(String(args[0]).split(' ')[0] ?? '');
    costs.processes.set(program, (costs.processes.get(program) ?? 0) + 1);
    const words = Array.isArray(args[1]) ? args[1].map(String) : [];
    if (words.includes('compile') && words.some((it) => it.endsWith('main.js'))) costs.compiles += 1;
    return original(...args);
  };
  // properties that promisify() finds on execFile have to be found here too
  own[name] = Object.defineProperties(counting, Object.getOwnPropertyDescriptors(original));
}

/** Linux keeps the time of children that ended, in hundredths of a second; elsewhere only this process is known. */
function cpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const { vadeTestStarter: starter } = starting;
  return secondsOf('self') + (starter ? secondsOf(String(starter.pid)) : 0);
}

function secondsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  return fields.slice(11, 15).reduce((sum, it) => sum + it, 0) / 100;
}

afterAll(({}, suite) => {
  const cpu = cpuSeconds();
  suite.file.meta.cost = {
    cpu: cpu - costs.cpu,
    processes: Object.fromEntries(costs.processes),
    compiles: costs.compiles,
  };
  costs.cpu = cpu;
  costs.compiles = 0;
  costs.processes.clear();
});
