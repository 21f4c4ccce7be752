import { resolve } from 'node:path';
import { readRole } from '../../capabilities/use-cases/role-subject.ts';
import { withApprovals } from '../../gardens/approvals/approved-text.ts';
import { writtenBy } from '../../gardens/approvals/branch-approvers.ts';
import { modelIn } from '../../gardens/language/model-for-language.ts';
import { judgeVersion } from '../../gardens/quarantine.ts';
import { authorsOf, legacyTexts } from '../../gardens/unit-authors.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { VadeError } from '../../schema/errors.ts';
import { agentUnknown } from '../../schema/known-keys.ts';
import { ROLE_KINDS } from '../../schema/source/approval.ts';
import { type Language, languageOf } from '../../schema/source/language.ts';
import { shownPath, type Sources, type TreeFile } from '../../schema/source/sources.ts';
import type { Delivery, Unit } from '../../schema/source/unit.ts';
import { gardenId, SHARED } from '../../schema/uri.ts';
import { unitName } from '../../sources/classify-files.ts';
import { parseText, parseUnit } from '../../sources/unit.ts';
import { claimsOf, neededUnder } from '../../trust/approval.ts';
import { sha256 } from '../../trust/canonical.ts';
import { bypassClaim } from '../../trust/certificate.ts';
import { isProven, writersOf } from '../../trust/consent.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { hubOf } from '../../world/model-hub.ts';
import type { World } from '../../world/world.ts';
import type { APPROVE } from '../flags/trust.ts';
import { type FoundSubject, readLanguage, readPhrases, type UnsignedSubject, WHOLE } from './found-subject.ts';
import { openSite, type OpenSite } from './open-site.ts';

export type SubjectFlags = Arguments<typeof APPROVE> & { readonly agent: string };

export interface SubjectDraft {
  readonly subject: UnsignedSubject;
  /** Entity URIs of all authors: none of them may approve it. */
  readonly authors: ReadonlySet<string>;
  /** The commits of the branch that an entity wrote, by ID, oldest first. */
  readonly onBranch: (entity: string) => readonly string[];
  readonly trust: OpenSite['trust'];
  /** Number of administrators who must approve; null without a trust root. */
  readonly needed: number | null;
  readonly notices: Sources['notices'];
}

/** Reads the subject of an approval from the sources at a ref. */
export async function readSubject(flags: SubjectFlags, world: World): Promise<SubjectDraft> {
  const at = await openSite(flags, flags.agent, world);
  const { agent: garden, kind } = flags;
  const ofRole = (ROLE_KINDS as readonly string[]).includes(kind);
  if (!ofRole && garden !== SHARED && !at.agents.has(garden)) {
    throw agentUnknown(`${at.sources.folder}/agents/`, garden, [...at.agents.keys()].sort());
  }
  const base = { deployment: at.org.deployment, garden, kind };
  const found = await readFound(at, flags, world);
  const { trust, sources, past } = at;
  const needed = trust && Math.max(neededUnder(trust.root, found.authors.proven), found.least ?? 1);
  const branch = await sources.branch(flags.base ?? null, null);
  return {
    subject: { ...base, ...found.of },
    authors: found.authors.names,
    onBranch: (entity) => writtenBy(entity, branch, past.register, sources.folder),
    trust,
    needed,
    notices: sources.notices,
  };
}

/** The subject of an approval, by its kind. */
async function readFound(at: OpenSite, flags: SubjectFlags, world: World): Promise<FoundSubject> {
  switch (flags.kind) {
    case 'role':
    case 'bypass':
      return readRole(at, flags);
    case 'grant':
      return readGrant(at, flags.agent, flags.reader);
    case 'phrase_capture':
      return readPhrases(at, flags);
    case 'skip_coverage_gate':
      return readCoverage(at, flags, world);
    case 'other_language':
      return readLanguage(
        at,
        flags.agent,
        unitsOf(at, flags.agent).map(({ unit }) => unit),
      );
    default:
      return readUnit(at, flags);
  }
}

function readUnit(at: OpenSite, { agent: garden, unit: name, kind }: SubjectFlags): FoundSubject {
  const file = filesOf(at, garden).find(({ path }) => unitName(path) === name);
  if (!file) throw new VadeError('fact_not_found', `garden ${garden} has no unit ${name ?? ''} at this commit`);
  const { delivery } = parse(at, file, garden);
  const versions = at.versions(file);
  const fact = versions.at(-1);
  if (!fact) throw new VadeError('fact_not_found', `unit ${name ?? ''} has no version at this commit`);
  const { deployment } = at.org;
  const claims = claimsOf(deployment, garden, { ...fact, delivery }, legacyDigest(at, delivery));
  const claim = claims.find((it) => it.kind === kind);
  if (!claim) {
    const message = `unit ${name ?? ''} does not request ${kind}: there is nothing to approve`;
    throw new VadeError('argument_invalid', message, { flag: 'kind' });
  }
  const history = versions.slice(0, -1);
  const legacy = delivery.path === null ? [] : legacyTexts(at.past, delivery.path);
  const own = (at.administratorDecisions?.approvals ?? []).filter(({ approval }) => approval.garden === garden);
  return {
    of: { ...claim, source_digest: fact.source_digest },
    authors: authorsOf(
      { fact, history, legacy },
      own,
      kind,
      at.administratorDecisions ?? { threshold: 1, unproven: 1 },
    ),
  };
}

