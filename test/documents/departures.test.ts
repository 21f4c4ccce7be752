import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ManifestEntry } from '../../compiler/schema/bundle/manifest.ts';
import { libraryFiles, readFiles } from '../support/capabilities.ts';

const DESIGN = readFileSync('compiler/README.md', 'utf8');

/** The section under a heading, up to the next heading. */
function section(text: string, heading: string): string {
  const [, rest = ''] = text.split(heading);
  return rest.split(/\n#+ /)[0] ?? '';
}

const ROWS = [...section(DESIGN, '### 6.15 ').matchAll(/^\| (§21[\d.]+) +\| (.*?) *\|$/gm)].map(
  ([, clause = '', here = '']) => ({ clause, here }),
);
const ofClause = (clause: string) =>
  ROWS.filter((it) => it.clause === clause)
    .map((it) => it.here)
    .join(' ');

/** The members of an entry in the example of §21.2.2. */
const MEMBERS = [
  'name',
  'description',
  'required_by_task_types',
  'guarantee_load',
  'fact_uri',
  'path',
  'token_estimate',
];

describe('the departures from the specifications', () => {
  test('stand in the order of clauses, and their references to decisions exist', () => {
    const clauses = ROWS.map((it) => it.clause);
    const numbers = (clause: string) => clause.split('.').slice(1).map(Number);
    const compare = (a: string, b: string) =>
      numbers(a).map((n, i) => n - (numbers(b)[i] ?? 0)).find((it) => it !== 0) ?? 0; // oxfmt-ignore
    expect(clauses.length).toBeGreaterThan(15);
    expect(clauses).toEqual(clauses.toSorted(compare));
    for (const { here } of ROWS) {
      for (const [, number = ''] of here.matchAll(/\(§([67](?:\.\d+)?)\)/g)) {
        expect([number, new RegExp(`^##+ ${number}[. ]`, 'm').test(DESIGN)]).toEqual([number, true]);
      }
    }
  });

  test('§21.2.2 name every member that an entry may lack; of fact_uri and path it has one', () => {
    const shape: Record<string, { isOptional: () => boolean }> = ManifestEntry.shape;
    const lacking = MEMBERS.filter((it) => shape[it]?.isOptional() !== false && it !== 'fact_uri');
    expect(lacking).toEqual(['required_by_task_types', 'guarantee_load', 'path', 'token_estimate']);
    const triggers = ['keywords', 'task_types'].filter(
      (it) => !(it in ManifestEntry.shape.load_triggers.unwrap().shape),
    );
    for (const member of [...lacking, ...triggers]) expect(ofClause('§21.2.2')).toContain(`\`${member}\``);
  });

  test('of the agent substrate name each shipped atom whose bypass cannot act, with its variable', () => {
    const readme = section(
      readFileSync('compiler/capabilities/README.md', 'utf8'),
      '## Departures from the specification',
    );
    const powerless = [...readFiles(libraryFiles()).capabilities.atoms.values()].flatMap(({ declared }) => {
      const { capability, gate } = declared;
      const variable = gate?.['bypass-env'] ?? '';
      return variable === '' || capability.relaxable ? [] : [capability.name, variable];
    });
    expect(powerless.length).toBeGreaterThan(0);
    for (const name of powerless) expect(readme).toContain(`\`${name}\``);
  });

  test('are linked from the pages that say what is implemented', () => {
    for (const page of ['README.md', 'server/README.md']) {
      expect(readFileSync(page, 'utf8')).toContain('compiler/README.md#615-where-this-departs-from-section-21');
    }
  });
});
