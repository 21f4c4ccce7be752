import { describe, expect, test } from 'vitest';
import { CapabilityFile, moduleOf } from '../../../compiler/capabilities/schema/atom.ts';

const NAMED = { name: 'policy::one', category: 'policy', version: '1', description: 'x' };
const ATOM = { capability: NAMED, text: { path: 'text.md' } };
const isRead = (more: object) => CapabilityFile.safeParse({ ...ATOM, ...more }).success;
const many = (count: number, it: string) => Array.from({ length: count }, () => it);

describe('how much the declaration of an atom may have', () => {
  test.each<[string, number, (count: number) => object]>([
    ['patterns of commands', 64, (it) => ({ restricts: { 'tool-patterns': many(it, '^ls$') } })],
    ['patterns of files', 64, (it) => ({ restricts: { 'path-patterns': many(it, 'src/**') } })],
    ['denied tools', 64, (it) => ({ restricts: { 'tools-denied': many(it, 'Read') } })],
    ['parameters', 32, (it) => ({ parameterized: { accepts: many(it, 'speed') } })],
    ['examples that match', 64, (it) => ({ examples: { match: many(it, 'ls') } })],
    ['examples that do not', 64, (it) => ({ examples: { not_match: many(it, 'ls') } })],
    ['characters of its reason', 500, (it) => ({ capability: { ...NAMED, rationale: 'x'.repeat(it) } })],
    ['characters of a module', 128, (it) => ({ gate: { module: 'x'.repeat(it) } })],
    ['characters of a variable', 64, (it) => ({ gate: { module: '', 'bypass-env': 'X'.repeat(it) } })],
    ['characters of a given parameter', 64, (it) => ({ examples: { parameters: { ['x'.repeat(it)]: true } } })],
  ])('an atom has at most so many %s: %i', (_, most, of) => {
    expect([0, most, most + 1].map((it) => isRead(of(it)))).toEqual([true, true, false]);
  });

  test.each<[string, number, (text: string) => object]>([
    ['version', 32, (it) => ({ capability: { ...NAMED, version: it } })],
    ['description', 200, (it) => ({ capability: { ...NAMED, description: it } })],
    ['pattern of commands', 500, (it) => ({ restricts: { 'tool-patterns': [it] } })],
    ['name of a parameter', 64, (it) => ({ parameterized: { accepts: [it] } })],
    ['example', 4000, (it) => ({ examples: { match: [it] } })],
  ])('a %s has at least one character and at most %i', (_, most, of) => {
    expect([0, 1, most, most + 1].map((it) => isRead(of('x'.repeat(it))))).toEqual([false, true, true, false]);
  });
});

describe('what the declaration of an atom leaves out', () => {
  const WHOLE = {
    ...ATOM,
    capability: { ...NAMED, rationale: '', relaxable: false },
    restricts: { 'tool-patterns': [], 'path-patterns': [], 'tools-denied': [] },
    parameterized: { accepts: [] },
    examples: { match: [], not_match: [], parameters: {} },
  };

  test('an atom restricts nothing, accepts nothing and is not relaxable, with and without the sections', () => {
    expect(CapabilityFile.parse(ATOM)).toEqual(WHOLE);
    expect(CapabilityFile.parse({ ...ATOM, restricts: {}, parameterized: {}, examples: {} })).toEqual(WHOLE);
  });

  test('a gate blocks and has no bypass, and a check is made when the agent returns', () => {
    const { gate, verify } = CapabilityFile.parse({ ...ATOM, gate: { module: 'x' }, verify: { module: 'x' } });
    expect(gate).toEqual({ module: 'x', severity: 'block', 'bypass-env': '' });
    expect(verify).toEqual({ module: 'x', when: 'on-return' });
  });

  test.each(['gate', 'verify'])('a %s names its module once, by either name', (section) => {
    const both = { module: 'x', 'rust-module': 'x' };
    const given = [{}, { module: 'x' }, { 'rust-module': 'x' }, both];
    expect(given.map((it) => isRead({ [section]: it }))).toEqual([false, true, true, false]);
  });

  test('the module of a section is the one that it names, and empty without any', () => {
    const sections = [{ module: 'x' }, { 'rust-module': 'y' }, { module: '' }, {}, undefined];
    expect(sections.map(moduleOf)).toEqual(['x', 'y', '', '', '']);
  });
});
