import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from '../../compiler/continuity/read.ts';
import { ReadRequest } from '../../compiler/continuity/schema/reading/read.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { anyCapsule } from './arbitrary.ts';
import { NOW, stored, without } from './capsules.ts';
import { retrieved, stateOf } from './retrieving.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const VIEWS = [{ view: 'startup' }, { allow_fallback: true }, { view: 'startup', allow_fallback: true }];

/** The bytes of the capsule in a reading. */
const readBytes = (files: SubjectFiles, more: object = {}) =>
  JSON.stringify(read(ReadRequest.parse({ ...SUBJECT, ...more }), files, { now: NOW }).capsule);

test('property: the capsule is the same byte for byte in every view, as a fallback, and in a retrieval with room', () => {
  fc.assert(
    fc.property(anyCapsule(60), (draft) => {
      const held = stored(draft);
      const bytes = readBytes(held);
      for (const more of VIEWS) expect(readBytes(held, more)).toBe(bytes);
      expect(readBytes({ ...held, active: null }, { view: 'startup', allow_fallback: true })).toBe(bytes);
      const [entry] = stateOf(retrieved([held], { max_tokens_estimate: 100_000 })).capsules;
      expect(JSON.stringify(without(entry, 'source_state', 'trust_signals', 'salience'))).toBe(bytes);
    }),
    { numRuns: 50 },
  );
});
