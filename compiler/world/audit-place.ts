import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { VadeError } from '../schema/errors.ts';
import type { Arguments } from './flags/flag.ts';
import type { AUDIT, AUDITING } from './flags/shared.ts';
import type { Warning, World } from './world.ts';

/** Warns of rows that are not in the store yet. */
export function spooledWarnings(rows: number): Warning[] {
  if (rows === 0) return [];
  const message = `${rows} rows wait in the spool of this audit and are not counted`;
  return [{ code: 'AUDIT_SPOOLED', message, context: { rows } }];
}

type AuditFlags = Arguments<typeof AUDIT>;

type AuditingFlags = Arguments<typeof AUDITING>;

const URL = /^postgres(?:ql)?:\/\//;

/** The place of an audit, from the flags of the audit commands. */
export function auditPlaceFrom({ audit, state }: AuditFlags, { cwd }: World) {
  const url = URL.test(audit);
  const path = url ? audit : resolve(cwd, audit);
  return { audit: path, state: resolve(cwd, state ?? (url ? 'audit' : audit)) };
}

/** The place of an audit that is written, with the keys of the environment, and the clock. */
export function writtenAudit(flags: AuditFlags, world: World) {
  const { VADE_AUDIT_KEY: auditKey, VADE_CHECKPOINT_KEY: checkpointKey } = world.env;
  return { ...auditPlaceFrom(flags, world), auditKey, checkpointKey, now: () => world.now().getTime() };
}

/** The audit options of a server, with the keys of the environment. */
export function auditingFrom(args: AuditingFlags, world: World) {
  return {
    ...auditPlaceFrom(args, world),
    intents: args.intents,
    spoolBytes: args.spool * 1024 * 1024,
    auditKey: world.env['VADE_AUDIT_KEY'],
    checkpointKey: world.env['VADE_CHECKPOINT_KEY'],
  };
}

/** The pinned checkpoint keys; null without the flag. @throws argument_invalid */
export function pinnedKeys(path: string | undefined, { cwd }: World): string | null {
  if (path === undefined) return null;
  try {
    return readFileSync(resolve(cwd, path), 'utf8');
  } catch {
    throw new VadeError('argument_invalid', `--checkpoint-key ${path} cannot be read`);
  }
}
