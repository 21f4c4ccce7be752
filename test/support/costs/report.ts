import type { Reporter, TestModule } from 'vitest/node';
import type { Cost } from './measure.ts';

interface Row extends Cost {
  readonly file: string;
  readonly project: string;
  readonly seconds: number;
}

/** Prints what the run cost by project, and the files that cost most: `VADE_TEST_COSTS=1 npx vitest run`. */
export default class Costs implements Reporter {
  #started = 0;

  onTestRunStart(): void {
    this.#started = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf);
    const wall = Math.round((performance.now() - this.#started) / 1000);
    const projects = [...new Set(rows.map(({ project }) => project))].sort();
    const lines = [
      `wall ${wall} s`,
      ...projects.map((name) =>
        lineOf(
          name,
          rows.filter(({ project }) => project === name),
        ),
      ),
      lineOf('all', rows),
      '',
      ...rows
        .sort((a, b) => b.cpu - a.cpu)
        .slice(0, 20)
        .map((row) => lineOf(`${row.project} ${row.file}`, [row])),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

function rowOf(module: TestModule): Row {
  const { cost = { cpu: 0, processes: {}, compiles: 0 } } = module.meta();
  const { duration } = module.diagnostic();
  return {
    ...cost,
    file: module.relativeModuleId,
    project: module.project.name.replace(/-.*/, '') || '-',
    seconds: duration / 1000,
  };
}

function lineOf(name: string, rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all = sum(({ processes }) => Object.values(processes).reduce((total, it) => total + it, 0));
  const git = sum(({ processes }) => processes['git'] ?? 0);
  const node = sum(({ processes }) => processes['node'] ?? 0);
  const files = rows.length === 1 ? '' : `, ${rows.length} files`;
  return (
    `${name}${files}: ${sum(({ cpu }) => cpu).toFixed(1)} s of CPU, ${sum(({ seconds }) => seconds).toFixed(1)} s, ` +
    `${all} processes (git ${git}, node ${node}), ${sum(({ compiles }) => compiles)} compiles`
  );
}
