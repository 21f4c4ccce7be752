import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../../../../compiler/sources/front-matter.ts';
import { openKeptResults } from '../../../../compiler/world/kept-results.ts';
import { development } from '../../../../compiler/world/trust-keys.ts';
import { worldIn } from '../../../support/world.ts';
import { compiledWorkplace, SIGN, workplace, type Workplace } from '../../workplace.ts';

const KEPT = '.vade/kept-results.json';
const UNIT = 'instructions/agents/cto/heartbeat.md';

async function compile(place: Workplace, out: string, ...args: string[]) {
  const { code, envelope } = await place.run(['compile', '--dev', '--out', out, ...args]);
  expect(code).toBe(0);
  return envelope();
}

/** The revision names every byte of a bundle. */
const revision = ({ data }: Awaited<ReturnType<typeof compile>>) => data['revision'];

/** The report of a compile without the place and the time. */
const told = ({ data, warnings }: Awaited<ReturnType<typeof compile>>) => ({ ...data, out: '', warnings });

describe('the results that a compile for development keeps', () => {
  test('change no byte and no report', async () => {
    const place = workplace();
    const cold = await compile(place, 'cold');
    expect(existsSync(join(place.cwd, KEPT))).toBe(true);
    expect(told(await compile(place, 'warm'))).toEqual(told(cold));
    const unchanged = await compile(place, 'unchanged', '--previous', 'cold');
    rmSync(join(place.cwd, KEPT));
    expect(told(await compile(place, 'without', '--previous', 'cold'))).toEqual(told(unchanged));
    expect(revision(unchanged)).toBe(revision(cold));
  });

  test('are used for a changed unit, and the bytes are those of a cold compile', async () => {
    const place = workplace();
    await compile(place, 'before');
    const before = readFileSync(join(place.cwd, UNIT), 'utf8');
    place.repo.write(UNIT, `${before}\n## More\n\nLook at the queue first.\n`).commit('more');
    const warm = await compile(place, 'warm', '--previous', 'before');
    rmSync(join(place.cwd, KEPT));
    expect(revision(await compile(place, 'cold'))).toBe(revision(warm));
  });

  test.each(['', '{}', 'nonsense'])('are made again where their file is “%s”', async (damaged) => {
    const place = workplace();
    const cold = await compile(place, 'cold');
    const whole = readFileSync(join(place.cwd, KEPT), 'utf8');
    writeFileSync(join(place.cwd, KEPT), damaged);
    expect(told(await compile(place, 'warm'))).toEqual(told(cold));
    expect(readFileSync(join(place.cwd, KEPT), 'utf8')).toBe(whole);
  });

  test('are not written by a dry run', async () => {
    const place = workplace();
    await compile(place, 'bundle', '--dry-run');
    expect(existsSync(join(place.cwd, KEPT))).toBe(false);
  });

  test('do not stand for a previous bundle that is damaged', async () => {
    const place = workplace();
    const cold = await compile(place, 'cold');
    const [digest = ''] = readdirSync(join(place.cwd, 'cold/gardens/cto'));
    const facts = join(place.cwd, 'cold/gardens/cto', digest, 'facts.json');
    writeFileSync(facts, readFileSync(facts, 'utf8').replace('{', ' {'));
    const again = await compile(place, 'again', '--previous', 'cold');
    expect([revision(again), again.data['reused']]).toEqual([revision(cold), 0]);
    expect(again.warnings).not.toEqual([]);
  });
});

describe('a compile that others trust', () => {
  test('opens no results, not even wrong ones that the key of the folder signed', async () => {
    const honest = await compiledWorkplace();
    const place = workplace(undefined, honest.trust);
    const cold = await compile(place, 'cold');
    lie(place);
    expect(revision(await compile(place, 'misled'))).not.toBe(revision(cold));
    const ran = await place.run(['compile', ...SIGN]);
    expect(`${String(ran.envelope().data['revision'])}\n`).toBe(
      readFileSync(join(honest.cwd, 'bundle/current'), 'utf8'),
    );
  });
});

/** Keeps a wrong count of the tokens of a unit, as its own folder does. */
function lie({ cwd }: Workplace): void {
  const { root, signer } = development(worldIn(cwd));
  const results = openKeptResults(root, signer, worldIn(cwd));
  const { content } = splitFrontMatter(readFileSync(join(cwd, UNIT), 'utf8'));
  results?.keep('tokens', content, 77);
  results?.save();
}
