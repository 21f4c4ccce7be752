import { beforeAll, test } from 'vitest';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { installClaudeCode, runSession, RUNS_HOSTS } from '../bench/hosts/claude-code.ts';
import { contextsIn, wholeText } from '../bench/hosts/session-parts.ts';
import { describeIfThere } from '../support/loudly.ts';
import type { Repository } from '../support/repository.ts';
import * as inPlace from './skills-in-place.ts';
import { hasSkills, skills } from './skills.ts';

const MOST = 30 * 60_000;
const { NONE, RIGHT, namesIn, placeOf, tally } = inPlace;

/** So many characters at the beginning of a description stand for it: no two of the corpus begin alike. */
const DISTINCT = 50;

const print = (line: string) => process.stdout.write(`  ${line}\n`);

describeIfThere(
  hasSkills(),
  'skills in place',
  'there is no corpus',
)('181 skills where they lie', () => {
  test('by the hook, and by the hook with the phrases brief', () => inEachState(printHook), MOST);

  describeIfThere(
    RUNS_HOSTS,
    'real hosts',
    'VADE_HOSTS=1 installs them',
  )('through Claude Code', () => {
    beforeAll(installClaudeCode);

    test(
      'by the host alone, with the hook, and with the brief',
      async () => {
        await printSessions(inPlace.skillsRepository(), 'by the host alone');
        await inEachState(printSessions);
      },
      MOST,
    );
  });
});

async function inEachState(measure: (repo: Repository, how: string) => Promise<void>): Promise<void> {
  const repo = inPlace.skillsRepository();
  await inPlace.startHandbook(repo);
  await measure(repo, 'with the hook');
  if (!inPlace.isBriefed()) return;
  await inPlace.takeBrief(repo);
  await measure(repo, 'with the hook and the brief');
}

async function printHook(repo: Repository, how: string): Promise<void> {
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
