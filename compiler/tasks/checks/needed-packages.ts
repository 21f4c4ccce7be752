import { parse } from 'smol-toml';
import { orNull } from '../../schema/or-null.ts';

/** Whether a `package.json` names packages that have to be installed. */
export function namesNpmPackages(_name: string, text: string): boolean {
  // a file that cannot be parsed names no packages
  const all = orNull(() => JSON.parse(text) as unknown);
  return ['dependencies', 'devDependencies'].some((it) => namesAny(all, it));
}

/** The same of a manifest of Python; in a program it is only looked for. */
export function namesPythonPackages(name: string, text: string): boolean {
  if (name !== 'pyproject.toml') return text.includes('install_requires');
  const all = orNull(() => parse(text));
  return [
    ['project', 'dependencies'],
    ['project', 'optional-dependencies'],
    ['dependency-groups'],
    ['tool', 'poetry', 'dependencies'],
  ].some((path) => namesAny(all, ...path));
}

/** Whether a list or a table below a value has an entry. */
function namesAny(value: unknown, ...path: readonly string[]): boolean {
  const found = path.reduce((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value);
  return typeof found === 'object' && found !== null && Object.keys(found).length > 0;
}
