import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shapesDigest } from '../../../compiler/capabilities/lock/schema-lock.ts';
import { TASK_PARAMETERS } from '../../../compiler/schema/capability/parameters.ts';
import { lockedShapes, RUNTIME_CONTRACT } from '../../../compiler/schema/json/locked-shapes.ts';

interface Shapes {
  readonly capability: object;
  readonly role: object;
  readonly task: { readonly properties: Readonly<Record<string, { readonly properties: object }>> };
  readonly contract: number;
}
const shapes = lockedShapes() as Shapes;
const shapeIn = (name: string) => {
  const text = readFileSync(`compiler/schema/json/${name}.schema.json`, 'utf8');
  const shape = Object.entries(JSON.parse(text) as object) as [string, unknown][];
  return Object.fromEntries(shape.filter(([key]) => key !== 'title' && key !== 'description'));
};

describe('the shapes that a lock keeps (agent substrate, Lock declaration)', () => {
  test('are those of atoms and roles in the schema folder, and the version of the runtime contract', () => {
    expect(shapes.capability).toEqual(shapeIn('capability'));
    expect(shapes.role).toEqual(shapeIn('role'));
    expect(shapes.contract).toBe(RUNTIME_CONTRACT);
  });

  test('are that of a task without the names of parameters, since new ones are allowed during a lock', () => {
    const { properties, ...rest } = shapeIn('task') as { properties: Record<string, object> };
    const { properties: own, ...others } = shapes.task;
    expect(others).toEqual(rest);
    const tables = new Set<string>(Object.values(TASK_PARAMETERS).map(({ table }) => table));
    for (const [name, shape] of Object.entries(properties)) {
      expect(own[name]).toEqual(tables.has(name) ? { ...shape, properties: {} } : shape);
    }
    expect(JSON.stringify(shapes)).not.toContain('files-whitelist');
  });

  test('stay as they are: a change that breaks them changes this digest, and is told in the changelog', () => {
    expect(shapesDigest()).toBe('ce0be1e7e727fa20d94cba7961936e3994e7fbaedb2a22b604fb5dd319248668');
  });
});
