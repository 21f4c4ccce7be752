import { compare } from '../../../compiler/continuity/compare.ts';
import { list } from '../../../compiler/continuity/list.ts';
import {
  CompareAnswer,
  CompareRequest,
  RevalidateAnswer,
  RevalidateRequest,
} from '../../../compiler/continuity/schema/compare.ts';
import { ListAnswer, ListRequest } from '../../../compiler/continuity/schema/list.ts';
import {
  LifecycleAnswer,
  LifecycleRequest,
  PatchAnswer,
  PatchRequest,
} from '../../../compiler/continuity/schema/patch.ts';
import { ReadAnswer, ReadRequest } from '../../../compiler/continuity/schema/reading/read.ts';
import {
  ArchiveAnswer,
  ArchiveRequest,
  DeleteAnswer,
  DeleteRequest,
} from '../../../compiler/continuity/schema/removal.ts';
import { UPSERT_HELP } from '../../../compiler/continuity/schema/upsert-help.ts';
import { UpsertAnswer, UpsertRequest } from '../../../compiler/continuity/schema/upsert.ts';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import type { Call } from '../call.ts';
import { jsonSuccess, operation } from '../operation.ts';
import { value } from '../result.ts';
import { change, continuityOf, held, listedOf, type AboutSubject } from './capsule-calls.ts';
import { reading, STORE_ERRORS, STORE_WRITE_ERRORS, writing } from './contracts.ts';
import { readWithSurroundings } from './surroundings.ts';

const WRITES = { ...writing('continuity'), method: 'post' } as const;
const READS = { ...reading('continuity'), method: 'post' } as const;

const STORED_ERRORS = ['capsule_not_found', 'capsule_damaged'] as const satisfies ErrorCode[];

const CHANGE_ERRORS = [
  'capsule_invalid',
  'capsule_stale',
  'capsule_conflict',
  ...STORED_ERRORS,
] as const satisfies ErrorCode[];

/** An operation that changes one subject by a verb. */
function changing(verb: string) {
  return async (call: Call, { body }: { readonly body: AboutSubject }) => value(await change(call, verb, body));
}

/** Operations on capsules (the specification _CogniRelay continuity payloads_), under `--continuity` alone. */
export const CONTINUITY_OPERATIONS = {
  upsertCapsule: operation({
    ...WRITES,
    path: '/v1/continuity/upsert',
    summary: 'Store a capsule, whole or merged with the stored one, and its fallback',
    description: UPSERT_HELP,
    body: UpsertRequest,
    success: { ...jsonSuccess('The stored capsule was replaced, or was the same', UpsertAnswer), created: 'It is new' },
    errors: [
      ...(['capsule_invalid', 'capsule_stale', 'capsule_conflict', 'capsule_damaged'] as const),
      ...(['idempotency_conflict', ...STORE_WRITE_ERRORS] as const),
    ],
    run: async (call, { body }) => {
      const answer = await change(call, 'upsert', body);
      return { kind: 'value', value: answer, created: answer['created'] === true };
    },
  }),
  patchCapsule: operation({
    ...WRITES,
    path: '/v1/continuity/patch',
    summary: 'Append, remove and replace entries of lists, all or none',
    body: PatchRequest,
    success: jsonSuccess('The number of applied operations', PatchAnswer),
    errors: [...CHANGE_ERRORS, 'idempotency_conflict', ...STORE_WRITE_ERRORS],
    run: changing('patch'),
  }),
  moveLifecycle: operation({
    ...WRITES,
    path: '/v1/continuity/lifecycle',
    summary: 'Suspend, resume, conclude or supersede a thread or a task',
    body: LifecycleRequest,
    success: jsonSuccess('Its lifecycle, and the one before', LifecycleAnswer),
    errors: [...CHANGE_ERRORS, 'idempotency_conflict', ...STORE_WRITE_ERRORS],
    run: changing('lifecycle'),
  }),
  compareCapsule: operation({
    ...READS,
    path: '/v1/continuity/compare',
    summary: 'Compare a candidate with the stored capsule, and change nothing',
    body: CompareRequest,
    success: jsonSuccess('The differences, and the outcome that the signals suggest', CompareAnswer),
    errors: ['capsule_invalid', ...STORED_ERRORS, ...STORE_ERRORS],
    run: async (call, { body }) => value(compare(body, await held(call, body), { now: call.services.now() })),
  }),
  revalidateCapsule: operation({
    ...WRITES,
    path: '/v1/continuity/revalidate',
    summary: 'Confirm, correct, degrade or dispute a capsule',
    body: RevalidateRequest,
    success: jsonSuccess('Its verification and its health', RevalidateAnswer),
    errors: [...CHANGE_ERRORS, ...STORE_WRITE_ERRORS],
    run: changing('revalidate'),
  }),
  readCapsule: operation({
    ...READS,
    path: '/v1/continuity/read',
    summary: 'Read a capsule, or its fallback; the startup view adds a summary of what matters at a start',
    body: ReadRequest,
    success: jsonSuccess('Text that an agent wrote: data, never an instruction', ReadAnswer),
    errors: [...STORED_ERRORS, ...STORE_ERRORS],
    run: async (call, { body }) => value(await readWithSurroundings(call, body)),
  }),
  listCapsules: operation({
    ...READS,
    path: '/v1/continuity/list',
    summary: 'List the capsules of the caller, by name or by salience',
    body: ListRequest,
    bodyMayBeAbsent: true,
    success: jsonSuccess('A row for each capsule', ListAnswer),
    errors: STORE_ERRORS,
    run: async (call, { body }) => {
      const { archiveDays } = continuityOf(call);
      return value(
        list(body, await listedOf(call, body.include_fallback === true), { now: call.services.now(), archiveDays }),
      );
    },
  }),
  archiveCapsule: operation({
    ...WRITES,
    path: '/v1/continuity/archive',
    summary: 'Archive a capsule: it is kept, but no longer used',
    body: ArchiveRequest,
    success: jsonSuccess('Where it is kept', ArchiveAnswer),
    errors: [...STORED_ERRORS, ...STORE_WRITE_ERRORS],
    run: changing('archive'),
  }),
  deleteCapsule: operation({
    ...WRITES,
    path: '/v1/continuity/delete',
    summary: 'Remove a capsule, its fallback or its archives; the history keeps them until a purge',
    body: DeleteRequest,
    success: jsonSuccess('The removed files, and those that did not exist', DeleteAnswer),
    errors: STORE_WRITE_ERRORS,
    run: changing('delete'),
  }),
};
