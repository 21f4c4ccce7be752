import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CurrentUnit } from '../../compiler/publish/entry-edits.ts';
import { planEdits, type CurrentManifest, type ShownEntries } from '../../compiler/publish/plan-edits.ts';
import type { PublishedEntry } from '../../compiler/schema/api/publication.ts';
import type { ManifestEntry } from '../../compiler/schema/bundle/manifest.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { unitFile } from '../support/repository.ts';

const FOLDER = 'instructions/agents/cto';
const BODY = '\n\n# Deploy  \n\n--- \nShip on Mondays.\t\n\n\n';
const YAML = `# read before a release
description: "When to ship" # and when not
load_triggers:
  # as people say it
  intents:
    - "ship it" # the short one
    - roll back
  keywords: [deploy, 'release']
aliases: [ship]
`;

function standing(file: string, text: string, garden = 'cto'): CurrentUnit {
  const { value } = parseUnit({ path: file, mode: '100644', blob: '', size: 0 }, Buffer.from(text), garden);
  if (!value) throw new Error(`${file} is no unit`);
  const owner = garden === 'shared' ? '' : 'agent/cto/';
  return { unit: value, text, uri: `instruction:acme/${owner}${value.name}/v3` };
}

const deploy = (yaml = YAML, body = BODY) => standing(`${FOLDER}/deploy.md`, `---\n${yaml}---${body}`);
const escalation = standing('instructions/shared/escalation.md', unitFile('When to call a person'), 'shared');
const FACT = 'instruction:acme/agent/cto/deploy/v3';

function place(unit = deploy(), over: Partial<CurrentManifest> = {}): CurrentManifest {
  const text = 'agent_id: x # never change\nshared: [heartbeat]\nrole: CTO\n';
  const agent = { name: 'cto', file: `${FOLDER}/agent.yaml`, text };
  return { agent, mode: 'stigmem', own: [unit], shared: [escalation], listed: ['heartbeat'], ...over };
}

/** A manifest that lists these units, and shows some of the intents of `deploy`. */
const showing = (intents: readonly string[], ...names: string[]): ShownEntries => {
  const deploy: ManifestEntry = { name: 'deploy', description: 'x', fact_uri: FACT };
  const more = names.map((name): [string, ManifestEntry] => [name, { name, description: 'x' }]);
  return new Map([['deploy', { ...deploy, load_triggers: { intents: [...intents] } }], ...more]);
};
const SHOWN = showing(['ship it', 'roll back'], 'escalation');

/** The text that an entry gives the unit; undefined where it stays as it is. */
function textAfter(change: Partial<PublishedEntry>, unit = deploy(), shown = SHOWN): string | undefined {
  const { files, diagnostics } = planEdits(place(unit), [{ name: 'deploy', fact_uri: FACT, ...change }], shown);
  expect(diagnostics).toEqual([]);
  return files.get(`${FOLDER}/deploy.md`);
}

const diagnosticsOf = (entries: readonly PublishedEntry[], at = place()) =>
  planEdits(at, entries, SHOWN).diagnostics.map((it) => it.rule);
const entry = (more: Partial<PublishedEntry>): PublishedEntry => ({ name: 'deploy', ...more });

