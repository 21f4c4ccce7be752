import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Publication, type PublishedEntry } from '../../../../compiler/schema/api/publication.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { press, uri } from '../../publishing.ts';

const document = (text: string, name = 'AGENTS.md') => {
  const file = join(tempFolder(), name);
  writeFileSync(file, text);
  return file;
};

async function migrate(from: string, cwd: string, ...more: string[]) {
  const { data } = (await vade(['migrate', '--from', from, '--agent', 'cto', ...more], cwd)).envelope();
  return data as unknown as { entries: PublishedEntry[]; notices: string[] };
}

const uris = ({ entries }: { entries: PublishedEntry[] }) => entries.map((it) => it.fact_uri);

test('§21.6.3 the entries that vade migrate proposes can be published unchanged once its files are committed', async () => {
  const to = await press();
  const path = to.place.repo.path;
  const from = document(
    '## Hiring\n\nAsk two colleagues to talk to a candidate before anybody promises a salary or a day on which the work begins.\n\n## Invoices\n\nPay an invoice within ten days, after the budget owner has approved its amount and its supplier in writing.\n',
  );
  const { entries } = await migrate(from, path, '--write');
  expect(entries.map((it) => it.fact_uri)).toEqual([uri('hiring'), uri('invoices')]);
  to.push();
  const existing = ['heartbeat', 'wrap-up'].map((name) => ({ name, fact_uri: uri(name) }));
  const publication = { version: 'v3', entries: [...existing, ...entries] };
  expect(Publication.parse(publication).entries).toHaveLength(4);
  const { stdout, envelope } = await to.publish(publication);
  const { data, ok } = envelope();
  expect(ok, stdout).toBe(true);
  expect(data['fact_uri']).toBe('instruction:acme/agent/cto/manifest/v3');
});

const PLAN =
  '## Plan\n\nThink about the week on Monday morning, and write down what the team will finish until Friday.';
const LEAVE =
  '## Leave\n\nGo home at six o’clock, after the last open change is merged and the calendar is up to date.\n';

test('§21.4.1 an entry names the version that its unit will have: the same, the next, or the one after a deletion', async () => {
  const to = await press();
  const { repo } = to.place;
  await migrate(document(`${PLAN}\n\n${LEAVE}`), repo.path, '--write');
  repo.commit();
  const changed = document(`${PLAN} Think twice.\n\n${LEAVE}`);
  expect(uris(await migrate(changed, repo.path))).toEqual([uri('plan', 2), uri('leave')]);
  await migrate(document(LEAVE), repo.path, '--write');
  repo.commit();
  expect(uris(await migrate(changed, repo.path))).toEqual([uri('plan', 3), uri('leave')]);
});

test('an entry has no URI, and a notice gives the reason, if nothing names the deployment', async () => {
  const migrated = await migrate(document(`${PLAN}\n`), tempFolder());
  expect(uris(migrated)).toEqual([undefined]);
  expect(migrated.entries.map(({ name }) => name)).toEqual(['plan']);
  expect(migrated.notices.join()).toContain('org.yaml names no deployment');
});

const KEY = ['ghp', 'Zx81kQ9mP2vL7tR4wY6nB3cDe5fG8hJ0kLs7'].join('_');

test('a section with a secret is left out, and no part of the answer shows the secret', async () => {
  const from = document(`## Access\n\nCall the API with ${KEY} in the header.\n\n## Plan\n\nThink about the week.\n`);
  const { stdout, envelope } = await vade(['migrate', '--from', from, '--agent', 'cto'], tempFolder());
  expect(stdout).not.toContain(KEY);
  expect(envelope().data['left_out']).toEqual([expect.objectContaining({ line: 1, what: 'Access' })]);
});

test('sections in another language keep their own units and triggers, and a notice says that the gate cannot judge them', async () => {
  const from = document(
    '# Handbuch\n\n## Übergabe\n\nVor dem Feierabend schreibst du auf, was offen ist.\n\n' +
      '## Rückzahlungen\n\nKunden erhalten ihr Geld innerhalb von dreißig Tagen zurück.\n',
  );
  const { envelope } = await vade(['migrate', '--from', from, '--agent', 'cto'], tempFolder());
  const units = envelope().data['units'] as { name: string; intents: string[] }[];
  expect(units.map(({ name }) => name)).toEqual(['ubergabe', 'ruckzahlungen']);
  expect(units[1]?.intents).toContain('rückzahlungen, handbuch');
  expect(String(envelope().data['notices'])).toContain('other_language');
});

test('a file that is too large is refused', async () => {
  const { envelope } = await vade(
    ['migrate', '--from', document('## a\n\n'.repeat(250_000)), '--agent', 'cto'],
    tempFolder(),
  );
  expect(envelope().error.code).toBe('REQUEST_INVALID');
});

test('symbolic links are not followed, whatever they lead to', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'AGENTS.md'), '## Plan\n\nThink about the week.\n');
  symlinkSync('/etc/hostname', join(folder, 'evil.md'));
  const { envelope } = await vade(['migrate', '--from', folder, '--agent', 'cto'], tempFolder());
  const units = envelope().data['units'] as { source: { path: string } | null }[];
  expect(units.flatMap(({ source }) => source?.path ?? [])).toEqual(['AGENTS.md']);
});

