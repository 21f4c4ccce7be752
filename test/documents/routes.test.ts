import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../server/http/operations.ts';

/** The routes that server/README names; `{verb}` and `…` stand for all that is below. */
function namedRoutes(): string[] {
  const [, section = ''] = /\n## Routes\n([\s\S]*?)\n## /.exec(readFileSync('server/README.md', 'utf8')) ?? [];
  return [...section.matchAll(/`(?:[A-Z]+ )?(\/[^`?]*)/g)].map(([, path = '']) => path.replace('{id}', '{agent_id}'));
}

describe('the table of routes in server/README', () => {
  const named = namedRoutes();

  test.each([...new Set(Object.values(OPERATIONS).flatMap(({ path }) => (path.startsWith('/ui/') ? [] : [path])))])(
    'it has the route %s',
    (path) => {
      const isNamed = named.some((it) =>
        /\{verb\}$|…$/.test(it) ? path.startsWith(it.replace(/\{verb\}$|…$/, '')) : it === path,
      );
      expect(isNamed, named.join('\n')).toBe(true);
    },
  );
});
