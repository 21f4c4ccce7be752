import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publish } from '../io/published.ts';
import { compileRepository } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { agentYaml, smallDeployment, unitFile } from '../support/repository.ts';
import { commitRow, faultsIn } from './author-errors/committed.ts';
import { front, placeOf, WRAP_UP } from './author-errors/row.ts';

const write = (written: string) => commitRow({ file: WRAP_UP, written });

describe('DESIGN §5 one run reports all diagnostics', () => {
  const repo = () =>
    smallDeployment()
      .write('instructions/agents/cto/wrap-up.md', '---\ndescripton: x\naliases: [A]\n---\nLeave.\n')
      .write('instructions/agents/cto/broken.md', '---\ndescription: "x\n---\nBroken.\n')
      .write('instructions/agents/cto/Loud.md', front())
      .write('instructions/shared/bare.md', 'Nothing above.\n')
      .write('instructions/probes/cto.yaml', 'prob: []\n');

  test('one run reports diagnostics of all files, gardens and rules, in order of files and lines', async () => {
    const faulty = repo();
    faulty.commit();
    expect((await faultsIn(faulty)).map(placeOf)).toEqual([
      'instructions/agents/cto/Loud.md:1:1 name_invalid',
      'instructions/agents/cto/broken.md:2:16 yaml_invalid',
      'instructions/agents/cto/wrap-up.md:2:1 key_unknown',
      'instructions/agents/cto/wrap-up.md:2:1 value_invalid',
      'instructions/agents/cto/wrap-up.md:3:11 value_invalid',
      'instructions/probes/cto.yaml:1:1 key_unknown',
      'instructions/probes/cto.yaml:1:1 value_invalid',
      'instructions/shared/bare.md:1:1 front_matter_missing',
    ]);
  });

  test('an error in agent.yaml does not hide errors in the units of the agent', async () => {
    const faulty = repo().write('instructions/agents/cto/agent.yaml', agentYaml('cto'));
    faulty.commit();
    const places = (await faultsIn(faulty)).map(placeOf);
    expect(places).toContain('instructions/agents/cto/agent.yaml:1:1 value_invalid');
    expect(places).toContain('instructions/agents/cto/wrap-up.md:3:11 value_invalid');
  });

  test('an error in org.yaml does not hide errors in units', async () => {
    const faulty = repo().write('instructions/org.yaml', 'deployment: Acme\ncompiler: 0.1.0\n');
    faulty.commit();
    const places = (await faultsIn(faulty)).map(placeOf);
    expect(places).toContain('instructions/org.yaml:1:1 value_invalid');
    expect(places).toContain('instructions/shared/bare.md:1:1 front_matter_missing');
  });

  test('diagnostics are the same in every run, and for two files with the same mistake', async () => {
    const twice = write('---\ndescription: "x\n---\nx\n').write(
      'instructions/agents/cto/broken.md',
      '---\ndescription: "x\n---\nx\n',
    );
    twice.commit();
    const first = await faultsIn(twice);
    expect(first.map((it) => it.rule)).toEqual(['yaml_invalid', 'yaml_invalid']);
    expect(await faultsIn(twice)).toEqual(first);
  });

  test('a diagnostic is reported once, even if it concerns several agents', async () => {
    const repo = smallDeployment()
      .write('instructions/agents/ops/agent.yaml', agentYaml('3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11'))
      .write('instructions/agents/ops/heartbeat.md', front());
    for (const name of 'abcdef') repo.write(`instructions/shared/${name}.md`, front('guarantee_load: true\n'));
    repo.commit();
    const places = (await faultsIn(repo)).map(placeOf);
    expect(places.filter((it) => it.endsWith('guarantee_cap_exceeded'))).toHaveLength(6);
    expect(new Set(places).size).toBe(places.length);
  });

  test('an org.yaml that is a symbolic link is reported as a link, not as missing', async () => {
    const repo = smallDeployment();
    repo.git('add', '--all');
    const blob = repo.git('hash-object', '-w', 'instructions/org.yaml').trim();
    repo.git('update-index', '--cacheinfo', `120000,${blob},instructions/org.yaml`);
    repo.git('commit', '--quiet', '--message', 'link');
    expect((await faultsIn(repo)).map(placeOf)).toContain('instructions/org.yaml:1:1 symlink');
  });
});

