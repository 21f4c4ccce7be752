import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ArtefactRequest } from '../../../compiler/continuity/coordination/change.ts';
import { partiesOf } from '../../../compiler/continuity/coordination/parties.ts';
import { ARTEFACTS, type ArtefactKind } from '../../../compiler/continuity/schema/coordination/artefact.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { textsIn } from '../texts-in.ts';
import { coordination, DRAFT } from './artefacts.ts';

const PEERS = ['ann', 'bob', 'cid'];
const peer = fc.constantFrom(...PEERS);
const said = fc.string({ minLength: 1, maxLength: 20 });
const list = fc.array(said, { maxLength: 3 });
const id = fc.constantFrom('handoff_1', 'shared_2', 'shared_3', 'reconciliation_4', 'handoff_5', 'reconciliation_6');
const kindOf = (of: string) => of.replace(/_\d+$/, '') as ArtefactKind;

/** Requests of any order, of which many are refused. */
const asked = fc.oneof(
  fc
    .record({ recipient_peer: peer, note: said, active_constraints: list })
    .map(({ recipient_peer, note, active_constraints }): ArtefactRequest => ({
      verb: 'createHandoff',
      request: { ...DRAFT, recipient_peer, note, shared_continuity: { active_constraints, drift_signals: [] } },
    })),
  fc
    .record({ status: fc.constantFrom('accepted_advisory', 'deferred', 'rejected'), note: said })
    .map((request): ArtefactRequest => ({ verb: 'consumeHandoff', request })),
  fc
    .record({ title: said, participant_peers: fc.uniqueArray(peer), constraints: list })
    .map((request): ArtefactRequest => ({ verb: 'createShared', request })),
  fc
    .record({ expected_version: fc.integer({ min: 1, max: 3 }), title: said, constraints: list })
    .map((request): ArtefactRequest => ({ verb: 'updateShared', request })),
  fc
    .record({ title: said, source_id: id, claimant_peer: peer, claim_summary: said })
    .map(({ title, source_id, claimant_peer, claim_summary }): ArtefactRequest => ({
      verb: 'openReconciliation',
      request: {
        title,
        classification: 'contradictory',
        trigger: 'handoff_vs_shared',
        claims: [
          {
            ...{ source_id, claimant_peer, claim_summary, epistemic_status: 'frame_status_unknown' },
            source_kind: kindOf(source_id) === 'shared' ? 'shared' : 'handoff',
            observed_version: kindOf(source_id) === 'shared' ? 1 : null,
          },
        ],
      },
    })),
  fc
    .record({ expected_version: fc.integer({ min: 1, max: 2 }), resolution_summary: said })
    .map((request): ArtefactRequest => ({
      verb: 'resolveReconciliation',
      request: { ...request, outcome: 'rejected' },
    })),
);

const KIND_OF: Readonly<Record<ArtefactRequest['verb'], ArtefactKind>> = {
  createHandoff: 'handoff',
  consumeHandoff: 'handoff',
  createShared: 'shared',
  updateShared: 'shared',
  openReconciliation: 'reconciliation',
  resolveReconciliation: 'reconciliation',
};

const WORDS = new Set(Object.values(ARTEFACTS).flatMap((it) => textsIn(z.toJSONSchema(it))));
const isComposed = (text: string) => text === '2026-11-23T12:00:00Z' || /^[a-z]+_\d+$/.test(text);

/** Answers, each with its receiver; a refusal is no answer. */
function perform(requests: readonly (readonly [caller: string, of: string, asked: ArtefactRequest])[]) {
  const { ask } = coordination();
  const inputs = new Set<string>([...PEERS, ...textsIn(DRAFT)]);
  return requests.flatMap(([caller, of, it]) => {
    const isNew = /^(create|open)/.test(it.verb);
    const kind = KIND_OF[it.verb];
    try {
      const { value } = ask(kind, caller, it, isNew ? {} : { id: of });
      for (const text of textsIn(it.request)) inputs.add(text);
      return [{ caller, kind, value, inputs: new Set(inputs) }];
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      return [];
    }
  });
}

const requests = fc.array(fc.tuple(peer, id, asked), { maxLength: 25 });

test('property: every text of an artefact was sent by somebody, or is a word of the closed vocabulary', () => {
  fc.assert(
    fc.property(requests, (all) => {
      for (const { value, inputs } of perform(all)) {
        const originated = textsIn(value).filter((it) => !WORDS.has(it) && !isComposed(it) && !inputs.has(it));
        expect(originated).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('property: whoever is answered is a party of the artefact, which is what its schema says', () => {
  fc.assert(
    fc.property(requests, (all) => {
      for (const { caller, kind, value } of perform(all)) {
        expect(ARTEFACTS[kind].parse(value)).toEqual(value);
        const peers = partiesOf({ kind, value } as Parameters<typeof partiesOf>[0]).map((it) => it.peer);
        expect(peers).toContain(caller);
      }
    }),
    { numRuns: 60 },
  );
});
