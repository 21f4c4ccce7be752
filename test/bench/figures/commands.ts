import type { Registry } from '../../../compiler/cli/registry.ts';

/** The size of a command line: commands that run something, and their flags without those of every command. */
export interface CommandLineSize {
  readonly commands: number;
  readonly flags: number;
}

/** Counts a flag once for each command that has it. */
export function sizesOf({ commands }: Pick<Registry, 'commands'>): CommandLineSize {
  const flags = [...commands.values()].reduce((sum, it) => sum + Object.keys(it.flags).length, 0);
  return { commands: commands.size, flags };
}
