import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ExportTarget } from '../../compiler/export/exported-agent.ts';
import { tempFolder } from './deployments.ts';
import type { Judges } from './install.ts';

/** Verdict of a judge on one export. */
export interface Verdict {
  readonly judge: string;
  readonly taken: number;
  /** Refusals, in the judge's own words; anything here fails the run. */
  readonly faults: readonly string[];
  /** Advice, by rule. */
  readonly advice: readonly string[];
}

/** The hosts whose importer of rulesync reads a target. */
const HOSTS: Readonly<Record<ExportTarget, readonly string[]>> = {
  'agents-md': ['agentsmd', 'codexcli'],
  claude: ['claudecode'],
  skills: ['agentsskills'],
  cursor: ['cursor'],
  copilot: ['copilot'],
};

export function judge(folder: string, target: ExportTarget, judges: Judges): Verdict[] {
  const imported = HOSTS[target].map((host) => importInto(folder, host, judges));
  return [...imported, lint(folder, judges), ...(target === 'skills' ? [validate(folder, judges)] : [])];
}

/** rulesync imports a copy, and leaves what it understood in a folder of its own. */
function importInto(folder: string, host: string, { node, rulesync }: Judges): Verdict {
  const copy = tempFolder();
  cpSync(folder, copy, { recursive: true });
  const args = [rulesync, 'import', '--targets', host, '--features', 'rules,skills'];
  const { status, stderr } = spawnSync(node, args, { cwd: copy, encoding: 'utf8' });
  const place = join(copy, '.rulesync');
  const taken = existsSync(place) ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : [];
  const faults = status === 0 ? [] : [stderr];
  return { judge: `rulesync (${host})`, taken: taken.filter((it) => it.endsWith('.md')).length, faults, advice: [] };
}

const Findings = z.object({
  files_checked: z.int(),
  diagnostics: z.array(z.object({ level: z.string(), rule: z.string(), message: z.string() })),
});

function lint(folder: string, { agnix }: Judges): Verdict {
  const { stdout, stderr } = spawnSync(agnix, ['--format', 'json', '.'], { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(`agnix says nothing: ${stderr}`);
  const { files_checked, diagnostics } = Findings.parse(JSON.parse(stdout));
  const [faults, advice] = [true, false].map((isError) =>
    diagnostics.filter((it) => (it.level === 'error') === isError),
  );
  const told = (faults ?? []).map((it) => `${it.rule}: ${it.message}`);
  const rules = [...new Set((advice ?? []).map((it) => it.rule))].sort();
  const counted = rules.map((rule) => `${rule} × ${(advice ?? []).filter((it) => it.rule === rule).length}`);
  return { judge: 'agnix', taken: files_checked, faults: told, advice: counted };
}

/** The reference library of Agent Skills, on each skill. */
function validate(folder: string, { python }: Judges): Verdict {
  const place = join(folder, '.agents', 'skills');
  const skills = readdirSync(place, { withFileTypes: true }).filter((it) => it.isDirectory());
  const faults = skills.flatMap(({ name }) => {
    const args = ['-m', 'skills_ref.cli', 'validate', join(place, name)];
    const run = spawnSync('python3', args, { encoding: 'utf8', env: { ...process.env, PYTHONPATH: python } });
    return run.status === 0 ? [] : [run.stdout + run.stderr];
  });
  return { judge: 'skills-ref', taken: skills.length - faults.length, faults, advice: [] };
}
