import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

const Cost = z.object({ cpu: z.number(), peak: z.number() });

/** Cost of a process until it ended, written as the last line of stderr. */
const TELLS = `process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\n' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 }) + '\\n');
});`;

/**
 * Runs `vade` as a process.
 *
 * @returns seconds of the processor and of the clock, and the most memory in MiB
 */
export function costOf(args: readonly string[], cwd: string): { cpu: number; peak: number; wall: number } {
  const hook = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  const start = performance.now();
  const ran = spawnSync(process.execPath, ['--import', hook, MAIN, ...args], { cwd, maxBuffer: 1 << 28 });
  const wall = (performance.now() - start) / 1000;
  if (ran.status !== 0) throw new Error(`vade ${args.join(' ')}: ${ran.stdout.toString().slice(0, 500)}`);
  const last = ran.stderr.toString().trimEnd().split('\n').at(-1) ?? '';
  return { ...Cost.parse(JSON.parse(last)), wall };
}
