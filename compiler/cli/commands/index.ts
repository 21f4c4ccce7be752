import type { Command } from '../registry.ts';
import { compileCommand } from './compile.ts';
import { initCommand } from './init.ts';
import { keyCreateCommand, keyListCommand, keyRevokeCommand } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { recallCommand } from './recall.ts';
import { serveCommand } from './serve.ts';

const ALL = [
  compileCommand,
  initCommand,
  keyCreateCommand,
  keyListCommand,
  keyRevokeCommand,
  migrateCommand,
  recallCommand,
  serveCommand,
];

/** Every command, by path. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(ALL.map((command) => [command.path, command]));
