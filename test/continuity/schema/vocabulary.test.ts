import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { archive } from '../../../compiler/continuity/archive.ts';
import { compare } from '../../../compiler/continuity/compare.ts';
import { graphContext } from '../../../compiler/continuity/graph/graph-context.ts';
import { changeLifecycle } from '../../../compiler/continuity/lifecycle.ts';
import { ARCHIVE_DAYS, list, summaryOf } from '../../../compiler/continuity/list.ts';
import { patch } from '../../../compiler/continuity/patch.ts';
import { read } from '../../../compiler/continuity/read.ts';
import { retrieve } from '../../../compiler/continuity/retrieve.ts';
import { revalidate } from '../../../compiler/continuity/revalidate.ts';
import {
  CompareAnswer,
  CompareRequest,
  RevalidateAnswer,
  RevalidateRequest,
} from '../../../compiler/continuity/schema/compare.ts';
import { CONTEXT_CAPS } from '../../../compiler/continuity/schema/graph/caps.ts';
import { ListAnswer, ListRequest } from '../../../compiler/continuity/schema/list.ts';
import {
  LifecycleAnswer,
  LifecycleRequest,
  PatchAnswer,
  PatchRequest,
} from '../../../compiler/continuity/schema/patch.ts';
import { ReadAnswer, ReadRequest } from '../../../compiler/continuity/schema/reading/read.ts';
import {
  RetrieveAnswer,
  RetrieveRequest,
  RetrieveWarning,
} from '../../../compiler/continuity/schema/reading/retrieve.ts';
import { ArchiveAnswer, ArchiveRequest } from '../../../compiler/continuity/schema/removal.ts';
import { UpsertAnswer } from '../../../compiler/continuity/schema/upsert.ts';
import { RecoveryWarning } from '../../../compiler/continuity/schema/warnings.ts';
import {
  FreshnessClass,
  HealthStatus,
  Lifecycle,
  MergeMode,
  Phase,
  SignalKind,
  SourceState,
  SubjectKind,
  ThreadKind,
  Transition,
  UpdateReason,
  VerificationStatus,
} from '../../../compiler/continuity/schema/words.ts';
import type { SubjectFiles } from '../../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { anyCapsule } from '../arbitrary.ts';
import { ago, applied, noFiles, NOW, OCCASION, upsertOf, type Json } from '../capsules.ts';
import { textsIn } from '../texts-in.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' } as const;
const SIGNALS = [{ kind: 'user_confirmation', source_ref: 'chat 7', observed_at: ago(9), summary: 'she said so' }];

/** A retrieval of a capsule, with the graph around it. */
function retrieved(request: RetrieveRequest, files: SubjectFiles): RetrieveAnswer {
  const sources = { tasks: [], files, failure: null };
  const anchor = { kind: 'thread', subject_id: SUBJECT.subject_id } as const;
  const graph_context = graphContext(anchor, sources, { mayRead: () => true, allowFallback: true }, CONTEXT_CAPS);
  return retrieve(request, [{ subject: SUBJECT, files }], { now: NOW, around: { graph_context } });
}

/** Answers of every verb about one capsule, each with its schema. */
function answersTo(draft: Json, files: SubjectFiles): [schema: z.ZodType, answer: unknown, request: unknown][] {
  const newer = { ...draft, updated_at: ago(0) };
  const operation = { target: 'continuity.open_loops', action: 'append', value: 'x' };
  const requests = {
    upsert: upsertOf(newer),
    read: ReadRequest.parse({ ...SUBJECT, view: 'startup' }),
    list: ListRequest.parse({ sort: 'salience', include_fallback: true }),
    patch: PatchRequest.parse({ ...SUBJECT, updated_at: ago(0), operations: [operation] }),
    move: LifecycleRequest.parse({ ...SUBJECT, updated_at: ago(0), transition: 'suspend' }),
    compare: CompareRequest.parse({ ...SUBJECT, candidate_capsule: newer, signals: SIGNALS }),
    revalidate: RevalidateRequest.parse({ ...SUBJECT, outcome: 'degrade', reason: 'too old', signals: SIGNALS }),
    retrieve: RetrieveRequest.parse({ ...SUBJECT, task: 'go on', max_tokens_estimate: 700 }),
    archive: ArchiveRequest.parse({ ...SUBJECT, reason: 'done with it' }),
  };
  const rows = [summaryOf(files.path, files.active!)!];
  const attempt = (run: () => unknown): unknown => {
    try {
      return { ...(run() as { answer: Json }).answer, latest_commit: null };
    } catch {
      return null; // a thread without a descriptor does not move, and a full list takes no more
    }
  };
  const all: [z.ZodType, unknown, unknown][] = [
    [UpsertAnswer, attempt(() => upsert(requests.upsert, files, OCCASION)), requests.upsert],
    [ReadAnswer, read(requests.read, files, OCCASION), requests.read],
    [ListAnswer, list(requests.list, { rows, unreadable: [] }, { now: NOW, archiveDays: ARCHIVE_DAYS }), requests.list],
    [PatchAnswer, attempt(() => patch(requests.patch, files, OCCASION)), requests.patch],
    [LifecycleAnswer, attempt(() => changeLifecycle(requests.move, files, OCCASION)), requests.move],
    [CompareAnswer, compare(requests.compare, files, OCCASION), requests.compare],
    [RevalidateAnswer, attempt(() => revalidate(requests.revalidate, files, OCCASION)), requests.revalidate],
    [ArchiveAnswer, attempt(() => archive(requests.archive, files, OCCASION)), requests.archive],
    [RetrieveAnswer, retrieved(requests.retrieve, files), requests.retrieve],
  ];
  return all.filter(([, answer]) => answer !== null);
}

