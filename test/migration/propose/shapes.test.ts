import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { proposeUnits } from './unsettled.ts';

const migrate = (text: string, path = 'AGENTS.md', existing = new Map<string, string>()) =>
  proposeUnits([{ path, text }], existing, { agent: 'x', countTokens });
const unit = (text: string, path?: string) => migrate(text, path).units[0]!;
const namesOf = (text: string) => migrate(text).units.flatMap((it) => (it.source === null ? [] : [it.name]));

describe('front matter of other tools', () => {
  it('is read where it is not YAML, as Cursor writes globs', () => {
    const text =
      '---\ndescription: Components\nglobs: *.tsx,**/*.css\nalwaysApply: false\n---\n\n- Props are typed here.\n';
    const { entries, notices, alwaysOn } = migrate(text, 'react.mdc');
    expect(entries[0]!.load_triggers!.keywords).toEqual(expect.arrayContaining(['tsx', 'css']));
    expect(notices.join('\n')).toContain('read line by line');
    expect(alwaysOn.boot).toBeNull();
  });

  it('names each file pattern once, however often it stands there', () => {
    const { text } = unit(`---\nglobs: ${'*.ts,'.repeat(50)}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    expect(text.match(/\*\.ts/g)).toHaveLength(1);
  });

  it.each([
    ['Cursor', 'globs: src/**/*.{ts,tsx},*.md', 'a.mdc'],
    ['Copilot', 'applyTo: "src/**/*.{ts,tsx},*.md"', 'a.instructions.md'],
    ['Claude', 'paths:\n  - "src/**/*.{ts,tsx}"\n  - "*.md"', 'a.md'],
    ['a list on one line', 'globs: ["src/**/*.{ts,tsx}", "*.md"]', 'a.mdc'],
    ['a list that is no YAML', 'globs: [src/**/*.{ts,tsx}, *.md]', 'a.mdc'],
  ])('gives every unit of the document the files that it is for: %s', (_, line, path) => {
    const { units: all } = migrate(`---\n${line}\n---\n\n## Plan\n\nThink first.\n\n## Ship\n\nThen tag it.\n`, path);
    const units = all.filter((it) => it.source !== null);
    const fronts = units.map((it) => parse(it.text.split('---')[1] ?? '') as { files?: string[] });
    expect(fronts.map((it) => it.files)).toEqual(units.map(() => ['src/**/*.{ts,tsx}', '*.md']));
    expect(units.length).toBeGreaterThan(0);
  });

  it('lists patterns that no unit can have as left out: those for all files, negations and brackets', () => {
    const line = "globs: ['**/*', '!dist/**', 'app/[id]/**', 'src/**']";
    const { units, leftOut } = migrate(`---\n${line}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    const left = leftOut.filter(({ what }) => what.startsWith('the file pattern'));
    expect(left.map(({ path, line, what }) => [path, line, what])).toEqual([
      ['a.mdc', 2, 'the file pattern **/*'],
      ['a.mdc', 2, 'the file pattern !dist/**'],
      ['a.mdc', 2, 'the file pattern app/[id]/**'],
    ]);
    expect(units[0]!.text).toContain('files:\n  - src/**\n');
  });

  it('keeps as many patterns as a unit can have, and lists the others', () => {
    const globs = Array.from({ length: 20 }, (_, i) => `src/${i}/**`).join(',');
    const { leftOut } = migrate(`---\nglobs: ${globs}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    expect(leftOut.filter(({ what }) => what.startsWith('the file pattern'))).toHaveLength(4);
  });

  it('gives a unit the situations that the description of a skill names', () => {
    const text =
      '---\nname: pdf\ndescription: "Reads invoices. Use when the user uploads an invoice."\n---\n\nRun the script.\n';
    expect(unit(text, 'pdf/SKILL.md').load_triggers!.intents).toContain('the user uploads an invoice');
  });

  it('is never evaluated, in whatever language it claims to be', () => {
    const text = '---js\n{ name: process.exit(1) }\n---\n\n## Plan\n\nThink first.\n';
    expect(namesOf(text)).toContain('plan');
  });
});

describe('joining small sections', () => {
  it('makes one unit of a heading whose sub-headings say little', () => {
    const incident = (title: string) => `## ${title}\n\n### Symptoms\n\nIt is slow.\n\n### Fix\n\nRestart it.\n\n`;
    const text = `# Runbook\n\n${incident('Queue is growing')}${incident('Disk is full')}`;
    expect(namesOf(text)).toEqual(['queue-is-growing', 'disk-is-full']);
  });

  it('names a sub-heading that repeats for the heading above it', () => {
    const long = 'Many words about how this is done in this place and in no other place at all. '.repeat(4);
    const text = ['Clusters', 'Databases'].map((it) => `## ${it}\n\n### Access\n\n${long}\n\n### Size\n\n${long}\n\n`);
    expect(namesOf(text.join(''))).toEqual(['clusters-access', 'clusters-size', 'databases-access', 'databases-size']);
  });

  it('makes no unit of a heading alone where the block below it is too large for a unit', () => {
    const { units, leftOut } = migrate(`## Long\n\n${'Some words. '.repeat(6000)}\n\n## Plan\n\nThink first.\n`);
    expect(units.filter(({ source }) => source !== null).map(({ name }) => name)).toEqual(['plan']);
    expect(leftOut.map(({ what }) => what)).toEqual(['Long']);
  });

  it('cuts a section between blocks where it is larger than a unit may be', () => {
    const block = `${'word '.repeat(4000)}\n\n`;
    const { units } = migrate(`## Long\n\n${block.repeat(6)}`);
    expect(units.filter(({ source }) => source !== null).length).toBe(6);
    for (const { text } of units) expect(Buffer.byteLength(text)).toBeLessThan(65_536);
  });
});

describe('always-on rules', () => {
  const RULES = '## Boundaries\n\n- You MUST ask before you delete.\n- Never push to main.\n\n## Style\n\nTabs.\n';

  it('§21.1.1 are proposed as boot.md, and a section of nothing else becomes no unit', () => {
    const { alwaysOn, leftOut, units } = migrate(RULES);
    expect(alwaysOn.boot).toBe('- You MUST ask before you delete.\n- Never push to main.\n');
    expect(leftOut.map(({ what }) => what)).toEqual(['Boundaries']);
    expect(units.map(({ name }) => name)).not.toContain('boundaries');
  });

  it('are all rules of a document that always applies', () => {
    const { alwaysOn } = migrate(
      '---\nalwaysApply: true\n---\n\n- Answer in English.\n- Be brief, please.\n',
      'all.mdc',
    );
    expect(alwaysOn.inBoot).toEqual(['Answer in English.', 'Be brief, please.']);
  });

  it('§21.1.2 stay within the budget of the boot stub; what has no room is proposed as guaranteed', () => {
    const rules = Array.from({ length: 60 }, (_, i) => `- You MUST keep rule number ${i} of this list in mind.\n`);
    const text = `## First\n\n${rules.slice(0, 55).join('')}\n## Second\n\n${rules.slice(55).join('')}`;
    const { alwaysOn } = migrate(text);
    expect(alwaysOn.inBoot.length).toBeGreaterThan(5);
    expect(alwaysOn.inBoot.length).toBeLessThan(40);
    expect(alwaysOn.toGuarantee).toContain('second');
    expect(alwaysOn.toGuarantee).not.toContain('first');
  });

  it('are added to a boot.md that nobody has written yet, and shown for pasting beside one that somebody wrote', () => {
    const rules = '## Style\n\nAlways run the formatter.\n\n## Other\n\nText.\n';
    const started = '- Ask before you delete.\n';
    const propose = (boot: string) =>
      proposeUnits([{ path: 'AGENTS.md', text: rules }], new Map([['boot.md', boot]]), {
        agent: 'x',
        countTokens,
        untouchedBoot: started,
      }).alwaysOn;
    expect(propose(started)).toMatchObject({ boot: `${started}- Always run the formatter.\n`, toPaste: [] });
    expect(propose('- Mine.\n')).toMatchObject({ boot: null, toPaste: ['Always run the formatter.'] });
  });

  it('are orders, and neither names in code nor explanations', () => {
    const text =
      '## Limits\n\n- `NEVER` - Disabled by its owner.\n- That is not hypothetical: one shipped and its agent never fired once.\n' +
      '- It is the only bot that must never be blocked.\n- Agents must not push.\n\n## Other\n\nText.\n';
    expect(migrate(text).alwaysOn.inBoot).toEqual(['Agents must not push.']);
  });

  it('never change a boot.md that is there', () => {
    const existing = new Map([['boot.md', '- Never push to main.\n']]);
    const { alwaysOn } = migrate(RULES, 'AGENTS.md', existing);
    expect(alwaysOn.boot).toBeNull();
    expect(alwaysOn.inBoot).toEqual(['Never push to main.']);
  });
});

describe('triggers', () => {
  it('come from the words of a section, not from what its heading usually means', () => {
    const text = '# Style guide for Go\n\n## Error handling\n\nWrap an error with the name of the call that failed.\n';
    const { intents = [] } = unit(text).load_triggers!;
    expect(intents.join(' ')).toContain('wrap an error');
    expect(intents.join(' ')).not.toMatch(/broken|down|outage/);
  });

  it('ask whether one may do what a rule forbids, and never leave the “never” out', () => {
    const text = '## Data\n\nNever export the table of customers to a laptop.\n\n## Other\n\nText.\n';
    const all = migrate(text).units.flatMap((it) => it.load_triggers?.intents ?? []);
    expect(all.filter((it) => it.includes('export'))).toEqual(all.filter((it) => it.startsWith('may I export')));
  });

  it.each([
    ['Ask the board whenever you need money for a tool.', 'I need money for a tool'],
    ['Ask if you stop because you have lost it.', 'because I have lost'],
    ["Look if you've lost it.", "I've lost it"],
    ['Call the desk if somebody threatens you in the chat.', 'somebody threatens me in the chat'],
  ])('are what an agent says: %s', (sentence, said) => {
    const { units } = migrate(`## Desk\n\n${sentence}\n\n## Other\n\nText.\n`);
    expect(units.flatMap((it) => it.load_triggers?.intents ?? []).join('\n')).toContain(said);
  });

  it('are three at most, and none is another one with a word more', () => {
    const text =
      '# Shop\n\n## Refund orders\n\nRefund orders. Call the desk if a customer shouts. Send a letter. Ask the bank. Close the case.\n';
    const { intents = [] } = unit(text).load_triggers!;
    expect(intents.length).toBe(3);
    expect(intents.filter((it) => it.includes('refund orders')).length).toBeLessThan(2);
  });

  it('are no halves of a sentence that is too long to be said', () => {
    const text = `## Print\n\nUse no templates for lines of output ${'where nothing at all is filled in by anybody '.repeat(3)}.\n\n## Other\n\nText.\n`;
    expect((unit(text).load_triggers!.intents ?? []).join()).not.toContain('templates');
  });

  it('end with no word that only leads to another one', () => {
    const text =
      '## Suite\n\nThe e2e suite fails when the clock of the container is ahead of time.\n\n## Other\n\nText.\n';
    const { intents = [] } = unit(text).load_triggers!;
    expect(intents.filter((it) => / (?:of|the|when)$/.test(it))).toEqual([]);
  });

  it('are words of the text, and no halves of them', () => {
    const { keywords = [] } = unit("## Desk\n\nDon't wait; don't ask; don't sleep.\n").load_triggers!;
    expect(keywords).not.toContain('don');
  });

  it('contain nothing that looks like a key', () => {
    const key = 'Zx81kQ9mP2vL7tR4wY6nB3cD';
    const { description, load_triggers } = unit(`## Access\n\nCall it with ${key} and read the answer.\n`);
    expect(JSON.stringify([description, load_triggers])).not.toContain(key);
  });
});

it('§21.1.1 heartbeat_contract names a heartbeat, else how work is left, and a notice says that no section is one', () => {
  expect(migrate('## Every morning\n\nRead the inbox.\n\n## Style\n\nTabs.\n').agentYaml).toContain(
    'heartbeat_contract: every-morning',
  );
  const { agentYaml, units, notices } = migrate('## Style\n\nTabs.\n\n## Wrap-up\n\nWrite down what is open.\n');
  expect(agentYaml).toContain('heartbeat_contract: wrap-up');
  expect(units.map(({ name }) => name)).toEqual(['style', 'wrap-up']);
  expect(notices.join()).toContain('heartbeat_contract names “wrap-up”');
});
