import { parse } from 'smol-toml';

/** Whether a `package.json` names packages that have to be installed. */
export function namesNpmPackages(_name: string, text: string): boolean {
  return ['dependencies', 'devDependencies'].some((it) =>
    namesAny(
      attempt(() => JSON.parse(text) as unknown),
      it,
    ),
  );
}

/** The same of a manifest of Python; in a program it is only looked for. */
export function namesPythonPackages(name: string, text: string): boolean {
  if (name !== 'pyproject.toml') return text.includes('install_requires');
  const all = attempt(() => parse(text));
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

/** What cannot be parsed names nothing. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return null;
  }
}
