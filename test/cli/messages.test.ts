import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProbeSet } from '../../compiler/schema/source/probe.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';
import { vade, type Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { failure } from './failing.ts';
import { compiledWorkplace, SIGN, TRUST, workplace } from './workplace.ts';

const suggestionOf = (ran: Ran) => ran.envelope().error.suggestion ?? '';

describe('a folder without instructions', () => {
  test.each([[['lint']], [['brief', 'phrases', '--agent', 'cto']], [['compile', '--dev']]])(
    'in a folder without instructions, vade %j suggests vade init',
    async (args) => {
      const ran = await vade(args, tempFolder());
      expect(failure(ran)).toEqual([5, 'SOURCE_NOT_FOUND']);
      expect(suggestionOf(ran)).toContain('vade init');
    },
  );

  test('a compile of a commit without instructions suggests vade init', async () => {
    const ran = await workplace().run(['compile', ...SIGN, '--source', 'elsewhere']);
    expect(failure(ran)).toEqual([5, 'SOURCE_NOT_FOUND']);
    expect(suggestionOf(ran)).toContain('vade init');
  });
});

describe('DESIGN §6.3 sources that another compiler version pins', () => {
  test('the suggestion for another compiler version is the line of org.yaml, and with it the compile succeeds', async () => {
    const place = workplace();
    const path = join(place.cwd, 'instructions/org.yaml');
    const pinned = readFileSync(path, 'utf8');
    const pin = (line: string) => {
      writeFileSync(path, pinned.replace(/^compiler: .*$/m, line));
      place.repo.commit();
    };
    pin('compiler: 9.9.9');
    const ran = await place.run(['compile', ...SIGN]);
    expect(failure(ran)).toEqual([4, 'COMPILER_MISMATCH']);
    pin(/“(compiler: [^”]+)”/.exec(suggestionOf(ran))?.[1] ?? '');
    expect((await place.run(['compile', ...SIGN])).code).toBe(0);
  });
});

describe('§21.5.4 a missing probe', () => {
  test('without probes, the suggestion is a valid file of probes', async () => {
    const place = await compiledWorkplace();
    const ran = await place.run(['probe', '--agent', 'cto', ...TRUST]);
    expect(failure(ran)).toEqual([5, 'SOURCE_NOT_FOUND']);
    const [head, ...yaml] = suggestionOf(ran).split('\n');
    expect(head).toContain('instructions/probes/cto.yaml');
    expect(decodeYaml(ProbeSet, yaml.join('\n'), 'cto.yaml').faults).toEqual([]);
  });

  test('the diagnostic of an invalid file of probes shows a valid one', async () => {
    const place = workplace((repo) => repo.write('instructions/probes/cto.yaml', '- intent: x\n'));
    const ran = await place.run(['lint']);
    const form = /looks like this: (probes: [^"]*"[^"]*"[^"]*\})/.exec(ran.stdout.replaceAll('\\"', '"'))?.[1] ?? '';
    expect(decodeYaml(ProbeSet, `${form}]`, 'cto.yaml').value?.probes).toHaveLength(1);
  });
});
