import { beforeAll, expect, test } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { installClaudeCode, runSession, RUNS_HOSTS } from '../bench/hosts/claude-code.ts';
import { contextsIn, wholeText } from '../bench/hosts/session-parts.ts';
import { describeIfThere } from '../support/loudly.ts';
import type { Repository } from '../support/repository.ts';
import * as inPlace from './skills-in-place.ts';
import { hasSkills, skills } from './skills.ts';

/** A brief of 181 skills is taken in 16 parts, each of which is measured. */
const MOST = 60 * 60_000;
const { NONE, RIGHT, namesIn, placeOf, tally } = inPlace;

/** So many characters at the beginning of a description stand for it: no two of the corpus begin alike. */
const DISTINCT = 50;

const print = (line: string) => process.stdout.write(`  ${line}\n`);

describeIfThere(
  hasSkills(),
  'skills in place',
  'there is no corpus',
)('181 skills where they lie', () => {
  beforeAll(() => {
    if (RUNS_HOSTS) installClaudeCode();
  });

  test(
    'by the host alone, with the hook, and with the phrases brief',
    async () => {
      const repo = inPlace.skillsRepository();
      if (RUNS_HOSTS) await printSessions(repo, 'by the host alone');
      await inPlace.startHandbook(repo);
      await printBoth(repo, 'with the hook');
      if (!inPlace.isBriefed()) return;
      await inPlace.takeBrief(repo);
      const places = await printBoth(repo, 'with the hook and the brief');
      expect(places.filter((it) => it === 'given' || it === 'three').length).toBeGreaterThanOrEqual(16);
    },
    MOST,
  );
});

async function printBoth(repo: Repository, how: string) {
  const places = await printHook(repo, how);
  if (RUNS_HOSTS) await printSessions(repo, how);
  return places;
}

async function printHook(repo: Repository, how: string) {
  const contexts = await Promise.all(
    [...RIGHT.map(({ prompt }) => prompt), ...NONE].map((it) => inPlace.hookContext(repo, it)),
  );
  const places = RIGHT.map(({ name }, at) => placeOf(contexts[at] ?? '', name));
  const others = contexts
    .slice(RIGHT.length)
    .map((it) => (it === '' ? 'silent' : namesIn(it).length > 0 ? 'names' : 'a text'));
  print(`${how}: ${tally(places)}; at most ${Math.max(...contexts.map(countTokens))} tokens`);
  for (const [at, context] of contexts.entries()) {
    const asked = RIGHT[at]?.name ?? NONE[at - RIGHT.length];
    print(`  ${places[at] ?? others[at - RIGHT.length]}, ${asked}: ${inPlace.unitsIn(context)}`);
  }
  print(`  where no skill helps: ${tally(others)}`);
  return places;
}

async function printSessions({ path }: Repository, how: string): Promise<void> {
  const descriptions = new Map(skills().map(({ folder, description }) => [folder, description.slice(0, DISTINCT)]));
  const found: string[] = [];
  for (const { prompt, name, folder } of RIGHT) {
    const text = wholeText(await runSession(path, prompt, []));
    const isDescribed = text.replace(/\s+/g, ' ').includes(descriptions.get(folder) ?? folder);
    const place = placeOf(contextsIn(text).join('\n'), name);
    found.push(isDescribed ? 'described' : 'not', `by the hook ${place}`);
    print(`  ${isDescribed ? 'described' : 'not described'}, by the hook ${place}: ${name}, ${text.length} characters`);
  }
  print(`${how}: ${tally(found)}`);
}
