import type { Command } from '../registry.ts';
import { compileCommand } from './compile.ts';
import { recallCommand } from './recall.ts';

/** Every command, by path. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [compileCommand, recallCommand].map((command) => [command.path, command]),
);