describe('DESIGN §6.9 an entry edits front matter as a document tree', () => {
  test('an entry changes only the line of its value', () => {
    expect(textAfter({ description: 'How to ship' })).toBe(
      `---\n${YAML.replace('"When to ship"', '"How to ship"')}---${BODY}`,
    );
  });

  test('an entry keeps the comments of items that remain', () => {
    const text = textAfter({ load_triggers: { intents: ['release now', 'ship it'] } });
    expect(text).toContain(
      '  # as people say it\n  intents:\n    - "ship it" # the short one\n    - release now\n  keywords:',
    );
    expect(text).not.toContain('roll back');
  });

  test('an entry does not change absent or equal members', () => {
    expect(textAfter({})).toBeUndefined();
    expect(
      textAfter({ description: 'When to ship', load_triggers: { keywords: ['deploy', 'release'] } }),
    ).toBeUndefined();
    expect(textAfter({ guarantee_load: null, force_position: null, path: null, token_estimate: 9 })).toBeUndefined();
  });

  test('null removes a member, and a map that becomes empty', () => {
    expect(textAfter({ load_triggers: { keywords: null } })).not.toContain('keywords');
    const bare = textAfter({ load_triggers: null });
    expect(bare).not.toContain('load_triggers');
    expect(bare).toContain('aliases: [ship]');
  });

  test('a priority is written as a number, and null removes it', () => {
    const text = textAfter({ priority: 3 });
    expect(text).toContain('\npriority: 3\n');
    expect(textAfter({ priority: null }, deploy(`${YAML}priority: 3\n`))).not.toContain('priority');
    expect(textAfter({ priority: null })).toBeUndefined();
    expect(textAfter({ priority: 3 }, deploy(`${YAML}priority: 3\n`))).toBeUndefined();
  });

  test('an entry lists an unlisted unit again', () => {
    expect(textAfter({}, deploy(`${YAML}listed: false # for now\n`))).toContain('listed: true # for now\n');
  });

  test('any intents are read back as they were sent, and the body does not change', () => {
    const word = fc.string({ minLength: 1, maxLength: 60 }).filter((it) => it.trim() !== '' && it.isWellFormed());
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (intents) => {
        const normal = intents.map((it) => it.normalize('NFC').trim());
        const text = textAfter({ load_triggers: { intents: normal } });
        const after = standing(`${FOLDER}/deploy.md`, text ?? '').unit;
        expect(after.delivery.load_triggers.intents).toEqual(normal);
        expect(text?.endsWith(`---${BODY}`)).toBe(true);
      }),
    );
  });

  test('an edit that would change other members through a YAML alias is refused', () => {
    const yaml = `description: x\nload_triggers:\n  intents: &all [ship it]\n  keywords: *all\n`;
    expect(
      diagnosticsOf([entry({ fact_uri: FACT, load_triggers: { intents: ['other'] } })], place(deploy(yaml))),
    ).toEqual(['manifest_entry_invalid']);
  });
});

describe('DESIGN §6.9 what a manifest does not show', () => {
  const MANY = ['one', 'two', 'three', 'four', 'five'];
  const unit = deploy(`description: x\nload_triggers:\n  intents: [${MANY.join(', ')}]\n  keywords: [ship]\n`);
  const intentsAfter = (load_triggers: PublishedEntry['load_triggers'], shown: ShownEntries) => {
    const text = textAfter({ load_triggers }, unit, shown);
    return text === undefined ? MANY : standing(`${FOLDER}/deploy.md`, text).unit.delivery.load_triggers.intents;
  };

  test.each([0, 1, 3, 5])('an entry with the %i intents that the manifest shows changes nothing', (count) => {
    const shown = MANY.slice(0, count);
    expect(textAfter({ load_triggers: { intents: shown } }, unit, showing(shown))).toBeUndefined();
    expect(textAfter({}, unit, showing(shown))).toBeUndefined();
  });

  test('an intent that is added keeps those that the manifest does not show', () => {
    expect(intentsAfter({ intents: ['one', 'two', 'three', 'six'] }, showing(['one', 'two', 'three']))).toEqual([
      ...MANY,
      'six',
    ]);
  });

  test('an intent that the manifest shows is removed by leaving it out, and no other is', () => {
    expect(intentsAfter({ intents: ['one', 'three'] }, showing(['one', 'two', 'three']))).toEqual([
      ...['one', 'three', 'four', 'five'],
    ]);
    expect(intentsAfter({ intents: [] }, showing(['one']))).toEqual(['two', 'three', 'four', 'five']);
  });

  test('null removes all intents, shown or not', () => {
    for (const shown of [showing(['one']), showing([]), null]) {
      expect(intentsAfter({ intents: null }, shown)).toEqual([]);
      expect(intentsAfter(null, shown)).toEqual([]);
    }
  });

  test('where no manifest is known, no intent is removed by leaving it out', () => {
    expect(intentsAfter({ intents: ['six'] }, null)).toEqual([...MANY, 'six']);
  });

  test('a unit that had no room in the manifest does not change without an entry', () => {
    const none: ShownEntries = new Map();
    expect(planEdits(place(unit, { listed: ['escalation'] }), [], none).files.size).toBe(0);
  });
});

