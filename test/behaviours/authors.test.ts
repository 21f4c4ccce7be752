import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { SIGN, workplace } from '../cli/workplace.ts';
import { CTO2_ID, CTO_ID } from '../server/deployment.ts';
import { agentYaml, unitFile } from '../support/repository.ts';

interface Fault {
  readonly [key: string]: unknown;
  readonly rule: string;
  readonly file: string;
}

describe('DESIGN §5 errors in the sources', () => {
  test('all errors of the sources are reported at once, each with its position and a fix, and exit 4', async () => {
    const cto = 'instructions/agents/cto';
    const place = workplace((repo) =>
      repo
        .write(`${cto}/bare.md`, 'no front matter')
        .write(`${cto}/long.md`, unitFile('x'.repeat(121)))
        .write(`${cto}/typo.md`, unitFile('Typo', [], 'guarantee_laod: true\n'))
        .write(`${cto}/manifest.md`, unitFile('Reserved'))
        .write(`${cto}/script.md`, '---js\nprocess.exit(0)\n---\n')
        .write('instructions/agents/ceo/agent.yaml', agentYaml(CTO_ID)),
    );
    const ran = await place.run(['compile', ...SIGN]);
    expect(failure(ran)).toEqual([4, 'SOURCES_INVALID']);
    const faults = ran.envelope().error.context['faults'] as Fault[];
    expect(faults.map((it) => it.rule).sort()).toEqual(
      expect.arrayContaining([
        ...['agent_id_duplicate', 'description_too_long', 'front_matter_invalid', 'front_matter_missing'],
        ...['key_unknown', 'name_reserved'],
      ]),
    );
    for (const fault of faults) {
      expect(fault).toMatchObject({
        severity: expect.stringMatching(/^(error|warning)$/) as string,
        line: expect.any(Number) as number,
        column: expect.any(Number) as number,
        message: expect.stringMatching(/\S/) as string,
        help: expect.stringMatching(/\S/) as string,
      });
      expect(ran.stderr).toContain(`${fault.file}:${String(fault['line'])}:${String(fault['column'])}`);
    }
    expect(existsSync(join(place.cwd, 'bundle'))).toBe(false);
  });
});

describe('DESIGN §8 a long output', () => {
  test('an output of 600 diagnostics is written completely through a pipe', async () => {
    const files = Array.from({ length: 600 }, (_, i) => `instructions/agents/cto/bare-${i}.md`);
    const place = workplace((repo) => {
      for (const file of files) repo.write(file, 'no front matter');
    });
    const ran = await place.runProcess(['compile', ...SIGN]);
    expect(failure(ran)).toEqual([4, 'SOURCES_INVALID']);
    const faults = ran.envelope().error.context['faults'] as Fault[];
    expect(faults.map((it) => it.file).sort()).toEqual(files.sort());
  });
});

describe('§21.4.1 an ID that could be two agents’', () => {
  test('a folder with the UUID of another agent as its name is refused', async () => {
    const place = workplace((repo) =>
      repo
        .write(`instructions/agents/${CTO_ID}/agent.yaml`, agentYaml(CTO2_ID))
        .write(`instructions/agents/${CTO_ID}/heartbeat.md`, unitFile('A heartbeat of another')),
    );
    expect(failure(await place.run(['compile', ...SIGN]))).toEqual([4, 'SOURCES_INVALID']);
  });
});

describe('§21.3.3, §21.1.5 what needs an approval', () => {
  test.each([
    ['guarantee_load', 'guarantee_load: true\n', 'guarantee_approval_required'],
    ['force_position', 'guarantee_load: true\nforce_position: prepend\n', 'position_approval_required'],
    [
      'more than two wake reasons',
      'required_by_task_types: [issue_assigned, issue_commented, manual]\n',
      'task_types_approval_required',
    ],
  ])('%s is refused in production without an approval, and gives a warning with --dev', async (_name, more, rule) => {
    const place = workplace((repo) => repo.write('instructions/agents/cto/rule.md', unitFile('Rule', [], more)));
    const ran = await place.run(['compile', ...SIGN]);
    expect(failure(ran)).toEqual([4, 'SOURCES_INVALID']);
    const rules = (ran.envelope().error.context['faults'] as Fault[]).map((it) => it.rule);
    expect(rules).toContain(rule);
    expect(existsSync(join(place.cwd, 'bundle'))).toBe(false);
    const dev = await place.run(['compile', '--dev']);
    expect(dev.code).toBe(0);
    expect(dev.envelope().warnings.map((it) => it.code)).toContain(rule.toUpperCase());
  });

  test('a unit with two wake reasons needs no approval', async () => {
    const more = 'required_by_task_types: [issue_assigned, manual]\n';
    const place = workplace((repo) => repo.write('instructions/agents/cto/rule.md', unitFile('Rule', [], more)));
    expect((await place.run(['compile', ...SIGN])).code).toBe(0);
  });
});
