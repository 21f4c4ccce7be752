import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../../compiler/schema/bundle/manifest.ts';
import { readPublished } from '../../../io/published.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { press, uri, type Press } from '../../publishing.ts';

/** A manifest has no room for all of these: each name costs some forty tokens, twice. */
const TOPICS: Readonly<Record<string, readonly [description: string, ...intents: string[]]>> = {
  backups: ['How a database is restored', 'restore the database', 'check a database backup'],
  contracts: ['How a supplier’s contract is signed', 'sign a contract', 'a supplier wants new contract terms'],
  flights: ['How a flight is booked', 'book a flight', 'change the date of a flight'],
  hiring: [
    'How to recruit an engineer',
    ...['interview a candidate', 'recruit an engineer', 'write a job advertisement'],
    ...['reject an applicant politely', 'make a candidate an offer'],
  ],
  invoices: ['How an invoice is paid', 'pay an invoice', 'a supplier sent an invoice'],
  logos: ['Where the logo may be printed', 'print our logo on a shirt', 'a partner asks for the logo'],
  parking: ['Who gets a parking space', 'reserve a parking space', 'my parking card does not open the gate'],
  printers: ['How the printer is repaired', 'the printer is jammed', 'order toner for the printer'],
  visitors: ['How visitors get into the building', 'register a visitor', 'a visitor waits at the reception'],
  weddings: ['What colleagues get for a wedding', 'a colleague is getting married', 'collect money for a present'],
};
const nameOf = (topic: string) => `${topic}-${'q7x9'.repeat(12)}`;
const fileOf = (name: string) => `instructions/agents/cto/${name}.md`;

/** A press whose manifest has no room for some of its units. */
const crowdedPress = () =>
  press((repo) => {
    for (const [topic, [description, ...intents]] of Object.entries(TOPICS))
      repo.write(fileOf(nameOf(topic)), unitFile(description, intents));
  });

const manifestOf = ({ folder, place }: Press): Manifest =>
  readPublished(join(folder, 'bundle'), { root: place.root, signer: place.ci.signer, pem: '' }).manifest();
/** The units that have no room. */
const leftBy = ({ entries }: Manifest) =>
  Object.keys(TOPICS)
    .map(nameOf)
    .filter((name) => !entries.some((it) => it.name === name));
const factOf = (name: string) => ({ name, fact_uri: uri(name) });
const changedFiles = ({ git }: Press) => git('diff', '--name-only', 'main^', 'main').split('\n');
const HIRING = nameOf('hiring');

/** The entries of a manifest, that of `hiring` with other intents. */
const hiringWith = ({ entries }: Manifest, change: (intents: readonly string[]) => readonly string[] | null) =>
  entries.map((it) =>
    it.name === HIRING ? { ...it, load_triggers: { intents: change(it.load_triggers?.intents ?? []) } } : it,
  );

describe('DESIGN §6.9 a publication changes nothing that the manifest does not show', () => {
  test('a publication of what the manifest shows changes no file, one of an added intent changes one', async () => {
    const to = await crowdedPress();
    const manifest = manifestOf(to);
    const before = to.git('rev-parse', 'main');
    expect(leftBy(manifest).length).toBeGreaterThan(1);
    const same = await to.publish({ version: 'v2', entries: manifest.entries });
    const { fact_uri, token_count } = manifest;
    expect(same.envelope().data).toMatchObject({ effect: 'noop', fact_uri, token_count, revision: to.current() });
    expect(same.envelope().data['coverage_report']).not.toEqual([]);
    expect(to.git('rev-parse', 'main')).toBe(before);

    const added = hiringWith(manifest, (shown) => [...shown, 'choose between two applicants']);
    const ran = await to.publish({ version: 'v2', entries: added });
    expect([ran.code, ran.stdout]).toEqual([0, ran.stdout]);
    expect(changedFiles(to)).toEqual([fileOf(HIRING)]);
    const text = to.git('show', `main:${fileOf(HIRING)}`);
    for (const intent of [...TOPICS['hiring']!.slice(1), 'choose between two applicants'])
      expect(text).toContain(intent);
    // intents without room do not count as left out by the publisher
    expect(leftBy(manifestOf(to))).toEqual(leftBy(manifest));
  });

  test('what the manifest shows is known from the sources if the bundle is behind them', async () => {
    const to = await crowdedPress();
    const manifest = manifestOf(to);
    to.place.repo.write('instructions/agents/cto/boot.md', 'Never push to main.\n');
    to.push();
    const added = hiringWith(manifest, (shown) => [...shown, 'choose between two applicants']);
    expect((await to.publish({ version: 'v3', entries: added })).code).toBe(0);
    expect(changedFiles(to)).toEqual([fileOf(HIRING)]);
  });

  test('null removes all intents of a unit, those too that the manifest does not show', async () => {
    const to = await crowdedPress();
    const entries = hiringWith(manifestOf(to), () => null);
    expect((await to.publish({ version: 'v2', entries })).code).toBe(0);
    expect(to.git('show', `main:${fileOf(HIRING)}`)).not.toContain('intents');
  });

  test('a unit that is named needs a place, which another leaves or a priority gives', async () => {
    const to = await crowdedPress();
    const manifest = manifestOf(to);
    const last = leftBy(manifest).at(-1) ?? '';
    const before = to.git('rev-parse', 'main');
    const plain = await to.publish({ version: 'v2', entries: [...manifest.entries, factOf(last)] });
    expect(failure(plain)).toEqual([4, 'MANIFEST_TOO_LARGE']);
    const others = hiringWith(manifest, (shown) => [...shown, 'choose between two applicants']);
    const ran = await to.publish({ version: 'v2', entries: [...others, factOf(last)] });
    expect(failure(ran)).toEqual([4, 'MANIFEST_TOO_LARGE']);
    expect(to.git('rev-parse', 'main')).toBe(before);
    const { tokens, entries, unplaced } = ran.envelope().error.context as {
      tokens: number;
      entries: { name: string }[];
      unplaced: string[];
    };
    expect(tokens).toBeGreaterThan(1000);
    expect(entries.map((it) => it.name).sort()).toEqual([...manifest.entries.map((it) => it.name), last].sort());
    expect(unplaced).toEqual([last]);

    const fewer = manifest.entries.filter((it) => it.name !== HIRING);
    const chosen = { ...factOf(last), priority: 1 };
    expect((await to.publish({ version: 'v2', entries: [...fewer, chosen] })).code).toBe(0);
    expect(changedFiles(to).sort()).toEqual([fileOf(HIRING), fileOf(last)].sort());
    const names = manifestOf(to).entries.map((it) => it.name);
    expect([names.includes(last), names.includes(HIRING)]).toEqual([true, false]);
  });
});
