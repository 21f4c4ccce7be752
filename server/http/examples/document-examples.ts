import type { DOCUMENT_OPERATIONS } from '../../operations/document-operations.ts';
import type { ExamplesOf } from './example.ts';
import { COMMIT, COMMITTED_AT, REVISION, STUB, WRAP_UP } from './sample.ts';

/** Examples of compiled documents. */
export const DOCUMENT_EXAMPLES: ExamplesOf<typeof DOCUMENT_OPERATIONS> = {
  getBootStub: { query: { profile: 'generic' }, answer: STUB },
  getManifest: {
    answer: {
      entries: [
        {
          description: WRAP_UP.description,
          fact_uri: WRAP_UP.uri,
          load_triggers: {
            intents: ['I am done for now and want to stop', 'leave notes for the next session'],
            keywords: ['finish', 'exit', 'handover'],
          },
          name: WRAP_UP.name,
          token_estimate: WRAP_UP.tokens,
        },
      ],
      fact_uri: 'instruction:acme/agent/assistant/manifest/v1',
      last_updated_at: COMMITTED_AT,
      manifest_version: 'v1',
      token_count: 276,
    },
  },
  listUnits: {
    query: { limit: '1', after: 'limits', name: WRAP_UP.name, content: 'false' },
    answer: {
      units: [
        {
          name: WRAP_UP.name,
          fact_uri: WRAP_UP.uri,
          description: WRAP_UP.description,
          tokens: WRAP_UP.tokens,
          digest: WRAP_UP.digest,
        },
      ],
      next: null,
    },
  },
  publishManifest: {
    body: {
      version: 'v2',
      entries: [{ name: WRAP_UP.name, load_triggers: { keywords: ['finish', 'exit', 'handover', 'leave'] } }],
    },
    answer: {
      fact_uri: 'instruction:acme/agent/assistant/manifest/v2',
      token_count: 120,
      coverage_report: [{ name: WRAP_UP.name, coverage_pct: 1, hit_at_10: 1 }],
      recertify_by: null,
      commit: COMMIT,
      revision: REVISION,
      warnings: [],
    },
  },
  getCoverage: {
    answer: {
      manifest_version: 'v1',
      embedding_model_version: 'builtin@e114e1007514',
      evaluated_at: COMMITTED_AT,
      units: [
        {
          name: WRAP_UP.name,
          coverage_pct: 1,
          hit_at_10: 1,
          hit_at_3: 1,
          probe_count: 0,
          last_evaluated_at: COMMITTED_AT,
        },
      ],
    },
  },
  getFact: {
    answer: {
      uri: WRAP_UP.uri,
      name: WRAP_UP.name,
      version: 1,
      content: WRAP_UP.content,
      digest: WRAP_UP.digest,
      source_digest: '68c9f76d950780a57a90d464ec69cffb483ef7551517ac5518c6a4b761d59c1e',
      created_at: COMMITTED_AT,
      valid_until: '2026-11-22T09:00:00Z',
      authored_by: 'acme/human/jane',
      authored_at: COMMITTED_AT,
      source_trust: 0.5,
      verified: false,
      derived_from: null,
      commit: COMMIT,
      file: 'instructions/agents/assistant/wrap-up.md',
      attestation_chain: [
        {
          subject: WRAP_UP.uri,
          envelope: {
            payloadType: 'application/vnd.in-toto+json',
            payload: 'the garden’s statement in base64',
            signatures: [{ keyid: 'sha256 of the public key', sig: 'the signature in base64' }],
          },
        },
      ],
    },
  },
};
