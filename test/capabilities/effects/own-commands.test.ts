import { expect, test } from 'vitest';
import { ownCommandOf } from '../../../compiler/capabilities/effects/own-commands.ts';
import { REGISTRY } from '../../../compiler/cli/commands/index.ts';
import { buildManifest } from '../../../compiler/cli/manifest.ts';

/** Commands that change something, and nothing that guards or judges agents: flags say where they write. */
const HARMLESS = [
  'audit.backup',
  'compile',
  'continuity.backup',
  'gate',
  'hook',
  'mcp',
  'probe.suggest',
  'recall',
  'report',
  'serve',
];

const { commands } = buildManifest(REGISTRY, '0');
const changing = Object.keys(commands).filter((it) => commands[it]?.danger_level !== 'safe');

function read(command: string): string | null {
  const words = command.split(' ');
  return ownCommandOf({
    name: words[0]?.split('/').at(-1) ?? '',
    words,
    settings: [],
    input: null,
    isWrapper: false,
  });
}

/** A call of a command with the flag that makes it write, if it has one. */
function callOf(path: string): string {
  const flag = ['write', 'fix', 'attest', 'yes'].find((it) => commands[path]?.flags[it] !== undefined);
  return `vade ${path.replaceAll('.', ' ')}${flag === undefined ? '' : ` --${flag}`}`;
}

test('H1: every command that changes something is denied to agents, or known to be harmless', () => {
  expect(changing.filter((it) => read(callOf(it)) === null)).toEqual(HARMLESS);
});

test('H1: a command that only reads, previews or explains itself is no matter of the guard', () => {
  const safe = Object.keys(commands).filter((it) => commands[it]?.danger_level === 'safe');
  expect(safe.filter((it) => read(callOf(it)) !== null)).toEqual([]);
  expect(changing.filter((it) => read(`${callOf(it)} --dry-run`) !== null)).toEqual([]);
  expect(
    ['vade lint', 'vade migrate --from a.md', 'vade capability install --help'].filter((it) => read(it) !== null),
  ).toEqual([]);
});

test.each([
  'vade --format json capability uninstall',
  'vade capability --settings x uninstall',
  './node_modules/.bin/vade init',
  'node /opt/vade/dist/compiler/cli/main.js approve --kind role',
  'node --enable-source-maps node_modules/vademecum/dist/compiler/cli/main.js publish',
  'tsx ../vade/compiler/cli/main.ts brief take',
  'npm run vade -- capability uninstall',
  'docker run vademecum trust sign',
  'other-name capability install',
])('H1: %s is a command of vade', (command) => {
  expect(read(command)).toMatch(/^vade /);
});

test.each([
  'echo vade init',
  'grep -rn vade init',
  'cargo install vade',
  'npm init',
  'mytool lint --fix',
  'vade recall --intent publish',
])('%s is none', (command) => {
  expect(read(command)).toBeNull();
});