test('of a file that is a symbolic link the answer says where it leads', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'CLAUDE.md'), '## Plan\n\nThink about the week.\n');
  symlinkSync('CLAUDE.md', join(folder, 'AGENTS.md'));
  const { envelope } = await vade(['migrate', '--from', 'AGENTS.md', '--agent', 'cto'], folder);
  const { code, suggestion } = envelope().error;
  expect([code, suggestion]).toEqual(['REQUEST_INVALID', expect.stringContaining('--from CLAUDE.md')]);
});

test('the preview shows each unit: its lines, tokens, description and triggers', async () => {
  const from = document(
    '# Shop\n\n## Refunds\n\nRefund to the card that was used to pay. The clerk notes the amount and the day in the ledger of the shop.\n',
  );
  const { envelope } = await vade(['migrate', '--from', from, '--agent', 'cto'], tempFolder());
  const [unit] = envelope().data['units'] as Record<string, unknown>[];
  expect(unit).toMatchObject({
    name: 'refunds',
    source: { path: 'AGENTS.md', line: 3, last_line: 5 },
    unlisted_because: null,
  });
  expect(unit!['description']).toBe('Refund to the card that was used to pay.');
});

test('a section that is the text of a unit from another file, or by hand, is left out with the name of that unit', async () => {
  const cwd = tempFolder();
  const folder = join(cwd, 'instructions/agents/cto');
  await migrate(document(PLAN), cwd, '--write');
  writeFileSync(join(folder, 'going-home.md'), `---\ndescription: How to leave.\n---\n\n${LEAVE}`);
  const before = readdirSync(folder);
  const again = await migrate(document(`${PLAN}\n${LEAVE}`, 'CLAUDE.md'), cwd, '--write');
  expect(again).toMatchObject({
    effect: 'noop',
    units: [],
    left_out: [
      { path: 'CLAUDE.md', what: 'Plan', why: 'unit plan already has exactly this text' },
      { path: 'CLAUDE.md', what: 'Leave', why: 'unit going-home already has exactly this text' },
    ],
  });
  expect(readdirSync(folder)).toEqual(before);
});

const PATHS = [
  '.cursor/rules/a.mdc',
  '.github/copilot-instructions.md',
  '.github/instructions/b.md',
  '.junie/guidelines.md',
  '.specify/memory/constitution.md',
  'docs/.claude/c.md',
];
const HIDDEN = [
  '.changeset/d.md',
  '.github/PULL_REQUEST_TEMPLATE.md',
  '.specify/templates/plan-template.md',
  '.venv/lib/e.md',
  'docs/.cache/f.md',
];

const folderOf = (paths: readonly string[], text = PLAN) => {
  const folder = tempFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text} This stands in ${path}.\n`);
  }
  return folder;
};
const sourcesOf = (data: object) =>
  (data as { units: { source: { path: string } | null }[] }).units.flatMap(({ source }) => source?.path ?? []);

test('of hidden folders those of coding agents are read, and a notice names the others', async () => {
  const found = await migrate(folderOf([...PATHS, ...HIDDEN]), tempFolder());
  expect(sourcesOf(found).sort()).toEqual(PATHS);
  expect(found.notices.filter((it) => it.startsWith('hidden folders'))).toEqual([
    expect.stringContaining(': .changeset, .venv, docs/.cache;'),
  ]);
});

test('skills stay in place, and the answer has the line that keeps them there; the sources are no documents', async () => {
  const cwd = folderOf([
    'AGENTS.md',
    '.claude/skills/scrap/SKILL.md',
    '.claude/skills/scrap/more.md',
    'instructions/a.md',
  ]);
  const { notices, ...found } = await migrate('.', cwd);
  expect(sourcesOf(found)).toEqual(['AGENTS.md']);
  expect(notices.join()).toContain('skills: [.claude/skills]');
});

test('a hidden folder that is named is read, and one that has nothing else to read is an error that names it', async () => {
  const folder = folderOf(['.changeset/d.md', '.github/PULL_REQUEST_TEMPLATE.md']);
  for (const [name, file] of [
    ['.changeset', 'd.md'],
    ['.github', 'PULL_REQUEST_TEMPLATE.md'],
  ] as const)
    expect(sourcesOf(await migrate(join(folder, name), tempFolder()))).toEqual([file]);
  const { envelope, stdout } = await vade(['migrate', '--from', folder, '--agent', 'cto'], tempFolder());
  expect([envelope().error.code, stdout.includes('.changeset')]).toEqual(['SOURCE_NOT_FOUND', true]);
});

test.each(['@AGENTS.md\n', '# Claude\n\n@AGENTS.md\n', 'AGENTS.md'])(
  'a file that only includes another one is refused with the file to give, and nothing is written: %j',
  async (text) => {
    const cwd = tempFolder();
    const ran = await vade(['migrate', '--from', document(text, 'CLAUDE.md'), '--agent', 'cto', '--write'], cwd);
    expect(ran.envelope().error).toMatchObject({
      code: 'REQUEST_INVALID',
      suggestion: 'give that file: --from AGENTS.md',
    });
    expect(readdirSync(cwd)).toEqual([]);
  },
);
