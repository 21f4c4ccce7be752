import { closeRegistry, type Registry } from '../registry.ts';
import { compileCommand } from './compile.ts';
import { completionCommand } from './completion.ts';
import { initCommand } from './init.ts';
import { keyCreateCommand, keyListCommand, keyRevokeCommand } from './key.ts';
import { manifestCommand } from './manifest.ts';
import { migrateCommand } from './migrate.ts';
import { recallCommand } from './recall.ts';
import { serveCommand } from './serve.ts';

/** Names that commands had before: §21.6.3 calls the migration by its long name. */
const MOVED = { 'migrate-instructions': 'migrate', 'key.add': 'key.create', 'key.delete': 'key.revoke' };

/** Every command, closed. */
export const REGISTRY: Registry = closeRegistry(
  [
    compileCommand,
    completionCommand(() => REGISTRY),
    initCommand,
    keyCreateCommand,
    keyListCommand,
    keyRevokeCommand,
    manifestCommand(() => REGISTRY),
    migrateCommand,
    recallCommand,
    serveCommand,
  ],
  MOVED,
);

export const COMMANDS = REGISTRY.commands;
