import { beforeAll, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { RecallFact } from '../../../compiler/recall/recall-garden.ts';
import { describeIfThere } from '../../support/loudly.ts';
import { report } from '../measure.ts';
import { printTable } from '../recall/table.ts';
import { installClaudeCode, runSession, RUNS_HOSTS } from './claude-code.ts';
import { compiledUnits, handbook, SKILLS } from './handbook.ts';
import { answersIn, partsOf, TOOLS } from './session-parts.ts';

/** Six units, and a step of work that wants each; the words were written from the names of the units. */
const FINDS = [
  ['refunds', 'The customer was charged twice for one subscription and asks for the money'],
  ['outage-replies', 'Many people write that the site is down, what may I tell these customers about the status?'],
  ['bug-reports', 'the export button does nothing for this customer, let the engineers know'],
  ['angry-customers', 'The writer is furious and uses swear words, what tone should my answer have?'],
  ['account-recovery', 'someone cannot log in any more because the e-mail address on the account is gone'],
  ['data-deletion', 'a user invokes GDPR and asks us to erase everything we hold'],
] as const;

/** Units of the handbook, finds by name (the others by intent), the most tokens over the six texts. */
const SESSIONS = [
  [15, 6, 900],
  [60, 3, 1350],
  [300, 0, 1900],
] as const;

/** The same session before an agent's answers were texts, at every size. */
const BEFORE = 6900;

const rows: { readonly session: (string | number)[]; readonly parts: (string | number)[] }[] = [];

describeIfThere(
  RUNS_HOSTS && SKILLS.isThere,
  'real hosts',
  'VADE_HOSTS=1 installs them, and the corpus fills handbooks',
)('six finds of six units through Claude Code', () => {
  beforeAll(installClaudeCode);

  test.each(SESSIONS)(
    'in a handbook of %i units, %i by name, cost at most %i tokens over their texts',
    async (units, byName, most) => {
      const repo = await handbook(units);
      const { facts, boot } = compiledUnits(repo);
      expect(facts.length).toBe(units);
      const asked = FINDS.map(([name, intent], at) => (at < byName ? { manifest_hint: [name] } : { intent }));
      const request = await runSession(repo.path, 'Work through the queue of tickets, please.', [
        ...asked.map((input) => ({ tool: `${TOOLS}recall_instruction`, input })),
        { tool: `${TOOLS}close_recall`, input: { used_chunks: FINDS.map(([name]) => name) } },
      ]);
      const parts = partsOf(request);
      const answers = answersIn(request);
      const right = FINDS.filter(([name], at) => new RegExp(`^## ${name} v`, 'm').test(answers[at] ?? ''));
      const texts = FINDS.map(([name]) => facts.find((it) => it.name === name)?.content ?? '');
      const [six, whole] = [sum(texts), sum([boot, ...facts.map(({ content }) => content)])];
      const total = Object.values(parts).reduce((all, it) => all + it, 0);
      rows.push({
        session: [units, whole, listed(facts), BEFORE, total],
        parts: [units, ...Object.values(parts), six, total - six, `${right.length} of ${FINDS.length}`],
      });
      report(`session of six finds, ${units} units: tokens over the texts`, `${total - six}`, `≤ ${most}`);
      expect(total - six).toBeLessThanOrEqual(most);
    },
  );

  test('the tables of all three', () => {
    printTable(
      'Tokens of a session with six finds',
      ['units', 'whole handbook', 'names and descriptions, then one file', 'Vademecum', 'Vademecum, now'],
      rows.map(({ session }) => session),
    );
    printTable(
      'Its parts',
      ['units', 'instructions', 'tools', 'contexts', 'calls', 'answers', 'six texts', 'over them', 'right at once'],
      rows.map(({ parts }) => parts),
    );
    expect(rows.length).toBe(SESSIONS.length);
  });
});

const sum = (texts: readonly string[]) => texts.reduce((all, it) => all + countTokens(it), 0);

/** A list of skills in the prompt, and a call that reads the file of each that is wanted. */
function listed(facts: readonly Pick<RecallFact, 'name' | 'content' | 'delivery'>[]): number {
  const list = facts.map(({ name, delivery }) => `- ${name}: ${delivery.description}\n`);
  const files = facts
    .filter((fact) => FINDS.some(([name]) => name === fact.name))
    .map(
      ({ name, delivery, content }) => `---\nname: ${name}\ndescription: ${delivery.description}\n---\n\n${content}`,
    );
  const calls = FINDS.map(([name]) =>
    JSON.stringify({ name: 'Read', input: { file_path: `.claude/skills/${name}/SKILL.md` } }),
  );
  return sum([...list, ...files, ...calls]);
}
