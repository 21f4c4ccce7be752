import { test } from 'vitest';
import { firstCompile, type FirstCompile } from './first-compile.ts';
import { samplesOf, type Sample } from './samples.ts';

/** Questions whose answer came among the first, or is always there. */
const within = (found: readonly FirstCompile[], depth: number) =>
  found.flatMap(({ ranks }) => ranks).filter((rank) => rank !== null && rank <= depth).length;

for (const set of ['styles', 'shapes'] as const) {
  test(`files of the set “${set}”, migrated, compiled at once and asked`, async () => {
    const samples = samplesOf(set);
    const found: FirstCompile[] = [];
    for (const sample of samples) found.push(await firstCompile(sample));
    process.stdout.write(
      `\n${[...samples.map((it, i) => rowOf(it, found[i]!)), summary(samples, found)].join('\n')}\n`,
    );
  }, 600_000);
}

function rowOf({ rules }: Sample, it: FirstCompile): string {
  const compiled = it.errors.length === 0 ? 'compiles' : `${it.errors.length} errors`;
  const figures =
    `${it.units} units`.padStart(9) + `  rules ${it.kept}/${rules.length}`.padEnd(13) + compiled.padEnd(10);
  const hits = `first 3: ${within([it], 3)}, first 4: ${within([it], 4)} of ${it.ranks.length}`;
  return `  ${it.name.slice(0, 60).padEnd(60)} ${figures} ${`${it.warnings.length} warnings`.padEnd(13)} ${hits}  [${it.ranks.map((rank) => rank ?? '–').join(' ')}]`;
}

function summary(samples: readonly Sample[], found: readonly FirstCompile[]): string {
  const asked = found.flatMap(({ ranks }) => ranks).length;
  const rules = samples.flatMap((it) => it.rules).length;
  const kept = found.reduce((all, it) => all + it.kept, 0);
  const good = found.filter(({ errors }) => errors.length === 0).length;
  const hits = [1, 3, 4].map((depth) => `first ${depth}: ${shareOf(within(found, depth), asked)}`);
  return `  ${good} of ${found.length} compile at once; ${kept} of ${rules} rules always on; ${asked} questions, ${hits.join('; ')}`;
}

/** A share with its Wilson interval of 95 %. */
function shareOf(found: number, all: number): string {
  const z = 1.96;
  const p = found / all;
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  return `${found} (${p.toFixed(2)}, ${(middle - half).toFixed(2)} to ${(middle + half).toFixed(2)})`;
}
