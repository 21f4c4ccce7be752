import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** A repository to measure on: how many agents, units each, and commits after the first. */
export interface Shape {
  readonly agents: number;
  readonly units: number;
  readonly commits: number;
  /** How many units each later commit changes. */
  readonly touched: number;
  /** How many phrases each unit has; none without. */
  readonly phrases?: number;
}

const WORDS = (
  'ticket review release deploy budget incident customer refund invoice branch merge secret token approval plan memo ' +
  'report hire onboard archive backup restore rotate audit metric alert page handover summary decision risk vendor ' +
  'contract policy draft publish translate test verify measure profile index cache queue retry limit quota access role'
).split(' ');

/** Words that follow from a seed: the same text on every machine. */
export function phrase(seed: string, length: number): string {
  const digest = createHash('sha256').update(seed).digest();
  return Array.from({ length }, (_, i) => WORDS[(digest[i % 32] ?? 0) % WORDS.length] ?? '').join(' ');
}

export const agentName = (a: number): string => `agent-${String(a).padStart(4, '0')}`;
const unitName = (u: number): string => `unit-${String(u).padStart(3, '0')}`;

const SYLLABLES = 'ba be bi bo bu da de di do du ga ge gi go gu ka ke ki ko ku la le li lo lu ma me mi mo mu'.split(
  ' ',
);

/** Names that nobody else has, as products and customers have: what a unit is about. */
function names(seed: string): [string, string, string, string] {
  const digest = createHash('sha256').update(seed).digest();
  const name = (at: number) =>
    Array.from({ length: 4 }, (_, i) => SYLLABLES[(digest[at * 4 + i] ?? 0) % SYLLABLES.length] ?? '').join('');
  return [name(0), name(1), name(2), name(3)];
}

function unit(a: number, u: number, version: number): string {
  const seed = `${a} ${u}`;
  const [first, second, third, fourth] = names(seed);
  const intents = [
    `the ${first} ${second} broke and somebody waits`,
    `asked about the ${second} ${third} today`,
    `before I touch the ${third} ${first}`,
  ];
  const body = Array.from(
    { length: 8 },
    (_, i) => `${i + 1}. ${phrase(`${seed} ${version} ${i}`, 12)} ${first} ${second} ${third} ${fourth}.`,
  );
  const triggers = intents.map((it) => `    - ${it}\n`).join('');
  const description = `What to do with the ${first} ${second} ${third} ${fourth}`;
  return `---\ndescription: ${description}\nload_triggers:\n  intents:\n${triggers}---\n\n# ${first} ${second}\n\n${body.join('\n')}\n`;
}

function agent(a: number): string {
  const id = createHash('sha256').update(`agent ${a}`).digest('hex');
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  return `agent_id: ${uuid}\nrole: Agent ${a}\nheartbeat_contract: ${unitName(0)}\n`;
}

function phrasesOf(a: number, units: number, phrases: number): string {
  const sections = Array.from({ length: units }, (_, u) => {
    const [first, second] = names(`${a} ${u}`);
    const lines = Array.from(
      { length: phrases },
      (_, p) => `      - ${phrase(`${a} ${u} phrase ${p}`, 9)} ${first} ${second}\n`,
    );
    return `  ${unitName(u)}:\n    phrases:\n${lines.join('')}`;
  });
  return `by: bench\nunits:\n${sections.join('')}`;
}

/** Fills an empty repository by `git fast-import`: one commit with everything, then one for each change. */
export function generate(repo: string, { agents, units, commits, touched, phrases = 0 }: Shape): void {
  const out: string[] = [];
  const file = (path: string, text: string) => {
    out.push(`M 100644 inline instructions/${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  };
  const commit = (n: number) => {
    const who = `Bench <bench@example.com> ${1_700_000_000 + n * 60} +0000`;
    out.push(`commit refs/heads/main\ncommitter ${who}\ndata 1\nx\n`);
  };
  commit(0);
  file('org.yaml', 'deployment: bench\ncompiler: 0.1.0\n');
  for (let a = 0; a < agents; a++) {
    file(`agents/${agentName(a)}/agent.yaml`, agent(a));
    for (let u = 0; u < units; u++) file(`agents/${agentName(a)}/${unitName(u)}.md`, unit(a, u, 0));
    if (phrases > 0) file(`phrases/${agentName(a)}.yaml`, phrasesOf(a, units, phrases));
  }
  for (let n = 1; n <= commits; n++) {
    commit(n);
    for (let t = 0; t < touched; t++) {
      const at = (n * touched + t) % (agents * units);
      const [a, u] = [Math.floor(at / units), at % units];
      file(`agents/${agentName(a)}/${unitName(u)}.md`, unit(a, u, n));
    }
  }
  run(repo, ['init', '--quiet', '--initial-branch=main']);
  run(repo, ['fast-import', '--quiet'], out.join(''));
  run(repo, ['reset', '--quiet', '--hard', 'main']);
}

function run(cwd: string, args: readonly string[], input = ''): void {
  const { status, stderr } = spawnSync('git', args, { cwd, input, maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`git ${args[0] ?? ''}: ${stderr.toString()}`);
}
