import { describe, expect, test } from 'vitest';
import { gateOn, readCommands, readVerdicts } from '../../support/gate.ts';

const everyday = readCommands('test/capabilities/everyday.yaml');
const bypasses = readVerdicts('test/capabilities/bypasses.yaml');

describe('the tables of commands', () => {
  const gate = gateOn();
  const exitOf = (command: string) => gate.bash(command).answer.exit;

  test('they are as long as was promised', () => {
    expect(everyday.length).toBeGreaterThanOrEqual(200);
    expect(bypasses.flatMap((it) => it.commands).length).toBeGreaterThanOrEqual(800);
  });

  test('no everyday command is denied', () => {
    const told = (it: string) => `${it}\n  ${gate.bash(it).answer.stderr}`;
    expect(everyday.filter((it) => exitOf(it) !== 0).map(told)).toEqual([]);
  });

  test.each(bypasses)('$verdict: $why', ({ verdict, commands }) => {
    const wanted = verdict === 'deny' ? 2 : 0;
    const wrong = commands.filter((it) => exitOf(it) !== wanted);
    expect(wrong.map((it) => `${it}\n  ${gate.bash(it).answer.stderr}`)).toEqual([]);
  });
});