describe('DESIGN §5 the help of a diagnostic', () => {
  test.each([
    ['a key', front('guarante_load: true\n'), 'guarantee_load'],
    ['a key of load_triggers', front('load_triggers:\n  keyword: [x]\n'), 'keywords'],
    ['a related unit', front('related: [heartbaet]\n'), 'heartbeat'],
    ['a wake reason', front('required_by_task_types: [issue_comented]\n'), 'issue_commented'],
  ])('the help for %s with a typing error names the right one', async (_, written, suggestion) => {
    const faults = await faultsIn(write(written));
    expect(faults.map((it) => it.help.includes(`“${suggestion}”`))).toEqual([true]);
  });

  test('the help for an unknown key names the known keys', async () => {
    const [only] = await faultsIn(write(front('zebra: 1\n')));
    expect(only?.help).toContain('force_position');
  });
});

describe('untrusted input', () => {
  test.each(['js', ' js', 'javascript', 'coffee', 'cson', 'JS'])(
    'front matter after ---%s is never evaluated, in the current version or in history',
    async (language) => {
      const proof = join(tempFolder(), 'evaluated');
      const code = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, 'x'), globalThis.evaluated = true`;
      const repo = write(`---${language}\n{ description: (${code}) && "x" }\n---\nLeave.\n`);
      await compileRepository(repo.path);
      repo.write(`instructions/${WRAP_UP}`, unitFile('How to leave work')).commit();
      await publish(repo.path);
      expect(existsSync(proof)).toBe(false);
      expect('evaluated' in globalThis).toBe(false);
    },
  );

  test('__proto__ in front matter does not change other objects', async () => {
    await faultsIn(write(front('__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\n')));
    expect('polluted' in {}).toBe(false);
  });

  test.each([
    ['half a character', 'description: "\\ud800"'],
    ['half a character in a list', 'description: x\nload_triggers: { intents: ["\\udfff"] }'],
    ['a NUL', 'description: "a\\0b"'],
  ])('an escape that makes %s is a diagnostic or text, never a crash', async (_, yaml) => {
    const faults = await faultsIn(write(`---\n${yaml}\n---\nLeave.\n`));
    expect(faults.every((it) => it.file.endsWith('wrap-up.md'))).toBe(true);
  });

  test('a unit with special tokens of a model is quarantined', async () => {
    const { facts, warnings } = await publish(write(front('', '<|endoftext|><|im_start|>\n')).path, {
      over: { allowQuarantine: true },
    });
    expect(facts().map((it) => it.name)).not.toContain('wrap-up');
    expect(warnings.map((it) => it.rule)).toContain('role_tag_forged');
  });
});

describe('unusual sources that are valid', () => {
  test.each([
    ['CRLF', front().replaceAll('\n', '\r\n')],
    ['a BOM', `\ufeff${front()}`],
    ['both', `\ufeff${front().replaceAll('\n', '\r\n')}`],
    ['blank lines around the body', front('', '\n\n  \nLeave work.\n\n\n')],
    ['---yaml', front().replace('---', '---yaml')],
  ])('a unit written with %s compiles to the same content', async (_, written) => {
    const { facts, warnings } = await publish(write(written).path);
    expect(warnings).toEqual([]);
    expect(facts().find((it) => it.name === 'wrap-up')?.content).toBe('Leave work.\n');
  });

  test('a description of 120 characters, five guaranteed units with --dev and a README in the sources are allowed', async () => {
    const repo = write(`---\ndescription: ${'ä'.repeat(120)}\n---\nx\n`).write('instructions/README.md', 'Hello.\n');
    for (const name of 'abcde')
      repo.write(`instructions/agents/cto/${name}.md`, unitFile(name, [], 'guarantee_load: true\n'));
    repo.commit();
    const { warnings } = await publish(repo.path);
    expect(new Set(warnings.map((it) => `${it.severity} ${it.rule}`))).toEqual(
      new Set(['warning guarantee_approval_required']),
    );
  });
});
