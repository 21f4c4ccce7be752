import { traceGardens, type Trace } from '../history/garden-timeline.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { SHARED } from '../schema/uri.ts';
import type { AgentSite } from '../sources/classify-files.ts';
import type { ConfiguredAgent, ConfiguredPhrases, ConfiguredProbes, Configuration } from '../sources/config.ts';
import { canonicalJson, sha256 } from '../trust/canonical.ts';
import type { CompileContext, SourceFiles, SourceHistory, TrustDecisions } from './compile-context.ts';

/** The plan of one agent's garden, made before its files are read: paths, history, and a digest over all inputs. */
export interface GardenPlan {
  readonly name: string;
  readonly agent: ConfiguredAgent;
  readonly site: AgentSite;
  readonly trace: Trace;
  /** The curated probes; null if there are none. */
  readonly probes: ConfiguredProbes | null;
  /** The phrases of its own units, and those of the shared ones. */
  readonly phrases: { readonly own: ConfiguredPhrases | null; readonly shared: ConfiguredPhrases | null };
  /** Digest over all inputs; the same digest gives the same garden. */
  readonly inputs: string;
}

/** The inputs on which the bytes of a garden depend. */
type PlanContext = SourceFiles &
  SourceHistory &
  TrustDecisions &
  Pick<CompileContext, 'org' | 'compiler' | 'model' | 'gate'>;

/** Must be increased if the same sources give other bytes under the same compiler version. */
const FORMAT = 1;

/** Plans one garden for every agent, by name. */
export function planGardens(context: PlanContext, configuration: Configuration, sharedDigest: string): GardenPlan[] {
  const names = [...configuration.agents.keys()].sort();
  const { legacy, legacyOwners: owners } = context;
  const traces = traceGardens(context.commits, context.sources.folder, names, context.places, owners);
  return names.flatMap((name) => {
    const agent = configuration.agents.get(name);
    const site = context.site.agents.get(name);
    const trace = traces.get(name);
    if (!agent || !site || !trace) return [];
    const own = legacy.filter(({ path }) => owners.get(path)?.has(name));
    return [
      {
        name,
        agent,
        site,
        trace,
        probes: configuration.probes.get(name) ?? null,
        phrases: {
          own: configuration.phrases.get(name) ?? null,
          shared: configuration.phrases.get(SHARED) ?? null,
        },
        inputs: digestInputs(context, name, site, trace, sharedDigest, own),
      },
    ];
  });
}

/** The plan of the shared garden; its digest is an input of every other garden. */
export interface SharedGardenPlan {
  readonly trace: Trace;
  readonly inputs: string;
}

/** Plans the shared garden. */
export function planSharedGarden(context: PlanContext): SharedGardenPlan {
  const trace = traceGardens(context.commits, context.sources.folder, [SHARED], context.places, new Map()).get(SHARED);
  if (!trace) throw new TypeError('the shared garden has no trace');
  const site = { config: null, boot: null, units: context.site.shared };
  return { trace, inputs: digestInputs(context, SHARED, site, trace, null, []) };
}

/** All inputs of a garden's bytes. */
function digestInputs(
  context: PlanContext,
  name: string,
  site: Pick<AgentSite, 'config' | 'boot' | 'units'>,
  trace: Trace,
  sharedDigest: string | null,
  legacy: readonly TreeFile[],
): string {
  const { probes, phrases } = context.site;
  // the shared garden has no index; phrases of its units are in those of the agents
  const asked = name === SHARED ? [] : [probes.get(name), phrases.get(name), phrases.get(SHARED)];
  const files = [site.config, site.boot, ...asked, ...site.units, ...legacy].flatMap((file) => file ?? []);
  return sha256(
    canonicalJson({
      format: FORMAT,
      compiler: context.compiler,
      org: context.org,
      model: context.model?.pin ?? null,
      shared: sharedDigest,
      files: files.map(({ path, blob }) => [path, blob]).sort(),
      trace: traceInputs(trace),
      ...originInputs(context, name, legacy),
      generator: context.gate.generator,
      trust: context.trustDigest,
      approvals: context.administratorDecisions.approvals
        .filter(({ approval: { garden } }) => garden === name)
        .map(
          ({ blob, approval: { expires } }) =>
            `${blob} ${expires !== null && expires <= context.administratorDecisions.at}`,
        )
        .sort(),
      withdrawn: [...context.administratorDecisions.withdrawn].sort(),
    }),
  );
}

/** Authors from outside the sources; there are none in most gardens. */
function originInputs({ commits, histories }: PlanContext, name: string, legacy: readonly TreeFile[]) {
  const paths = new Set([...(histories.get(name)?.keys() ?? []), ...legacy.map(({ path }) => path)]);
  const changes = commits.flatMap((commit) => commit.changes.filter((it) => it.origin !== undefined));
  const own = changes.flatMap(({ path, blob, origin }) => (origin && paths.has(path) ? [[path, blob, origin.id]] : []));
  return own.length === 0 ? {} : { origins: own };
}

/** A commit counts by its ID alone: it lists the changes of all gardens, which each of them would digest again. */
function traceInputs({ versioned_by: step, ...trace }: Trace) {
  return { ...trace, versioned_by: step ? { ...step, commit: step.commit.id } : null };
}
