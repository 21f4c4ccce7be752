import type { ZodType } from 'zod';
import type { LoadedGarden } from '../../compiler/io/bundle/load-garden.ts';
import { reportCoverage } from '../../compiler/quality/unit-coverage/coverage-report.ts';
import type { RecallFact } from '../../compiler/recall/recall-garden.ts';
import type { ListedUnit, Units, UnitsQuery } from '../../compiler/schema/api/units.ts';
import type { AuditPageEntry } from '../../compiler/schema/audit/page.ts';
import { Coverage } from '../../compiler/schema/bundle/coverage.ts';
import { skillPlace } from '../../compiler/schema/bundle/skill.ts';
import { STUB_VERSION } from '../../compiler/schema/bundle/stub-version.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { CoverageReport } from '../../compiler/schema/report/coverage-report.ts';
import { ProbeReport } from '../../compiler/schema/source/probe.ts';
import { parseUri, SHARED } from '../../compiler/schema/uri.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { refusalOf } from '../audit/failures.ts';
import { gardenOf } from '../auth/authorize.ts';
import type { Call } from './call.ts';

/** A document with its headers. */
export interface ServedDocument {
  readonly body: string | Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A document that is identified by its bytes. */
export function servedDocument(body: ServedDocument['body'], headers: ServedDocument['headers'] = {}): ServedDocument {
  return { body, etag: `"${sha256(body)}"`, headers };
}

/** The verified garden of a call, if the caller may act on it. */
export function loadRequestedGarden(call: Call): LoadedGarden {
  return call.snapshot.gardens.load(gardenOf(call));
}

/** The agent's id in the audit. */
export function agentIdOf(garden: LoadedGarden): string {
  return garden.predicate.agent?.agent_id ?? '';
}

/** §21.8.1: the boot stub for a profile; an unknown profile falls back to generic. */
export function bootStub(call: Call, profile: string): ServedDocument {
  const garden = loadRequestedGarden(call);
  const stub = garden.stub(profile);
  if (!stub) throw new VadeError('boot_stub_not_found', 'no boot stub was generated for this agent');
  return {
    body: stub.text,
    etag: `"${garden.proven.digest}-${stub.profile}"`,
    headers: {
      'X-Stub-Version': String(STUB_VERSION),
      'X-Manifest-Version': garden.predicate.manifest_version ?? '',
      'X-Token-Count': String(stub.token_count),
    },
  };
}

/** §21.8.2: the manifest, byte for byte as signed. */
export function manifest(call: Call): ServedDocument {
  const garden = loadRequestedGarden(call);
  if (!garden.manifest) throw new VadeError('manifest_not_found', 'no manifest is configured for this agent');
  return { body: garden.manifest, etag: `"${garden.proven.digest}"`, headers: {} };
}

/** §21.8.6: how well each unit is found; the label only for administrators (S11). */
export function coverage(call: Call): CoverageReport {
  const { proven, predicate } = loadRequestedGarden(call);
  const read = <T>(path: string, schema: ZodType<T>): T | null => {
    const bytes = call.snapshot.gardens.file(proven.name, path);
    return bytes && schema.parse(JSON.parse(bytes.toString('utf8')));
  };
  const judged = read('coverage.json', Coverage);
  const version = predicate.manifest_version;
  if (judged === null || version === null) {
    throw new VadeError('coverage_not_found', 'no coverage report was generated for this agent');
  }
  const labelled = call.identity.holder.kind === 'admin';
  return reportCoverage(version, judged, read('probes.json', ProbeReport), labelled);
}

/** The newest audit entries of an agent; only for administrators. */
export async function auditEntries(
  call: Call,
  page: { readonly limit: number; readonly before: number },
): Promise<{ entries: readonly AuditPageEntry[] }> {
  const { audit } = call.services;
  const agent = agentIdOf(loadRequestedGarden(call));
  try {
    return { entries: await audit.list(agent, page.limit, page.before) };
  } catch (error) {
    throw refusalOf(error, 'read');
  }
}

/** The units that recall can answer with now, by name: neither expired nor withdrawn, nor without a text. */
export function listUnits(call: Call, { limit, after = '', name, content }: UnitsQuery): Units {
  const served = factsServed(call);
  // facts are sorted by name
  const wanted = served.filter((it) => (name === undefined ? it.name > after : it.name === name));
  const page = wanted.slice(0, limit);
  return {
    units: page.map((it) => listed(it, content === 'true')),
    next: wanted.length > page.length ? (page.at(-1)?.name ?? null) : null,
  };
}

function factsServed(call: Call): RecallFact[] {
  const { recall } = loadRequestedGarden(call);
  const now = call.services.now();
  return recall.facts.filter((_, unit) => (recall.until[unit] ?? 0) > now && !recall.withdrawn.has(unit));
}

function listed({ name, uri, delivery, tokens, digest, content, skill }: RecallFact, withContent: boolean): ListedUnit {
  return {
    ...{ name, fact_uri: uri, description: delivery.description, tokens, digest },
    ...(withContent && { content, ...(skill && { skill: { description: skill.description, files: skill.files } }) }),
  };
}

/**
 * A file of a skill, with the bytes that the bundle has. Its path is compared with the garden's list, and leads nowhere
 * else. Untrusted.
 *
 * @throws fact_not_found
 */
export function skillFile(call: Call, unit: string, path: string): ServedDocument {
  const fact = factsServed(call).find(({ name }) => name === unit);
  const file = fact?.skill?.files.find((it) => it.path === path);
  const garden = parseUri(fact?.uri ?? '')?.agent === null ? SHARED : gardenOf(call);
  const place = skillPlace(fact?.skill?.folder ?? '', path);
  const bytes = file?.digest === undefined ? null : call.snapshot.gardens.file(garden, place);
  if (file?.digest === undefined || bytes === null)
    throw new VadeError('fact_not_found', 'no skill of this name has such a file in the bundle');
  return { body: bytes, etag: `"${file.digest}"`, headers: {} };
}