const ANSWERS = [
  UpsertAnswer,
  ReadAnswer,
  ListAnswer,
  PatchAnswer,
  LifecycleAnswer,
  CompareAnswer,
  RevalidateAnswer,
  ArchiveAnswer,
  RetrieveAnswer,
];

/** Names of members, and words of enumerations. */
const VOCABULARY = new Set(ANSWERS.flatMap((it) => textsIn(z.toJSONSchema(it, { unrepresentable: 'any' }))));

const isWord = (text: string): boolean => VOCABULARY.has(text);

/** Texts that are composed of words and of the time: paths, digests, dotted names and normalised values. */
function isComposed(text: string): boolean {
  if (/^memory\/continuity\/(archive\/)?thread-store(-20261123T120000Z)?\.json$/.test(text)) return true;
  if (/^[0-9a-f]{64}$/.test(text) || text === ago(0)) return true;
  // the id of a node
  if (text === 'thread:store' || text.startsWith('document:')) return true;
  const [, names = text] = /^(?:strip|drop_empty|dedup):(.+)$/.exec(text) ?? [];
  return names.split('.').every((it) => isWord(it) || ['one', 'two'].includes(it));
}

describe('the system "stores, merges, and retrieves this content but never originates it"', () => {
  test('property: every text of an answer occurs in an input, or is a word of the closed vocabulary', () => {
    fc.assert(
      fc.property(anyCapsule(60), (draft) => {
        const files = applied(noFiles(), upsert(upsertOf(draft), noFiles(), OCCASION));
        for (const [, answer, request] of answersTo(draft, files)) {
          const inputs = [...textsIn(draft), ...textsIn(request)];
          const originated = textsIn(answer).filter(
            (text) => !isWord(text) && !isComposed(text) && !inputs.some((it) => it.includes(text)),
          );
          expect(originated).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('property: every answer is what its schema says', () => {
    fc.assert(
      fc.property(anyCapsule(60), (draft) => {
        const files = applied(noFiles(), upsert(upsertOf(draft), noFiles(), OCCASION));
        for (const [schema, answer] of answersTo(draft, files)) expect(schema.parse(answer)).toEqual(answer);
      }),
      { numRuns: 30 },
    );
  });
});

test.each<[name: string, schema: { readonly options: readonly string[] }, words: string]>([
  ['subjects', SubjectKind, 'user peer thread task'],
  ['subjects with a lifecycle', ThreadKind, 'thread task'],
  ['lifecycles', Lifecycle, 'active suspended concluded superseded'],
  ['transitions', Transition, 'suspend resume conclude supersede'],
  ['ways to merge', MergeMode, 'replace preserve'],
  [
    'signals, the weakest first',
    SignalKind,
    'self_review external_observation peer_confirmation user_confirmation system_check',
  ],
  [
    'states of verification',
    VerificationStatus,
    'unverified self_attested externally_supported user_confirmed peer_confirmed system_confirmed conflicted',
  ],
  ['health, the best first', HealthStatus, 'healthy degraded conflicted'],
  ['classes of freshness', FreshnessClass, 'persistent durable situational ephemeral'],
  ['phases, the best first', Phase, 'fresh stale_soft stale_hard expired_by_age expired'],
  ['reasons of an update', UpdateReason, 'startup_refresh pre_compaction interaction_boundary manual migration'],
  ['sources of a capsule', SourceState, 'active fallback missing'],
  [
    'warnings of a recovery',
    RecoveryWarning,
    'continuity_active_missing continuity_active_invalid continuity_fallback_used continuity_fallback_missing continuity_fallback_write_failed startup_summary_build_failed trust_signals_compact trust_signals_aggregate_failed continuity_index_stale continuity_index_missing',
  ],
  [
    'warnings of a retrieval',
    RetrieveWarning,
    'continuity_stale_soft continuity_stale_hard continuity_expired continuity_degraded continuity_conflicted continuity_unhealthy_omitted continuity_capsule_truncated_to_zero continuity_salience_omitted',
  ],
])('the words of the specification for %s are exactly these', (_, { options }, words) => {
  expect(options).toEqual(words.split(' '));
});
