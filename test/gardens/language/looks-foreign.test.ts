import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { languageIn } from '../../../compiler/quality/paraphrase/written-in.ts';
import { LANGUAGES } from '../../../compiler/schema/source/language.ts';
import { WRAP_UP } from '../../../compiler/schema/source/placeholders.ts';
import { compileRepository, realGate } from '../../support/compiled.ts';
import { repository, type Repository } from '../../support/repository.ts';
import { agentYaml, unitFile } from '../../support/unit-files.ts';
import { SMALL_HANDBOOKS, type SmallHandbook } from './small-handbooks.ts';

const file = new URL('../../quality/paraphrase/names-and-tools.yaml', import.meta.url);
const TRIGGERS = Object.values(parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>).flat();

const idOf = (at: number) => `8e0ed057-bcd8-4f8f-92ee-${String(at).padStart(12, '0')}`;

/** Adds an agent as `vade init` makes it, with these units. */
function addAgent(repo: Repository, at: number, units: readonly (readonly [string, string, string])[], more = '') {
  const folder = `instructions/agents/a${at}`;
  repo.write(`${folder}/agent.yaml`, agentYaml(idOf(at), more).replace('heartbeat\n', 'wrap-up\n'));
  repo.write(`${folder}/wrap-up.md`, WRAP_UP);
  for (const [i, [heading, trigger, text]] of units.entries())
    repo.write(`${folder}/unit-${i}.md`, unitFile(heading, [JSON.stringify(trigger)], '', text));
}

/** The diagnostics of a development compile of these agents, and whether it makes a bundle. */
async function compiled(agents: readonly (readonly [SmallHandbook['units'], string?])[]) {
  const repo = repository().write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n');
  for (const [at, [units, more]] of agents.entries()) addAgent(repo, at, units, more);
  repo.commit();
  const { bundle, faults } = await compileRepository(repo.path, { over: { gate: await realGate() } });
  return { isMade: bundle !== null, faults };
}

describe('a handbook in English', () => {
  test('compiles with a hundred triggers of tools, licences, names and queries, of which few are warned of', async () => {
    expect(TRIGGERS).toHaveLength(100);
    // ten agents of ten units: a larger garden is judged by more rules than this one
    const agents = Array.from({ length: 10 }, (_, at) =>
      TRIGGERS.slice(10 * at, 10 * at + 10).map((it, i): [string, string, string] => {
        const thing = `thing ${10 * at + i}`;
        return [
          thing,
          it,
          `Read this before you insert, comment or change ${thing}, and ask its owner where it does not help.`,
        ];
      }),
    );
    const { isMade, faults } = await compiled(agents.map((units) => [units]));
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(isMade).toBe(true);
    const warned = faults.filter(({ rule }) => rule === 'coverage_other_language');
    expect(warned.map(({ message }) => /“(.*?)” \(/.exec(message)?.[1])).toEqual([
      'Ludwig van Beethoven Straße',
      'Braun Silk-épil',
      "raison d'être",
    ]);
  });

  test('stops at triggers in another language only where they are most of the agent’s', async () => {
    const chinese = SMALL_HANDBOOKS[0]?.units ?? [];
    const inEnglish = 'Send the receipts within a month, with the form that your lead has signed.';
    const one = await compiled([[[['Expenses', chinese[0]?.[1] ?? '', inEnglish]]]]);
    expect([one.isMade, one.faults.map(({ rule, file, line }) => [rule, file, line])]).toEqual([
      true,
      [['coverage_other_language', 'instructions/agents/a0/unit-0.md', 5]],
    ]);
    const most = await compiled([
      [chinese.map((it): [string, string, string] => [it[0], it[1], it[2]]).concat([['Extra', '如何请假', inEnglish]])],
    ]);
    expect([most.isMade, most.faults.map(({ rule, file }) => [rule, file])]).toEqual([
      false,
      [['coverage_not_evaluated', 'instructions/agents/a0/unit-0.md']],
    ]);
  });
});

describe('a handbook in another language', () => {
  test.each(SMALL_HANDBOOKS.map((it, at) => [at, LANGUAGES[it.language], it] as const))(
    'is known by its texts: handbook %i in %s',
    (_, __, { language, units }) => {
      expect(languageIn(units.map(([heading, trigger, text]) => `${heading}\n${trigger}\n${text}`))).toBe(language);
    },
  );

  test('is advised to declare its language, which the advice names', async () => {
    const { faults } = await compiled(SMALL_HANDBOOKS.map(({ units }) => [units]));
    const advised = SMALL_HANDBOOKS.map(({ language }, at) =>
      faults.some(
        ({ file, help }) => file.startsWith(`instructions/agents/a${at}/`) && help.includes(`“language: ${language}”`),
      ),
    );
    expect(advised).toEqual(SMALL_HANDBOOKS.map(() => true));
  });

  test('compiles with a development key once its agent declares it', async () => {
    const { isMade, faults } = await compiled(
      SMALL_HANDBOOKS.map(({ language, units }) => [units, `language: ${language}\n`]),
    );
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(isMade).toBe(true);
  });
});
