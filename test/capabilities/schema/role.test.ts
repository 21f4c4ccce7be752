import { describe, expect, test } from 'vitest';
import { RoleFile } from '../../../compiler/capabilities/schema/role.ts';

const NAMED = { name: 'reader', 'display-name': 'R', description: 'x' };
const isRead = (more: object) => RoleFile.safeParse({ role: NAMED, ...more }).success;
const many = (count: number, it: string) => Array.from({ length: count }, () => it);

describe('how much the file of a role may have', () => {
  test.each<[string, number, (count: number) => object]>([
    ['atoms', 64, (it) => ({ capabilities: { required: many(it, 'policy::one') } })],
    ['atoms that it drops', 64, (it) => ({ capabilities: { relaxes: many(it, 'policy::one') } })],
    ['bypasses', 64, (it) => ({ capabilities: { bypasses: many(it, 'policy::one') } })],
    ['parameters', 32, (it) => ({ parameterized: { accepts: many(it, 'speed') } })],
    ['allowed tools', 128, (it) => ({ tools: { allowed: many(it, 'Read') } })],
    ['denied tools', 128, (it) => ({ tools: { denied: many(it, 'Read') } })],
    ['tools that only read', 128, (it) => ({ tools: { reading: many(it, 'Read') } })],
    ['patterns of commands', 64, (it) => ({ tools: { 'bash-patterns-allowed': many(it, '^ls$') } })],
    ['allowed files that others obey', 128, (it) => ({ files: { 'obeyed-allowed': many(it, 'src/**') } })],
  ])('a role has at most so many %s: %i', (_, most, of) => {
    expect([0, most, most + 1].map((it) => isRead(of(it)))).toEqual([true, true, false]);
  });

  test.each<[string, number, (text: string) => object]>([
    ['name that is shown', 120, (it) => ({ role: { ...NAMED, 'display-name': it } })],
    ['description', 500, (it) => ({ role: { ...NAMED, description: it } })],
    ['name of a parameter', 64, (it) => ({ parameterized: { accepts: [it] } })],
  ])('a %s has at least one character and at most %i', (_, most, of) => {
    expect([0, 1, most, most + 1].map((it) => isRead(of('x'.repeat(it))))).toEqual([false, true, true, false]);
  });
});

test('a role that says nothing else can be started, and has no atoms, limits or exceptions', () => {
  const whole = {
    role: { ...NAMED, spawnable: true },
    capabilities: { required: [], relaxes: [], bypasses: [] },
    parameterized: { accepts: [] },
    tools: { allowed: [], denied: [] },
    files: { 'obeyed-allowed': [] },
  };
  expect(RoleFile.parse({ role: NAMED })).toEqual(whole);
  const empty = { capabilities: {}, parameterized: {}, tools: {}, files: {} };
  expect(RoleFile.parse({ role: NAMED, ...empty })).toEqual(whole);
});
