import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { replaceFile } from '../../../compiler/io/files/durable.ts';
import { readIfThere } from '../../../compiler/io/files/file.ts';
import { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import type { AuditLedger, ChainHead, SignedPoint } from '../records/store.ts';
import type { Prove } from './verify-chain.ts';

/**
 * What was signed of an audit, kept outside its store: a database that was emptied and begun anew has other chains than
 * those named here. One DSSE envelope a line; the last of each writer counts.
 */
export interface Anchor {
  /** Whether there was one before this start. */
  readonly wasThere: boolean;
  /** On the disk when it returns. @throws Error where it cannot be written */
  readonly keep: (point: Pick<SignedPoint, 'envelope'>) => void;
}

export const anchorPath = (state: string) => `${state}.anchor.jsonl`;

/** Once as many lines are there, those that a later one of the same writer follows are left out at the next start. */
const MAX_LINES = 5000;

/** Opens the anchor of an audit; made with the first checkpoint. @throws output_failed */
export function openAnchor(state: string): Anchor {
  const path = anchorPath(state);
  const wasThere = existsSync(path);
  if (wasThere) tidy(path);
  return {
    wasThere,
    keep: ({ envelope }) => {
      appendLine(path, `${JSON.stringify(JSON.parse(envelope))}\n`);
    },
  };
}

/** A crash leaves the line whole, or cut off at the end, where nobody reads it; a full disk leaves nothing of it. */
function appendLine(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  const { size } = fstatSync(file);
  try {
    const bytes = Buffer.from(line);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    // the next line must not go on where this one ended
    ftruncateSync(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * The ends of chains that an anchor names; null where there is none.
 *
 * @throws audit_unverified where a line is not what a believed key signed
 */
export function readAnchor(path: string, prove: Prove): ChainHead[] | null {
  if (!existsSync(path)) return null;
  const heads = new Map<string, ChainHead>();
  for (const [at, line] of linesOf(path).lines.entries()) {
    const { writer, n, hash } = provenLine(line, prove, at + 1);
    if (n >= (heads.get(writer)?.n ?? 0)) heads.set(writer, { writer, n, hash });
  }
  return [...heads.values()];
}

function provenLine(line: string, prove: Prove, at: number): Checkpoint {
  try {
    return Checkpoint.parse(prove(line));
  } catch {
    const message = `the audit does not hold: line ${at} of its anchor is signed by no key that is believed`;
    throw new VadeError('audit_unverified', message, { writer: null, n: at, problem: 'anchor_unproven' });
  }
}

/** No anchor is larger: it is tidied long before. */
const MAX_ANCHOR_BYTES = 64 * 1024 * 1024;

/** Whole lines, and what a crash cut off after the last of them, which was never acknowledged. */
function linesOf(path: string): { readonly lines: string[]; readonly isCutOff: boolean } {
  try {
    const lines = (readIfThere(path, MAX_ANCHOR_BYTES)?.toString('utf8') ?? '').split('\n');
    const isCutOff = lines.pop() !== '';
    return { lines, isCutOff };
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Ends a line that was cut off, and leaves out what later lines say again. */
function tidy(path: string): void {
  const { lines, isCutOff } = linesOf(path);
  if (lines.length <= MAX_LINES && !isCutOff) return;
  const last = new Map(lines.map((line, at) => [writerOf(line) ?? `line ${at}`, line]));
  replaceFile(path, [...last.values(), ''].join('\n'), { mode: 0o600 });
}

/** Nothing is proven here: what is no checkpoint is left where it is, for whoever verifies. */
function writerOf(line: string): string | undefined {
  try {
    const { payload } = JSON.parse(line) as { payload: string };
    return Checkpoint.parse(JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))).writer;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the last checkpoint of every chain that is there and further than the anchor knows, other instances' too.
 *
 * @returns of how many chains
 */
export async function anchorLedger(ledger: AuditLedger, anchor: Anchor, known: readonly ChainHead[]): Promise<number> {
  let kept = 0;
  const names = new Map(known.map((it) => [it.writer, it.n]));
  for (const writer of await ledger.writers()) {
    const last = (await ledger.checkpoints(writer)).at(-1);
    if (last === undefined || last.n <= (names.get(writer) ?? 0)) continue;
    anchor.keep(last);
    kept++;
  }
  return kept;
}

/** The chains that an anchor names and a store has not, neither whole nor retired, by name. */
export async function missingFrom(ledger: AuditLedger, heads: readonly ChainHead[]): Promise<string[]> {
  const missing: string[] = [];
  for (const head of heads) {
    const retired = (await ledger.retirements(head.writer)).at(-1)?.n ?? 0;
    if (head.n > retired && !(await ledger.has(head))) missing.push(head.writer);
  }
  return missing;
}
