import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { replaceFile } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import type { AuditLedger, ChainHead, SignedPoint } from '../records/store.ts';
import type { VerifyEnvelope } from './verify-chain.ts';

/**
 * Signed checkpoints kept outside the store: a database that was emptied and recreated lacks the chains named here. One
 * DSSE envelope per line; the last one of each writer counts.
 */
export interface Anchor {
  /** Whether the anchor existed before this start. */
  readonly existed: boolean;
  /** Durable when it returns. @throws Error if it cannot be written */
  readonly keep: (point: Pick<SignedPoint, 'envelope'>) => void;
}

export const anchorPath = (state: string) => `${state}.anchor.jsonl`;

/** Above this number of lines, a start drops superseded lines. */
const MAX_LINES = 5000;

/** Opens the anchor of an audit; the first checkpoint creates the file. @throws output_failed */
export function openAnchor(state: string): Anchor {
  const path = anchorPath(state);
  const existed = existsSync(path);
  if (existed) compact(path);
  return {
    existed,
    keep: ({ envelope }) => {
      // a server that runs for months must leave an anchor that its next start reads
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_ANCHOR_BYTES / 2) compact(path);
      appendLine(path, `${JSON.stringify(JSON.parse(envelope))}\n`);
    },
  };
}

/** A crash leaves the line complete or truncated at the end, where it is ignored; a full disk leaves nothing. */
function appendLine(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  const { size } = fstatSync(file);
  try {
    const bytes = Buffer.from(line);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    // the next line must not continue a truncated one
    ftruncateSync(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * The chain heads that an anchor names; null without an anchor.
 *
 * @throws audit_unverified if a line is not signed by a trusted key
 */
export function readAnchor(path: string, verifyEnvelope: VerifyEnvelope): ChainHead[] | null {
  if (!existsSync(path)) return null;
  const heads = new Map<string, ChainHead>();
  for (const [at, line] of linesOf(path).lines.entries()) {
    const { writer, n, hash } = verifyLine(line, verifyEnvelope, at + 1);
    if (n >= (heads.get(writer)?.n ?? 0)) heads.set(writer, { writer, n, hash });
  }
  return [...heads.values()];
}

function verifyLine(line: string, verifyEnvelope: VerifyEnvelope, at: number): Checkpoint {
  try {
    return Checkpoint.parse(verifyEnvelope(line));
  } catch {
    const message = `the audit does not verify: line ${at} of its anchor is not signed by a trusted key`;
    throw new VadeError('audit_unverified', message, { writer: null, n: at, problem: 'anchor_unproven' });
  }
}

/** Upper limit; compaction keeps an anchor far below it. */
const MAX_ANCHOR_BYTES = 64 * 1024 * 1024;

/** Complete lines; a truncated last line was never acknowledged. */
function linesOf(path: string): { readonly lines: string[]; readonly isCutOff: boolean } {
  try {
    const lines = (readIfThere(path, MAX_ANCHOR_BYTES)?.toString('utf8') ?? '').split('\n');
    const isCutOff = lines.pop() !== '';
    return { lines, isCutOff };
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Terminates a truncated line, and drops superseded lines. */
function compact(path: string): void {
  const { lines, isCutOff } = linesOf(path);
  if (lines.length <= MAX_LINES && !isCutOff) return;
  const last = new Map(lines.map((line, at) => [writerOf(line) ?? `line ${at}`, line]));
  replaceFile(path, [...last.values(), ''].join('\n'), { mode: 0o600, links: 'follow' });
}

/** Unverified: a line that is not a checkpoint is left for verification to report. */
function writerOf(line: string): string | undefined {
  try {
    const { payload } = JSON.parse(line) as { payload: string };
    return Checkpoint.parse(JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))).writer;
  } catch {
    return undefined;
  }
}

/**
 * Adds the last checkpoint of every chain that is ahead of the anchor, including those of other instances.
 *
 * @returns the number of chains
 */
export async function anchorLedger(ledger: AuditLedger, anchor: Anchor, known: readonly ChainHead[]): Promise<number> {
  let count = 0;
  const names = new Map(known.map((it) => [it.writer, it.n]));
  for (const writer of await ledger.writers()) {
    const last = (await ledger.checkpoints(writer)).at(-1);
    if (last === undefined || last.n <= (names.get(writer) ?? 0)) continue;
    anchor.keep(last);
    count++;
  }
  return count;
}

/** Writers of chains that an anchor names but the store lacks, complete or retired. */
export async function missingFrom(ledger: AuditLedger, heads: readonly ChainHead[]): Promise<string[]> {
  const missing: string[] = [];
  for (const head of heads) {
    const retired = (await ledger.retirements(head.writer)).at(-1)?.n ?? 0;
    if (head.n > retired && !(await ledger.has(head))) missing.push(head.writer);
  }
  return missing;
}