/** sha256 of the legacy file that a compile uses as the unit's text; null if the unit names none. */
function legacyDigest({ legacy, past }: OpenSite, { path }: Delivery): string | null {
  if (path === null) return null;
  const file = legacy.find((it) => it.path === path);
  const bytes = file && past.blob(file.blob);
  const { value, faults } = bytes ? parseText(path, bytes) : { value: null, faults: [] };
  if (value !== null) return sha256(value);
  throw new VadeError(
    'sources_invalid',
    `${path} cannot be used as the text of the unit; vade compile reports the reason`,
    {
      faults,
    },
  );
}

/** §21.4.4: a grant lets another agent read the whole garden. */
function readGrant(at: OpenSite, garden: string, reader: string | undefined): FoundSubject {
  if (reader === undefined || reader === garden || !at.agents.has(reader)) {
    throw new VadeError('agent_not_found', `--reader must name another agent of ${at.sources.folder}/agents/`);
  }
  const id = gardenId(at.org.deployment, at.agents.get(garden)?.config.agent_id ?? SHARED);
  return { of: { ...WHOLE, value: reader, digest: sha256(id) }, authors: { names: new Set(), proven: true } };
}

/**
 * §21.8.3 S7, S10: the gate is bypassed for exactly these texts and model; if any is guaranteed, by two administrators.
 *
 * The approval covers the facts in force: the gate does not judge quarantined units, and no agent finds them. So units
 * are screened here as a compile screens them. If a quarantined unit returns, the approval no longer applies.
 */
async function readCoverage(
  at: OpenSite,
  { agent: garden, models }: SubjectFlags,
  world: World,
): Promise<FoundSubject> {
  const units: { fact: FactVersion; delivery: Delivery }[] = [];
  for (const { owner, file, unit } of unitsOf(at, garden)) {
    const fact = await versionInForce(at, owner, { unit, file });
    if (fact) units.push({ fact, delivery: unit.delivery });
  }
  const facts = units.map((it) => it.fact);
  const authors = { names: new Set(facts.flatMap(writersOf)), proven: facts.every(isProven) };
  const least = units.some(({ delivery }) => delivery.guarantee_load) ? 2 : 1;
  const language = languageOf(at.org, at.agents.get(garden)?.config ?? null);
  const model = await modelOf(at.org, models, language, world);
  const { value, digest, model: pinned } = bypassClaim(at.org.deployment, garden, { facts, model });
  return { of: { ...WHOLE, value, digest, model: pinned }, authors, least };
}

/** The pin of the model that a compile measures with in a language; null without one. @throws model_unavailable */
async function modelOf({ model }: OpenSite['org'], models: string, language: Language, world: World) {
  if (model === 'none') return null;
  const { loadEncoder } = await import('../../io/models/encoder.ts');
  return modelIn(language, await loadEncoder(resolve(world.cwd, models), model, hubOf(world)))?.pin ?? null;
}

/** The version of a unit that a compile puts in force; null if it quarantines the unit. */
async function versionInForce(
  { org, administratorDecisions, read, versions }: OpenSite,
  garden: string,
  { unit, file }: { readonly unit: Unit; readonly file: TreeFile },
) {
  const last = versions(file).at(-1);
  if (!last) return null;
  const { approvals, withdrawn } = administratorDecisions ?? { approvals: [], withdrawn: new Set<string>() };
  const fact = withApprovals(last, garden, approvals);
  const { reason } = await judgeVersion(
    { org, administratorDecisions: { withdrawn } },
    { fact, unit },
    read(file).toString('utf8'),
  );
  return reason === null ? fact : null;
}

/** The units of an agent's garden, its own and the shared ones, as they are in the sources. */
function unitsOf(at: OpenSite, garden: string): { owner: string; file: TreeFile; unit: Unit }[] {
  const gardens = [...new Set([garden, SHARED])];
  return gardens.flatMap((owner) => filesOf(at, owner).map((file) => ({ owner, file, unit: parse(at, file, owner) })));
}

function filesOf({ site }: OpenSite, garden: string): readonly TreeFile[] {
  return garden === SHARED ? site.shared : (site.agents.get(garden)?.units ?? []);
}

function parse({ read }: OpenSite, file: TreeFile, garden: string): Unit {
  const { value, faults } = parseUnit(file, read(file), garden);
  if (value) return value;
  throw new VadeError(
    'sources_invalid',
    `${shownPath(file)} has errors; nothing in it can be approved until they are fixed`,
    { faults },
  );
}
