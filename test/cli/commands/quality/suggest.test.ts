import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Suggestion, UnsolvedProbe } from '../../../../compiler/schema/report/suggestion.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { SIGN, TRUST, workplace, type Workplace } from '../../workplace.ts';

const CTO = 'instructions/agents/cto';
const LOST = 'somebody of the upper floor demands compensation because the kettle in their kitchen is broken';

let place: Workplace;

beforeAll(() => {
  place = workplace((repo) =>
    repo
      .write(`${CTO}/refunds.md`, unitFile('Decide on a refund', ['the customer wants their money back']))
      .write(
        `${CTO}/kettle.md`,
        unitFile('How the kettle is kept', ['the kettle has lime in it', 'the kettle is broken']),
      )
      .write(
        'instructions/probes/cto.yaml',
        `probes:\n  - {intent: "${LOST}", required: [refunds], forbidden: []}\n` +
          '  - {intent: "lime has to come out of the kettle again", required: [kettle]}\n' +
          '  - {intent: "work is over, may I leave", required: [wrap-up]}\n',
      ),
  );
});

interface Suggested {
  readonly lost: number;
  readonly suggestions: readonly Suggestion[];
  readonly unsolved: readonly UnsolvedProbe[];
  readonly won: readonly string[];
  readonly edits: readonly { readonly file: string; readonly diff: string | null }[];
}

const suggest = async (...args: string[]): Promise<Suggested> => {
  const ran = await place.run(['suggest', '--agent', 'cto', ...args]);
  expect(ran.code).toBe(0);
  return ran.envelope().data as unknown as Suggested;
};

describe('issue 7: vade suggest', () => {
  test('vade suggest needs no bundle and no key, and reads the working tree', async () => {
    const found = await suggest('--k', '1');
    expect(found.lost).toBe(1);
    expect(found.suggestions.map((it) => [it.unit, it.probe, it.rank_after])).toEqual([['refunds', LOST, 1]]);
    expect([found.won, found.unsolved]).toEqual([[LOST], []]);
  });

  test('vade suggest writes nothing; git applies its patch, after which the probe passes and no other is lost', async () => {
    const before = place.repo.git('status', '--porcelain');
    const [edit] = (await suggest('--k', '1')).edits;
    expect(place.repo.git('status', '--porcelain')).toBe(before);
    expect(edit?.file).toBe(`${CTO}/refunds.md`);
    writeFileSync(join(place.cwd, 'words.patch'), edit?.diff ?? '');
    place.repo.git('apply', '--check', 'words.patch');
    place.repo.git('apply', 'words.patch');
    expect((await suggest('--k', '1')).lost).toBe(0);
    place.repo.commit();
    expect((await place.run(['compile', ...SIGN])).code).toBe(0);
    const ran = await place.run(['probe', ...TRUST, '--k', '1']);
    expect(ran.envelope().data['agents']).toMatchObject([
      { agent: 'cto', summary: { passed: 3, uncounted: 0 }, failed: [] },
    ]);
    place.repo.git('revert', '--no-edit', 'HEAD');
  });

  test('vade suggest --write writes the same words as its patch, once, and nothing else', async () => {
    const [edit] = (await suggest('--k', '1')).edits;
    expect(await suggest('--k', '1', '--write', '--dry-run')).toMatchObject({ effect: 'would_update' });
    expect(place.repo.git('diff', '--stat')).toBe('');
    expect(await suggest('--k', '1', '--write')).toMatchObject({ effect: 'updated' });
    expect(place.repo.git('diff', '--name-only').trim()).toBe(edit?.file);
    writeFileSync(join(place.cwd, 'words.patch'), edit?.diff ?? '');
    place.repo.git('apply', '--check', '--reverse', 'words.patch');
    expect(await suggest('--k', '1', '--write')).toMatchObject({ effect: 'noop', lost: 0 });
    place.repo.git('checkout', '--', '.');
  });

  test('vade suggest --write changes no file with other ends of lines, and no commit', async () => {
    const file = join(place.repo.path, `${CTO}/refunds.md`);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('\n', '\r\n'));
    const ran = await place.run(['suggest', '--agent', 'cto', '--k', '1', '--write']);
    expect(failure(ran)).toEqual([4, 'SOURCES_INVALID']);
    expect(readFileSync(file, 'utf8')).toBe(text.replaceAll('\n', '\r\n'));
    writeFileSync(file, text);
    const old = await place.run(['suggest', '--agent', 'cto', '--ref', 'HEAD', '--write']);
    expect(failure(old)).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test('vade suggest accepts an intent that no probe has, with the unit that it must find', async () => {
    const intent = 'the kettle has to go back to the shop';
    const found = await suggest('--k', '1', '--unit', 'refunds', '--probe', intent);
    expect(found.suggestions.map((it) => [it.unit, it.probe])).toEqual([['refunds', intent]]);
  });

  test('vade suggest reports that more words cannot keep a forbidden unit out', async () => {
    const probes = `probes:\n  - {intent: "the kettle is broken", required: [kettle], forbidden: [refunds]}\n`;
    const other = workplace((repo) =>
      repo
        .write(`${CTO}/refunds.md`, unitFile('Decide on a refund', ['a broken kettle is paid for']))
        .write(`${CTO}/kettle.md`, unitFile('How the kettle is kept', ['the kettle is broken']))
        .write('instructions/probes/cto.yaml', probes),
    );
    const { suggestions, unsolved } = (await other.run(['suggest', '--agent', 'cto', '--k', '3'])).envelope()
      .data as unknown as Suggested;
    expect(suggestions).toEqual([]);
    expect(unsolved).toMatchObject([{ unit: 'refunds', reason: 'forbidden_comes' }]);
  });

  test('vade suggest refuses what it cannot answer', async () => {
    const refused = async (...args: string[]) => failure(await place.run(['suggest', ...args]));
    expect(await refused('--agent', 'ghost')).toEqual([5, 'AGENT_NOT_FOUND']);
    expect(await refused('--agent', 'cto', '--source', 'nowhere')).toEqual([5, 'SOURCE_NOT_FOUND']);
    expect(await refused('--agent', 'cto', '--probe', 'not there')).toEqual([5, 'SOURCE_NOT_FOUND']);
    expect(await refused('--agent', 'cto', '--unit', 'ghost')).toEqual([3, 'ARGUMENT_INVALID']);
    expect(await refused('--agent', 'cto', '--unit', 'refunds', '--probe', ' ')).toEqual([3, 'ARGUMENT_INVALID']);
  });
});

test.each([['suggest', '--agent', 'ctoo']])(
  'vade %s with an agent that is not there names the nearest',
  async (...args) => {
    const ran = await place.run(args);
    expect([ran.code, ran.envelope().error.code]).toEqual([5, 'AGENT_NOT_FOUND']);
    expect(ran.envelope().error.suggestion).toContain('did you mean cto?');
  },
);
