import { closeRegistry, type Registry } from '../registry.ts';
import { approveCommand } from './approve.ts';
import { archiveCommand } from './archive.ts';
import { auditBackupCommand, auditVerifyCommand } from './audit.ts';
import { auditEraseCommand, auditRetainCommand } from './auditerase.ts';
import { blameCommand } from './blame.ts';
import { compileCommand } from './compile.ts';
import { completionCommand } from './completion.ts';
import { freshenCommand } from './freshen.ts';
import { initCommand } from './init.ts';
import { keyCreateCommand, keyListCommand, keyRevokeCommand } from './key.ts';
import { lintCommand } from './lint.ts';
import { logCommand } from './log.ts';
import { manifestCommand } from './manifest.ts';
import { metricsCommand } from './metrics.ts';
import { migrateCommand } from './migrate.ts';
import { probeCommand } from './probe.ts';
import { probeSuggestCommand } from './probesuggest.ts';
import { publishCommand } from './publish.ts';
import { recallCommand } from './recall.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { rollbackCommand } from './rollback.ts';
import { serveCommand } from './serve.ts';
import { shadowCommand } from './shadow.ts';
import { siblingsCommand } from './siblings.ts';
import { suggestCommand } from './suggest.ts';
import { verifyCommand } from './verify.ts';
import { trustDraftCommand, trustKeygenCommand } from './trust.ts';
import { trustShowCommand } from './trustshow.ts';
import { trustSignCommand } from './trustsign.ts';
import { withdrawCommand } from './withdraw.ts';

/** Names that commands had before: §21.6.3 calls the migration by its long name. */
const MOVED = { 'migrate-instructions': 'migrate', 'key.add': 'key.create', 'key.delete': 'key.revoke' };

/** Every command, closed. */
export const REGISTRY: Registry = closeRegistry(
  [
    approveCommand,
    archiveCommand,
    auditBackupCommand,
    auditEraseCommand,
    auditRetainCommand,
    auditVerifyCommand,
    blameCommand,
    compileCommand,
    completionCommand(() => REGISTRY),
    freshenCommand,
    initCommand,
    keyCreateCommand,
    keyListCommand,
    keyRevokeCommand,
    lintCommand,
    logCommand,
    manifestCommand(() => REGISTRY),
    metricsCommand,
    migrateCommand,
    probeCommand,
    probeSuggestCommand,
    publishCommand,
    recallCommand,
    replayCommand,
    reportCommand,
    rollbackCommand,
    serveCommand,
    shadowCommand,
    siblingsCommand,
    suggestCommand,
    verifyCommand,
    trustDraftCommand,
    trustKeygenCommand,
    trustShowCommand,
    trustSignCommand,
    withdrawCommand,
  ],
  MOVED,
);

export const COMMANDS = REGISTRY.commands;
