import { describe, expect, test } from 'vitest';
import {
  SharedArtefact,
  SharedCreateRequest,
  SharedUpdateRequest,
} from '../../../compiler/continuity/schema/coordination/shared.ts';
import { refused, type Json } from '../capsules.ts';
import { coordination } from './artefacts.ts';

const create = (request: object) =>
  ({ verb: 'createShared', request: SharedCreateRequest.parse({ title: 'release', ...request }) }) as const;
const update = (request: object) =>
  ({ verb: 'updateShared', request: SharedUpdateRequest.parse({ title: 'release', ...request }) }) as const;

/** An artefact of ann, whom bob reads. */
function shared() {
  const { ask } = coordination();
  const request = { participant_peers: ['bob'], constraints: ['no deploys'], summary: 'what we keep to' };
  const { shared_id: id } = ask('shared', 'ann', create(request)).value;
  return (who: string, asked: object, more = {}) => ask('shared', who, update(asked), { id, ...more });
}

describe('POST /v1/coordination/shared/create', () => {
  test('a new artefact is version 1 of its owner, with what it says', () => {
    const { value } = coordination().ask(
      'shared',
      'ann',
      create({ participant_peers: ['bob'], drift_signals: ['late'] }),
    );
    expect(SharedArtefact.parse(value)).toEqual(value);
    expect(value).toMatchObject({ version: 1, owner_peer: 'ann', participant_peers: ['bob'], summary: null });
    expect(value.shared_state).toEqual({ constraints: [], drift_signals: ['late'], coordination_alerts: [] });
  });

  test('the same key and request make one artefact; the key of another request is refused', () => {
    const { ask } = coordination();
    const asked = (title: string) => create({ title, idempotency_key: 'k', participant_peers: ['bob'] });
    const first = ask('shared', 'ann', asked('one'), { id: 'same' });
    expect(first.isChanged).toBe(true);
    expect(ask('shared', 'ann', asked('one'), { id: 'same' })).toEqual({ value: first.value, isChanged: false });
    refused('idempotency_conflict', () => ask('shared', 'ann', asked('two'), { id: 'same' }));
  });

  test('participants are optional', () => {
    expect(coordination().ask('shared', 'ann', create({})).value.participant_peers).toEqual([]);
  });

  test.each([[['ann']], [['bob', 'bob']]])('%j are no participants of ann', (participant_peers) => {
    const { ask } = coordination();
    expect(refused('coordination_invalid', () => ask('shared', 'ann', create({ participant_peers })))).toEqual({
      field: 'participant_peers',
    });
  });

  const texts = (count: number, length = 1) => Array.from({ length: count }, () => 'x'.repeat(length));
  const lists = ['constraints', 'drift_signals', 'coordination_alerts'].flatMap((name): [Json, boolean][] => [
    [{ [name]: texts(8, 160) }, true],
    [{ [name]: texts(9) }, false],
    [{ [name]: texts(1, 161) }, false],
    [{ [name]: [''] }, false],
    [{ [name]: null }, true],
  ]);

  test.each<[Json, boolean]>([
    ...lists,
    [{ title: undefined }, false],
    [{ title: '' }, false],
    [{ title: 't'.repeat(120) }, true],
    [{ title: 't'.repeat(121) }, false],
    [{ summary: 's'.repeat(240) }, true],
    [{ summary: 's'.repeat(241) }, false],
    [{ participant_peers: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] }, true],
    [{ participant_peers: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] }, false],
    [{ task_id: 't'.repeat(201) }, false],
    [{ thread_id: 't'.repeat(201) }, false],
    [{ version: 2 }, false],
  ])('%j is valid: %s', (more, isValid) => {
    expect(SharedCreateRequest.safeParse({ title: 'release', ...more }).success).toBe(isValid);
  });
});

describe('POST /v1/coordination/shared/{shared_id}/update', () => {
  test('replaces what it says, as the next version; its participants stay', () => {
    const { value } = shared()('ann', { expected_version: 1, coordination_alerts: ['staging is shared'] });
    expect(value).toMatchObject({ version: 2, participant_peers: ['bob'], summary: null });
    expect(value.shared_state).toEqual({
      constraints: [],
      drift_signals: [],
      coordination_alerts: ['staging is shared'],
    });
  });

  test.each([2, 7])('expected_version %s is a conflict that names the stored version', (expected_version) => {
    const details = refused('coordination_conflict', () => shared()('ann', { expected_version }));
    expect(details).toEqual({ expected_version, version: 1 });
  });

  test('of two writers of one version the first wins', () => {
    const write = shared();
    write('ann', { expected_version: 1, title: 'first' });
    expect(refused('coordination_conflict', () => write('ann', { expected_version: 1, title: 'second' }))).toEqual({
      expected_version: 1,
      version: 2,
    });
  });

  test('a participant reads and does not write; for anybody else there is none', () => {
    const write = shared();
    refused('instruction_scope_denied', () => write('bob', { expected_version: 1 }));
    refused('instruction_scope_denied', () => write('default', { expected_version: 1 }, { isAdmin: true }));
    refused('coordination_not_found', () => write('eve', { expected_version: 1 }));
  });

  test.each([{}, { expected_version: 0 }, { expected_version: 1.5 }, { expected_version: 1, participant_peers: [] }])(
    '%j is no update',
    (more) => {
      expect(SharedUpdateRequest.safeParse({ title: 'release', ...more }).success).toBe(false);
    },
  );
});
