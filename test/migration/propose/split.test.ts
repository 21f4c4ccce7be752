import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { Migration } from '../../../compiler/migration/propose/proposal.ts';
import { Agent } from '../../../compiler/schema/source/agent.ts';
import { expectSound, OPTIONS, parsed, written, type Files } from './sound-proposal.ts';
import { proposeUnits } from './unsettled.ts';

const NONE: Files = new Map();

const migrate = (text: string, existing = NONE, path = 'HEARTBEAT.md') =>
  proposeUnits([{ path, text }], existing, OPTIONS);
/** Without the heartbeat that is proposed where no section is one. */
const sections = ({ units }: Migration) => units.filter(({ source }) => source !== null);
const names = (migration: Migration) => sections(migration).map((unit) => unit.name);
const bodies = (migration: Migration) => sections(migration).map((unit) => parsed(unit).content);
const actions = ({ changes, units }: Migration) => {
  const added = units.filter(({ source }) => source === null).map(({ name }) => name);
  return Object.fromEntries(changes.filter(({ name }) => !added.includes(name)).map((it) => [it.name, it.action]));
};

/** More words than a section that is joined with another. */
const LONG = 'Some words about the work that is done here and about nothing else. '.repeat(3).trim();

describe('splitting documents', () => {
  it('§21.6.3 splits at H2 and H3 and never inside a fence, a comment, a quote or a list', () => {
    const fence = '```sh\n## not a heading\n```';
    const one = `## One\n\n${LONG}\n\n${fence}\n\n<!--\n## nor this\n-->\n\n> ## nor that\n\n- item\n\n  ## nor here\n`;
    const two = `### Two\n\n${LONG}\n\n#### Four\n\nmore\n`;
    expect(names(migrate(`${one}\n${two}`))).toEqual(['one', 'two']);
    expect(bodies(migrate(`${one}\n${two}`))).toEqual([one, two]);
  });

  it('§21.6.3 reads setext headings, and leaves rules between sections out', () => {
    const migration = migrate('Title\n=====\n\nFirst\n-----\n\na word\n\n---\n\n## Second\n\n  - a\n  - b\n');
    expect(names(migration)).toEqual(['first', 'second']);
    expect(bodies(migration)).toEqual(['Title\n=====\n\nFirst\n-----\n\na word\n', '## Second\n\n  - a\n  - b\n']);
  });

  it('§21.6.3 keeps headings without text of their own above the section that follows below them', () => {
    const long = (word: string) => `${word} `.repeat(120).trim();
    const migration = migrate(`# Top\n\n## Part\n\n### One\n\n${long('one')}\n\n### Two\n\n${long('two')}\n`);
    expect(names(migration)).toEqual(['one', 'two']);
    expect(bodies(migration).map((it) => it.match(/^#.*/gm))).toEqual([['# Top', '## Part', '### One'], ['### Two']]);
  });

  it('§21.6.3 keeps what stands before the first heading, titled by the front matter', () => {
    const migration = migrate(
      '---\nname: CTO\ntitle: Chief Officer\nskills:\n  - a\n---\n\nYou lead.\n\n## Work\n\ntext\n',
    );
    expect(names(migration)).toEqual(['chief-officer', 'work']);
    expect(bodies(migration)[0]).toBe('You lead.\n');
    expect(migration.units.map((unit) => unit.source?.line)).toEqual([8, 10]);
    expect(migration.notices).toContain('HEARTBEAT.md: not carried over from the front matter: skills');
  });

  it('§21.6.3 makes one section of a document without headings, and one of each later H1', () => {
    expect(names(migrate('just text\n', NONE, 'notes/TOOLS.md'))).toEqual(['tools']);
    expect(names(migrate('# A\n\ntext\n\n# B\n\ntext\n\n## C\n\ntext\n'))).toEqual(['a', 'b', 'c']);
  });

  it('§21.6.3 leaves sections without words out, and says so', () => {
    const migration = migrate('# T\n\n## Empty\n\n<!-- later -->\n\n## Group\n\n### Inner\n\n' + LONG);
    expect(names(migration)).toEqual(['inner']);
    expect(migration.leftOut.map(({ line, what }) => [line, what])).toEqual([[3, 'Empty']]);
    expect(migrate('---\nname: x\n---\n').notices).toContain('HEARTBEAT.md contains no instructions');
  });
});

describe('proposing units', () => {
  it('§21.2.2 makes readable names of any heading, of any script, without numbering, unique and never reserved', () => {
    const headings = [
      '1. Plan',
      '3) Ship it',
      'Über uns & Co',
      '日本語',
      'Manifest',
      'Plan',
      'Plan',
      "Don't",
      'Обзор',
      '⚡ Fast',
    ];
    const text = headings.map((heading) => `## ${heading}\n\ntext\n`).join('\n');
    const clashes = ['heartbeat-manifest', 'heartbeat-plan', 'heartbeat-plan-2'];
    const expected = ['plan', 'ship-it', 'uber-uns-co', 'heartbeat-1', ...clashes, 'dont', 'obzor', 'fast'];
    expect(names(expectSound([{ path: 'HEARTBEAT.md', text }]))).toEqual(expected);
  });

  it('§21.2.2 tells two documents apart by their names, and keeps off the names of shared units', () => {
    const documents = ['AGENTS.md', 'HEARTBEAT.md'].map((path) => ({
      path,
      text: `## Delegation\n\ntext of ${path}\n`,
    }));
    expect(names(proposeUnits(documents, NONE, OPTIONS))).toEqual(['delegation', 'heartbeat-delegation']);
    const taken = proposeUnits(documents, NONE, { ...OPTIONS, taken: ['delegation'] });
    expect(names(taken)).toEqual(['agents-delegation', 'heartbeat-delegation']);
  });

  it('§21.2.2 describes the situation that needs a unit, and never ends in half a word', () => {
    const wrapUp = '## Wrapping up\n\n**Comment** on `all` open work before you leave, *whatever* else there may be.\n';
    const [first] = migrate(`${wrapUp}\n## Notes\n\nText.\n`).units;
    expect(first!.description).toBe(
      'Wrapping up: Comment on all open work before you leave, whatever else there may be.',
    );
    expect(first!.load_triggers!.keywords).toContain('wrapping');
  });

  it('§21.2.2 proposes one line, whatever control characters a heading, a path or a title holds', () => {
    const documents = [
      { path: 'a\u0007\nb.md', text: '---\nname: "C\\nT\\u0085O"\n---\n\nOne\u0080two.\n' },
      { path: 'c.md', text: '## Ring\u0003 the\u009b bell\n\nWhenever you hear\u0001it.\n' },
    ];
    const migration = expectSound(documents);
    const { agentYaml } = migration;
    expect(sections(migration).map(({ description }) => description)).toEqual([
      'C T O: one, two.',
      'Ring the bell: Whenever you hear it.',
    ]);
    expect(Agent.parse(parse(agentYaml!)).role).toBe('C T O');
  });

  const topics = (count: number) =>
    Array.from({ length: count }, (_, i) => `## Topic number ${i}\n\ntext about ${i}\n`);
  const SAFETY = '## Safety\n\nWork with a copy of the data.\n';

  it('§21.2.1 proposes entries for what fits into a manifest, safety first, and names the others', () => {
    const migration = migrate([...topics(30), SAFETY].join('\n'));
    const listed = migration.entries.map(({ name }) => name);
    expect(listed).toContain('safety');
    expect(countTokens(migration.entries.map(({ name, description }) => name + description).join())).toBeLessThan(900);
    const left = migration.units.filter((unit) => unit.unlistedBecause !== null).map((unit) => unit.name);
    expect(left.length).toBeGreaterThan(0);
    expect([...listed, ...left].sort()).toEqual(migration.units.map(({ name }) => name).sort());
    expect(migration.notices.join('\n')).toContain(`${left.join(', ')}: not listed`);
  });

  it('DESIGN §6.5 leaves the choice to the compiler, with a priority for what is urgent', () => {
    const prioritiesOf = (text: string) =>
      migrate(text).units.map((unit) => {
        const { listed, priority } = parsed(unit).delivery;
        expect(listed).toBe(true);
        return priority;
      });
    expect(prioritiesOf([...topics(30), SAFETY].join('\n')).filter((it) => it !== undefined)).toEqual([4]);
    expect(prioritiesOf([...topics(3), SAFETY].join('\n')).filter((it) => it !== undefined)).toEqual([]);
  });

  it('§21.1.1 proposes an agent.yaml only where there is none, the same each time', () => {
    const text = '# Heartbeat checklist\n\nDo this.\n\n## Plan\n\ntext\n';
    const agent = Agent.parse(parse(migrate(text).agentYaml!));
    expect(agent).toMatchObject({ role: 'Heartbeat checklist', heartbeat_contract: 'heartbeat-checklist' });
    expect(migrate(text).agentYaml).toBe(migrate(text).agentYaml);
    expect(migrate(text, new Map([['agent.yaml', '']])).agentYaml).toBeNull();
  });
});

describe('migrating again', () => {
  const text = '## Plan\n\nthink\n\n## Exit\n\nleave\n';

  it('§21.6.3 keeps the units of sections that have not changed, wherever they stand now', () => {
    const files = written(migrate(text));
    const again = migrate('## Exit\n\nleave\n\n## Plan\n\nthink\n', files);
    expect(actions(again)).toEqual({ plan: 'unchanged', exit: 'unchanged' });
    expect(Object.fromEntries(written(again))).toEqual(Object.fromEntries(files));
    const path = 'U\u0308ber uns.md';
    const there = migrate(text, written(migrate(text, NONE, path)), path);
    expect(actions(there)).toEqual({ plan: 'unchanged', exit: 'unchanged' });
    const twins = written(migrate('## Plan\n\none\n\n## Plan\n\ntwo\n'));
    expect(actions(migrate('## Plan\n\ntwo\n', twins))).toEqual({ 'heartbeat-plan': 'unchanged', plan: 'removed' });
  });

  it('§21.6.3 replaces the body of a section that changed, and keeps the front matter byte for byte', () => {
    const head = '---\n# migrated from HEARTBEAT.md\ndescription:   "Mine"   # tended\nlisted: false\n---';
    const migration = migrate(text, new Map([['plan.md', `${head}\n\n## Plan\n\nold\n`]]));
    expect(actions(migration)).toEqual({ plan: 'update', exit: 'create' });
    expect(migration.units[0]).toMatchObject({ text: `${head}\n\n## Plan\n\nthink\n`, description: 'Mine' });
    expect(migration.entries.map((entry) => entry.name)).toEqual(['exit']);
  });

  it('gives each new unit its place in the document, and changes none of a unit that is there', () => {
    const sourcesOf = (all: Migration) => sections(all).map((it) => parsed(it).delivery.source);
    const first = migrate(text);
    expect(sourcesOf(first)).toEqual(['HEARTBEAT.md:1', 'HEARTBEAT.md:5']);
    const again = migrate(`## Start\n\nwake\n\n## Plan\n\nthink\n\n## Do\n\nact\n\n## Exit\n\nleave\n`, written(first));
    const sources = ['HEARTBEAT.md:0.1', 'HEARTBEAT.md:1', 'HEARTBEAT.md:1.1', 'HEARTBEAT.md:5'];
    expect(sourcesOf(again)).toEqual(sources);
  });

  it('§21.6.3 names the unit of a section that is gone, and leaves units of other documents alone', () => {
    const files = written(migrate(text));
    expect(actions(migrate('## Plan\n\nthink\n', files))).toEqual({ plan: 'unchanged', exit: 'removed' });
    expect(actions(migrate(text, files, 'SOUL.md'))).toEqual({ 'soul-plan': 'create', 'soul-exit': 'create' });
  });

  it('§21.6.3 never touches a unit that was written by hand', () => {
    const migration = migrate(text, new Map([['plan.md', '---\ndescription: mine\n---\n\nMine.\n']]));
    expect(actions(migration)).toEqual({ plan: 'unchanged', exit: 'create' });
    expect(names(migration)).toEqual(['exit']);
    expect(migration.notices.join()).toContain('plan: written by hand');
  });
});
