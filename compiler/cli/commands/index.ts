import { closeRegistry, type Registry } from '../registry.ts';
import { auditEraseCommand, auditRetainCommand } from './audit/audit-erase.ts';
import { auditBackupCommand, auditVerifyCommand } from './audit/audit.ts';
import { blameCommand } from './build/blame.ts';
import { compileCommand } from './build/compile.ts';
import { exportCommand } from './build/export.ts';
import { lintCommand } from './build/lint.ts';
import { logCommand } from './build/log.ts';
import { publishCommand } from './build/publish.ts';
import { capabilityAddCommand, capabilityCheckCommand, capabilityLintCommand } from './capability/capability.ts';
import { gateCommand } from './capability/gate.ts';
import { capabilityDoctorCommand, capabilityInstallCommand, capabilityUninstallCommand } from './capability/hooks.ts';
import { capabilityVerifyCommand } from './capability/verify.ts';
import { continuityArchiveCommand } from './continuity/archive.ts';
import { continuityCompareCommand } from './continuity/compare.ts';
import { continuityListCommand } from './continuity/list.ts';
import { continuityPurgeCommand } from './continuity/purge.ts';
import { continuityShowCommand } from './continuity/show.ts';
import { continuityStartupCommand } from './continuity/startup.ts';
import { continuityBackupCommand, continuityVerifyCommand } from './continuity/verify.ts';
import { archiveCommand } from './migrate/archive.ts';
import { migrateCommand } from './migrate/migrate.ts';
import { modelPinCommand } from './model/model-pin.ts';
import { commentCommand } from './quality/comment.ts';
import { metricsCommand } from './quality/metrics.ts';
import { probeSuggestCommand } from './quality/probe-suggest.ts';
import { probeCommand } from './quality/probe.ts';
import { recallCommand } from './quality/recall.ts';
import { replayCommand } from './quality/replay.ts';
import { reportCommand } from './quality/report.ts';
import { shadowCommand } from './quality/shadow.ts';
import { siblingsCommand } from './quality/siblings.ts';
import { suggestCommand } from './quality/suggest.ts';
import { devCommand } from './serve/dev.ts';
import { keyHeartbeatCommand } from './serve/key-heartbeat.ts';
import { keyCreateCommand, keyListCommand, keyRevokeCommand } from './serve/key.ts';
import { mcpCommand } from './serve/mcp.ts';
import { serveCommand } from './serve/serve.ts';
import { stubCommand } from './serve/stub.ts';
import { completionCommand } from './start/completion.ts';
import { initCommand } from './start/init.ts';
import { manifestCommand } from './start/manifest.ts';
import { workflowsCommand } from './start/workflows.ts';
import { taskCleanCommand } from './task/clean.ts';
import { taskComposeCommand } from './task/compose.ts';
import { taskBypassCommand, taskRevokeCommand } from './task/decide.ts';
import { taskLogCommand } from './task/log.ts';
import { taskRunCommand } from './task/run.ts';
import { taskSpawnCommand } from './task/spawn.ts';
import { taskExplainCommand, taskReplayCommand, taskVerifyCommand } from './task/verify.ts';
import { taskWorktreeCommand } from './task/worktree.ts';
import { approveCommand } from './trust/approve.ts';
import { freshenCommand } from './trust/freshen.ts';
import { rollbackCommand } from './trust/rollback.ts';
import { trustShowCommand } from './trust/trust-show.ts';
import { trustSignCommand } from './trust/trust-sign.ts';
import { trustDraftCommand, trustKeygenCommand } from './trust/trust.ts';
import { verifyCommand } from './trust/verify.ts';
import { withdrawCommand } from './trust/withdraw.ts';

/** Former names of commands; §21.6.3 uses the long name of the migration. */
const MOVED = { 'migrate-instructions': 'migrate', 'key.add': 'key.create', 'key.delete': 'key.revoke' };

/** Every command; frozen. */
export const REGISTRY: Registry = closeRegistry(
  [
    approveCommand,
    archiveCommand,
    auditBackupCommand,
    auditEraseCommand,
    auditRetainCommand,
    auditVerifyCommand,
    blameCommand,
    capabilityAddCommand,
    capabilityCheckCommand,
    capabilityDoctorCommand,
    capabilityInstallCommand,
    capabilityLintCommand,
    capabilityUninstallCommand,
    capabilityVerifyCommand,
    commentCommand,
    compileCommand,
    completionCommand(() => REGISTRY),
    exportCommand,
    continuityArchiveCommand,
    continuityBackupCommand,
    continuityCompareCommand,
    continuityListCommand,
    continuityPurgeCommand,
    continuityShowCommand,
    continuityStartupCommand,
    continuityVerifyCommand,
    devCommand,
    freshenCommand,
    gateCommand,
    initCommand,
    keyCreateCommand,
    keyHeartbeatCommand,
    keyListCommand,
    keyRevokeCommand,
    lintCommand,
    logCommand,
    manifestCommand(() => REGISTRY),
    mcpCommand,
    metricsCommand,
    migrateCommand,
    modelPinCommand,
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
    stubCommand,
    suggestCommand,
    taskBypassCommand,
    taskCleanCommand,
    taskComposeCommand,
    taskLogCommand,
    taskRevokeCommand,
    taskRunCommand,
    taskExplainCommand,
    taskReplayCommand,
    taskSpawnCommand,
    taskWorktreeCommand,
    taskVerifyCommand,
    verifyCommand,
    trustDraftCommand,
    trustKeygenCommand,
    trustShowCommand,
    trustSignCommand,
    withdrawCommand,
    workflowsCommand,
  ],
  MOVED,
);

export const COMMANDS = REGISTRY.commands;