describe('DESIGN §6.9 a unit without an entry', () => {
  test('a unit without an entry becomes unlisted and does not change otherwise', () => {
    for (const shown of [SHOWN, null]) {
      const { files } = planEdits(place(), [], shown);
      expect(files.get(`${FOLDER}/deploy.md`)).toBe(`---\n${YAML}listed: false\n---${BODY}`);
      expect(planEdits(place(deploy(`${YAML}listed: false\n`)), [], shown).files.size).toBe(0);
    }
  });

  test('agent.yaml lists exactly the shared units with an entry', () => {
    const given = { name: 'escalation', fact_uri: 'instruction:acme/escalation/v3' };
    const { files, diagnostics } = planEdits(place(), [entry({ fact_uri: FACT }), given], SHOWN);
    expect(diagnostics).toEqual([]);
    expect(files.get(`${FOLDER}/agent.yaml`)).toBe(
      'agent_id: x # never change\nshared: [heartbeat, escalation]\nrole: CTO\n',
    );
    const gone = planEdits(place(deploy(), { listed: ['escalation'] }), [entry({ fact_uri: FACT })], SHOWN);
    expect(gone.files.get(`${FOLDER}/agent.yaml`)).not.toContain('shared');
  });
});

describe('§21.2.2 manifest_entry_invalid', () => {
  const path = 'docs/deploy.md';
  const REFUSED: readonly { name: string; entries: PublishedEntry[]; mode?: CurrentManifest['mode'] }[] = [
    { name: 'neither fact nor path', entries: [entry({})] },
    { name: 'nulls are neither', entries: [entry({ fact_uri: null, path: null })] },
    { name: 'both', entries: [entry({ fact_uri: FACT, path })], mode: 'file' },
    { name: 'a path where there are none', entries: [entry({ path })] },
    { name: 'an older version', entries: [entry({ fact_uri: FACT.replace('v3', 'v2') })] },
    { name: 'another agent’s fact', entries: [entry({ fact_uri: FACT.replace('cto', 'ceo') })] },
    { name: 'no URI', entries: [entry({ fact_uri: 'deploy' })] },
    { name: 'an unknown unit', entries: [entry({ fact_uri: FACT }), { name: 'ghost', fact_uri: FACT }] },
    { name: 'a name that climbs', entries: [entry({ fact_uri: FACT }), { name: '../../org', fact_uri: FACT }] },
    { name: 'the prototype', entries: [entry({ fact_uri: FACT }), { name: '__proto__', fact_uri: FACT }] },
    { name: 'the same unit twice', entries: [entry({ fact_uri: FACT }), entry({ fact_uri: FACT })] },
  ];

  test.each(REFUSED)('$name', ({ entries, mode = 'stigmem' }) => {
    const { files, diagnostics } = planEdits(place(deploy(), { mode }), entries, SHOWN);
    expect([files.size, diagnostics.map((it) => it.rule)]).toEqual([0, ['manifest_entry_invalid']]);
  });

  test('one agent’s manifest cannot change a shared unit', () => {
    const given = { name: 'escalation', fact_uri: 'instruction:acme/escalation/v3', guarantee_load: true };
    expect(diagnosticsOf([entry({ fact_uri: FACT }), given])).toEqual(['manifest_entry_invalid']);
  });

  test('is not: both while they coexist, a path alone in mode file, the short form of the URI', () => {
    const both = [entry({ fact_uri: FACT, path })];
    expect(diagnosticsOf(both, place(deploy(), { mode: 'coexistence' }))).toEqual([]);
    expect(diagnosticsOf([entry({ path })], place(deploy(YAML, '\n'), { mode: 'file' }))).toEqual([]);
    expect(diagnosticsOf([entry({ fact_uri: FACT.replace('agent/', '') })])).toEqual([]);
  });
});
