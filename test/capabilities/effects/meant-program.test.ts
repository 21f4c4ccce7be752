import { describe, expect, test } from 'vitest';
import { meantProgram } from '../../../compiler/capabilities/effects/meant-program.ts';

const meant = (...words: readonly string[]) => meantProgram({ name: words[0] ?? '', words });

describe('the program that is meant', () => {
  test.each<[readonly string[], string, readonly string[]]>([
    [['python3', '-m', 'pip', 'install', 'x'], 'pip', ['install', 'x']],
    [['py', '-Im', 'pip'], 'pip', []],
    [['python3', '-m'], '', []],
    [['python3', 'x.py', 'pip'], 'python3', ['x.py', 'pip']],
    [['corepack', 'pnpm@9', 'add', 'x'], 'pnpm', ['add', 'x']],
    [['corepack', 'yarn'], 'yarn', []],
    [['corepack', 'enable', 'yarn'], 'corepack', ['enable', 'yarn']],
    [['npx', 'npm'], 'npx', ['npm']],
    [['NPM.CMD', 'install'], 'npm', ['install']],
  ])('%j is %s with %j', (words, program, args) => {
    expect(meant(...words)).toEqual({ program, args });
  });
});
