import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Continuity } from '../../../../server/continuity/continuity.ts';
import { openContinuity } from '../../../../server/continuity/open.ts';
import { ago, capsuleOf, NOW, upsertOf, type Json } from '../../../continuity/capsules.ts';
import { DRAFT } from '../../../continuity/coordination/artefacts.ts';
import { tempFolder } from '../../../support/folder.ts';

/** The owner whose capsules `place` writes. */
export const OWNER = 'default';
export const OF = ['--owner', OWNER, '--kind', 'thread', '--subject', 'store'];

/** A folder of capsules, and what writes to it as a server does. */
export interface Place {
  readonly root: string;
  readonly capsules: Continuity;
  readonly upsert: (more?: Json, state?: Json, owner?: string) => Promise<string>;
  /** Hands the thread `store` over; the id of the handoff. */
  readonly handOver: (id: string) => Promise<void>;
}

/** Nothing is written yet; the caller ends the capsules. */
export function place(root = join(tempFolder(), 'capsules')): Place {
  const capsules = openContinuity({ root, archiveDays: 90 }, pino({ level: 'silent' }));
  const upsert: Place['upsert'] = async (more = {}, state = {}, owner = OWNER) => {
    const request = upsertOf(capsuleOf(more, state));
    const subject = { kind: request.subject_kind, id: request.subject_id };
    const mutation = { subject, verb: 'upsert', request, now: NOW, author: 'x', key: null };
    return (await capsules.mutate(owner, mutation)).commit;
  };
  const handOver: Place['handOver'] = async (id) => {
    await capsules.coordination.change({
      verb: 'createHandoff',
      request: DRAFT,
      now: NOW,
      caller: OWNER,
      isAdmin: false,
      id,
    });
  };
  return { root, capsules, upsert, handOver };
}

interface Written {
  readonly root: string;
  /** The commit of the first version. */
  readonly first: string;
}

let original: Written | undefined;

/** The same, with two versions of a capsule and another owner's, and nobody who has it open: a copy for each caller. */
export async function written(): Promise<Written> {
  if (original === undefined || !existsSync(original.root)) original = await write();
  const root = join(tempFolder(), 'capsules');
  cpSync(original.root, root, { recursive: true });
  return { ...original, root };
}

async function write(): Promise<Written> {
  const { root, capsules, upsert, handOver } = place();
  const first = await upsert();
  await upsert({ updated_at: ago(30) }, { open_loops: ['is it enough?'] });
  await upsert({ subject_id: 'other' }, {}, '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9');
  await handOver('handoff_1');
  await capsules.end();
  return { root, first };
}
