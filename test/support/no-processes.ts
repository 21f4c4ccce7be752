import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** Pure tests share a process: what they start would outlive the file that started it. */
const refuse = (name: string) => () => {
  throw new Error(`a pure test called ${name}(): import node:child_process in the test or its helper`);
};

const names = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const;
Object.assign(childProcess, Object.fromEntries(names.map((name) => [name, refuse(name)])));
syncBuiltinESMExports();
