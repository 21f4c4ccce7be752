import { z } from 'zod';
import { Attested } from '../../../compiler/schema/api/attested.ts';
import { Publication } from '../../../compiler/schema/api/publication.ts';
import { Published } from '../../../compiler/schema/api/published.ts';
import { Units, UnitsQuery } from '../../../compiler/schema/api/units.ts';
import { Manifest } from '../../../compiler/schema/bundle/manifest.ts';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import { CoverageReport } from '../../../compiler/schema/report/coverage-report.ts';
import { parseUri } from '../../../compiler/schema/uri.ts';
import { gardenOf, ownAgent } from '../../auth/authorize.ts';
import { bootStub, coverage, manifest, listUnits, skillFile } from '../documents.ts';
import { jsonSuccess, operation } from '../operation.ts';
import { publishManifest, requirePublisher } from '../publish.ts';
import { readAttested } from '../read-attested.ts';
import { document, value } from '../result.ts';

/** Errors that publishing a manifest can end with (§21.8.3). */
const PUBLISHING: readonly ErrorCode[] = [
  ...(['publish_disabled', 'agent_not_found', 'manifest_version_conflict', 'manifest_too_large'] as const),
  ...(['manifest_entry_invalid', 'manifest_coverage_failure', 'task_type_unknown', 'sources_invalid'] as const),
  ...(['guarantee_cap_exceeded', 'task_types_approval_required', 'guarantee_approval_required'] as const),
  ...(['position_approval_required', 'bypass_approval_required'] as const),
];

/** Members of an operation by which an agent reads a document of its own. */
const AGENT_READS = { method: 'get', access: 'agents', effect: 'read', permit: gardenOf } as const;

/** Compiled documents: stubs, manifests, coverage, facts (§21.8.1 to §21.8.3, §21.8.6, §21.4.3). */
export const DOCUMENT_OPERATIONS = {
  getBootStub: operation({
    ...AGENT_READS,
    path: '/v1/agents/{agent_id}/boot-stub',
    summary: 'The boot stub for an adapter profile (§21.8.1)',
    query: z.object({ profile: z.string().default('generic').catch('generic') }),
    success: {
      status: 200,
      description: 'The stub, as signed; an unknown profile falls back to generic',
      type: 'text/markdown',
      headers: {
        'X-Stub-Version': 'Version of the stub schema',
        'X-Manifest-Version': 'Version of its manifest',
        'X-Token-Count': 'Tokens in the body',
      },
      cached: true,
    },
    errors: ['agent_not_found', 'boot_stub_not_found'],
    run: (call, { query }) => document(bootStub(call, query.profile), 'text/markdown'),
  }),
  getManifest: operation({
    ...AGENT_READS,
    path: '/v1/agents/{agent_id}/instruction-manifest',
    summary: 'The list of an agent’s units (§21.8.2)',
    success: { ...jsonSuccess('The manifest, byte for byte as signed', Manifest), cached: true },
    errors: ['agent_not_found', 'manifest_not_found'],
    run: (call) => document(manifest(call), 'application/json'),
  }),
  listUnits: operation({
    ...AGENT_READS,
    path: '/v1/agents/{agent_id}/units',
    summary: 'The units that recall can find, page by page',
    query: UnitsQuery,
    success: jsonSuccess('A page of units, by name', Units),
    errors: ['agent_not_found'],
    run: (call, { query }) => value(listUnits(call, query)),
  }),
  getSkillFile: operation({
    ...AGENT_READS,
    path: '/v1/agents/{agent_id}/skills/{unit}/{file_path}',
    summary: 'A file of a skill in place',
    description: 'Answers name it as `skill://{unit}/{file_path}`. A tool answers in base64.',
    success: { status: 200, description: 'Its bytes', type: 'application/octet-stream', cached: true },
    errors: ['agent_not_found', 'fact_not_found'],
    run: (call, { path: { unit = '', file_path = '' } }) =>
      document(skillFile(call, unit, file_path), 'application/octet-stream'),
  }),
  publishManifest: operation({
    method: 'put',
    path: '/v1/agents/{agent_id}/instruction-manifest',
    summary: 'Replace a manifest, if the server allows publishing (§21.8.3)',
    access: 'admins',
    effect: 'write',
    body: Publication,
    // passed on as received: the compiler validates it against the sources
    reads: 'raw',
    limit: null,
    success: jsonSuccess('The result; every gate passed', Published),
    errors: PUBLISHING,
    permit: requirePublisher,
    permitsFirst: true,
    isDisabled: ({ services }) => services.publish === null,
    run: async (call, { raw }) => value(await publishManifest(call, raw)),
  }),
  getCoverage: operation({
    ...AGENT_READS,
    path: '/v1/agents/{agent_id}/instruction-manifest/coverage',
    summary: 'How well an agent’s units are found (§21.8.6)',
    success: jsonSuccess('The report; its categorical label only for administrators', CoverageReport),
    errors: ['agent_not_found', 'coverage_not_found'],
    run: (call) => value(coverage(call)),
  }),
  getFact: operation({
    method: 'get',
    path: '/v1/facts/{fact_uri}',
    summary: 'One fact, in force or superseded, with its attestation (§21.4.3)',
    access: 'agents',
    effect: 'read',
    success: jsonSuccess('The fact', Attested),
    errors: ['fact_not_found'],
    // from the snapshot of the fact's agent; a shared fact from the snapshot of the caller's agent
    about: ({ fact_uri = '' }, identity) => parseUri(fact_uri)?.agent ?? ownAgent(identity),
    // readAttested decides by the garden that the URI names
    permit: () => undefined,
    run: (call, { path }) => value(readAttested(call, path['fact_uri'] ?? '')),
  }),
};
