import fc from 'fast-check';
import type * as Stemmer from 'stemmer';
import { stemmer } from 'stemmer';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { lintSources } from '../../compiler/app/lint/lint-sources.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { meaning } from '../../compiler/lint/rules/linted-garden.ts';
import { reachOf } from '../../compiler/lint/rules/reach.ts';
import type { Position } from '../../compiler/schema/diagnostics.ts';
import type { Unit } from '../../compiler/schema/source/unit.ts';
import { linkedNames } from '../../compiler/sources/links.ts';
import type * as Markdown from '../../compiler/sources/markdown.ts';
import { parseMarkdown } from '../../compiler/sources/markdown.ts';
import { placesOf } from '../../compiler/sources/places.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { memorySources } from '../support/memory-sources.ts';

vi.mock('stemmer', async (load) => {
  const actual = await load<typeof Stemmer>();
  return { ...actual, stemmer: vi.fn(actual.stemmer) };
});
vi.mock('../../compiler/sources/markdown.ts', async (load) => {
  const actual = await load<typeof Markdown>();
  return { ...actual, parseMarkdown: vi.fn(actual.parseMarkdown) };
});

beforeEach(() => {
  vi.clearAllMocks();
});

const UNITS = 20;
const UNIT =
  '---\ndescription: What to do\nload_triggers:\n  intents: [about to do it]\n---\n\nLook at it, then do it.\n';

function unitOf(front: string, body = 'Body.'): Unit {
  const file = { path: 'instructions/agents/cto/a.md', mode: '100644', blob: '', size: 0 };
  const { value } = parseUnit(file, Buffer.from(`---\ndescription: What to do\n${front}---\n\n${body}\n`), 'cto');
  if (value === null) throw new Error('the unit is to be a good one');
  return value;
}

describe('what several rules need of a unit is computed once', () => {
  const lint = (more: string) => {
    const agent = `agent_id: 8e0ed057-bcd8-4f8f-92ee-c046c55b64e9\nrole: CTO\nheartbeat_contract: u0\n${more}`;
    const units = Array.from({ length: UNITS }, (_, i) => [`agents/cto/u${i}.md`, UNIT] as const);
    const org = ['org.yaml', 'deployment: acme\ncompiler: 0.1.0\n'] as const;
    return lintSources(memorySources(new Map([org, ['agents/cto/agent.yaml', agent], ...units])), { countTokens });
  };

  test('lint parses each body once, even for an agent in migration', async () => {
    await lint('migration_mode: coexistence\n');
    expect(parseMarkdown).toHaveBeenCalledTimes(UNITS);
  });

  test('lint stems each word once, in however many units it is', async () => {
    await lint('');
    const stemmed = vi.mocked(stemmer).mock.calls.map(([word]) => word);
    expect(stemmed).toEqual([...new Set(stemmed)]);
  });

  test('the links of a unit are resolved once for each folder', () => {
    const unit = unitOf('related: [b]\n', '[on](c.md)');
    expect(linkedNames(unit, 'instructions')).toEqual(['b', 'c']);
    expect(linkedNames(unit, 'instructions')).toBe(linkedNames(unit, 'instructions'));
    expect(linkedNames(unit, 'elsewhere')).toEqual(['b']);
  });

  test('the positions of a unit are looked up when the first is asked for, and not again', () => {
    const at = vi.fn((path: readonly (string | number)[]): Position => ({ line: path.length + 1, column: 7 }));
    const read = vi.fn(() => at);
    const place = placesOf({ a: 'b', c: { d: ['e', 'f'] } }, read);
    expect(read).not.toHaveBeenCalled();
    expect(place('a').line).toBe(2);
    const asked = at.mock.calls.length;
    expect([place('a'), place('c.d'), place('c.d', 1), place('c.d', 2), place('gone')].map(({ line }) => line)).toEqual(
      [2, 3, 4, 3, 1],
    );
    expect(at).toHaveBeenCalledTimes(asked);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe('siblings whose triggers match a unit too', () => {
  const Word = fc.constantFrom('red', 'green', 'blue', 'cat', 'dog', 'the', 'delete', 'deleting');
  const Phrases = fc.array(
    fc.array(Word, { minLength: 1, maxLength: 4 }).map((it) => it.join(' ')),
    { maxLength: 4 },
  );

  /** By definition, pair by pair. */
  function countPairs(unit: Unit, all: readonly Unit[]): number {
    const { intents, keywords } = unit.delivery.load_triggers;
    const own = new Set([...intents, ...keywords].flatMap(meaning));
    const isMet = (intent: string) => {
      const words = [...new Set(meaning(intent))];
      const met = words.filter((it) => own.has(it)).length;
      return met >= 2 && met * 2 > words.length;
    };
    return all.filter((it) => it !== unit && it.delivery.load_triggers.intents.some(isMet)).length;
  }

  test('the count of siblings equals the count pair by pair', () => {
    const triggers = (intents: readonly string[], keywords: readonly string[]) =>
      unitOf(`load_triggers:\n  intents: ${JSON.stringify(intents)}\n  keywords: ${JSON.stringify(keywords)}\n`);
    fc.assert(
      fc.property(fc.array(fc.tuple(Phrases, Phrases), { minLength: 1, maxLength: 8 }), (written) => {
        const units = written.map(([intents, keywords]) => triggers(intents, keywords));
        const count = reachOf(units);
        expect(units.map(count)).toEqual(units.map((it) => countPairs(it, units)));
      }),
      { numRuns: 200 },
    );
  });
});
