import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { ERRORS, WARNINGS } from '../../compiler/schema/errors.ts';
import { OPERATIONS } from '../../server/http/operations.ts';
import { formatted } from '../support/formatted.ts';
import { errorPage, instructionRoutes, storeRoutes, withSection } from './server-lists.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const ROUTES = { 'server/README.md': instructionRoutes(), 'server/CONTINUITY.md': storeRoutes() };

describe('the lists of the server’s documents that derive from code', () => {
  test.each(Object.entries(ROUTES))('%s has the current routes; vitest --update writes them', async (path, routes) => {
    const page = await formatted(path, withSection(read(path), 'routes', routes));
    await expect(page).toMatchFileSnapshot(`../../${path}`);
  });

  test('the page of error codes is current; vitest --update writes it', async () => {
    await expect(await formatted('ERRORS.md', errorPage())).toMatchFileSnapshot('../../server/ERRORS.md');
  });

  test('a document without the markers of a list is refused', () => {
    expect(() => withSection('# The server\n', 'routes', '')).toThrow('<!-- generated: routes -->');
  });

  test('every operation but the page’s own files is in one of the two lists of routes, once', () => {
    const listed = [...`${instructionRoutes()}\n${storeRoutes()}`.matchAll(/^- `([A-Z]+) ([^`?]+)/gm)];
    const routes = listed.map(([, method, path]) => `${method} ${path}`);
    const own = Object.values(OPERATIONS).filter(({ path }) => !path.startsWith('/ui/'));
    expect(routes.sort()).toEqual(own.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort());
  });

  test('every error code is on the page of error codes, once', () => {
    const codes = [...errorPage().matchAll(/^\| `(\w+)` /gm)].map(([, code = '']) => code);
    expect(codes.sort()).toEqual(Object.keys(ERRORS).sort());
  });

  test.each(WARNINGS)('server/README explains the warning %s', (warning) => {
    const [, section = ''] = /^## Warnings$(.*?)^## /ms.exec(read('server/README.md')) ?? [];
    expect(section).toContain(`\`${warning}\``);
  });

  test('the three documents of the server have at most 7,000 words together', () => {
    const pages = ['README', 'OPERATION', 'CONTINUITY'].map((name) => read(`server/${name}.md`));
    expect(pages.join('\n').trim().split(/\s+/).length).toBeLessThanOrEqual(7000);
  });

  test('the operator’s guide explains every flag of vade serve', () => {
    const flags = Object.keys(COMMANDS.get('serve')?.flags ?? {});
    const [, section = ''] = /^## Flags of `vade serve`$(.*?)^## /ms.exec(read('server/OPERATION.md')) ?? [];
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !section.includes(`\`--${flag}`))).toEqual([]);
  });
});
