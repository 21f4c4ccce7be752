import type { Approval, ApprovalKind } from '../../model/approval.ts';
import { VadeError } from '../../model/errors.ts';
import type { Sources, TreeFile } from '../../model/sources.ts';
import { gardenId, SHARED } from '../../model/uri.ts';
import type { Unit } from '../../model/unit.ts';
import { authorsOf } from '../../stages/approve.ts';
import { parseUnit } from '../../stages/parse.ts';
import { unitName } from '../../stages/survey.ts';
import { writersOf } from '../../trust/authority.ts';
import { deliveryDigest, manifestInputDigest, requiredApprovals } from '../../trust/approval.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { World } from '../registry.ts';
import { openSite, type OpenSite, type SiteFlags } from './approvesite.ts';

export interface SubjectFlags extends SiteFlags {
  readonly kind: ApprovalKind;
  readonly agent: string;
  readonly unit: string | undefined;
  readonly reader: string | undefined;
}

/** What there is to say yes to, before anybody says it. */
export type Subject = Omit<Approval, 'note' | 'expires'>;

export interface Asked {
  readonly subject: Subject;
  /** Entity URIs of everybody who wrote it: none of them may approve it. */
  readonly authors: ReadonlySet<string>;
  readonly trust: OpenSite['trust'];
  /** How many administrators it takes; null where no trust root says so. */
  readonly needed: number | null;
  readonly notices: Sources['notices'];
}

/** Reads what an approval would be of, from the sources at a ref. */
export async function readSubject(flags: SubjectFlags, world: World): Promise<Asked> {
  const at = await openSite(flags, flags.agent, world);
  const { agent: garden, kind } = flags;
  if (garden !== SHARED && !at.agents.has(garden)) {
    throw new VadeError('agent_not_found', `${at.sources.folder}/agents/ has no agent ${garden}`);
  }
  const base = { deployment: at.org.deployment, garden, kind };
  const found =
    kind === 'grant'
      ? readGrant(at, garden, flags.reader)
      : kind === 'skip_coverage_gate'
        ? readCoverage(at, garden)
        : readUnit(at, flags);
  const { trust, sources } = at;
  const needed = trust && Math.max(trust.root.thresholds.approval, found.least ?? 1);
  return { subject: { ...base, ...found.of }, authors: found.authors, trust, needed, notices: sources.notices };
}

interface Found {
  readonly of: Omit<Subject, 'deployment' | 'garden' | 'kind'>;
  readonly authors: ReadonlySet<string>;
  /** Fewer administrators than this are not enough, whatever the trust root says. */
  readonly least?: number;
}

function readUnit(at: OpenSite, { agent: garden, unit: name, kind }: SubjectFlags): Found {
  const file = filesOf(at, garden).find(({ path }) => unitName(path) === name);
  if (!file) throw new VadeError('fact_not_found', `garden ${garden} has no unit ${name ?? ''} at this commit`);
  const { delivery } = parse(at, file, garden);
  const asked = requiredApprovals(delivery).find((it) => it.kind === kind);
  if (!asked) {
    const message = `unit ${name ?? ''} does not ask for ${kind}: there is nothing to approve`;
    throw new VadeError('argument_invalid', message, { flag: 'kind' });
  }
  const versions = at.versions(file);
  const fact = versions.at(-1);
  if (!fact) throw new VadeError('fact_not_found', `unit ${name ?? ''} has no version at this commit`);
  const own = (at.decisions?.approvals ?? []).filter(({ approval }) => approval.garden === garden);
  return {
    of: {
      unit: fact.name,
      value: asked.value,
      digest: sha256(fact.content),
      delivery: deliveryDigest(delivery),
      source_digest: fact.source_digest,
    },
    authors: authorsOf(fact, versions.slice(0, -1), own, kind, at.decisions?.threshold ?? 1),
  };
}

/** §21.4.4: another agent may read the whole garden. */
function readGrant(at: OpenSite, garden: string, reader: string | undefined): Found {
  if (reader === undefined || reader === garden || !at.agents.has(reader)) {
    throw new VadeError('agent_not_found', `--reader names no other agent of ${at.sources.folder}/agents/`);
  }
  const id = gardenId(at.org.deployment, at.agents.get(garden)?.config.agent_id ?? SHARED);
  return { of: { ...WHOLE, value: reader, digest: sha256(id) }, authors: new Set() };
}

/** §21.8.3 S7, S10: the gate is passed by for exactly these texts; by two, where any of them is guaranteed. */
function readCoverage(at: OpenSite, garden: string): Found {
  const files = [...filesOf(at, garden), ...(garden === SHARED ? [] : at.site.shared)];
  const facts = files.flatMap((file) => at.versions(file).at(-1) ?? []);
  const authors = new Set(facts.flatMap(writersOf));
  const least = files.some((file) => parse(at, file, garden).delivery.guarantee_load) ? 2 : 1;
  return { of: { ...WHOLE, value: 'coverage', digest: manifestInputDigest(facts) }, authors, least };
}

const WHOLE = { unit: null, delivery: null, source_digest: null };

function filesOf({ site }: OpenSite, garden: string): readonly TreeFile[] {
  return garden === SHARED ? site.shared : (site.agents.get(garden)?.units ?? []);
}

function parse({ read }: OpenSite, file: TreeFile, garden: string): Unit {
  const { value, faults } = parseUnit(file, read(file), garden);
  if (value) return value;
  throw new VadeError('sources_invalid', `${file.path} has faults; nothing in it can be approved`, { faults });
}
