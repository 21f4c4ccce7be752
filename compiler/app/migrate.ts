import { basename, dirname } from 'node:path';
import { blobsOf, historiesOf, uriOnceCommitted, type GardenHistory } from '../history/unit-versions.ts';
import { openSources } from '../io/git/open-sources.ts';
import type { ProposedUnit } from '../migration/split.ts';
import { VadeError } from '../schema/errors.ts';
import { Org } from '../schema/source/org.ts';
import { blobStore } from '../sources/blobs.ts';
import { decodeYaml } from '../sources/yaml.ts';

/** The URI of each proposed unit by its name; if they are unknown, a notice gives the reason. */
export interface Addressed {
  readonly uris: ReadonlyMap<string, string>;
  readonly notices: readonly string[];
}

interface Past {
  readonly folder: string;
  readonly history: GardenHistory;
  readonly blob: (id: string) => Buffer | undefined;
}

/**
 * The URIs that proposed units will have if they are committed unchanged, so that a manifest can name them.
 *
 * @param out folder of the sources; @param org text of its `org.yaml`
 */
export async function addressUnits(
  out: string,
  org: string | undefined,
  agent: string,
  units: readonly ProposedUnit[],
): Promise<Addressed> {
  const deployment = org === undefined ? undefined : decodeYaml(Org, org, 'org.yaml').value?.deployment;
  if (deployment === undefined) return unknown('org.yaml names no deployment');
  try {
    const { folder, history, blob } = await readPast(out, agent);
    const uris = units.map(({ name, file, text }) => {
      const path = `${folder}/agents/${agent}/${file}`;
      const series = { deployment, garden: agent, name, file: path };
      return [name, uriOnceCommitted(series, history.get(path) ?? [], blob, text)] as const;
    });
    return { uris: new Map(uris), notices: [] };
  } catch (error) {
    if (error instanceof VadeError) return unknown(error.message);
    throw error;
  }
}

function unknown(why: string): Addressed {
  return { uris: new Map(), notices: [`the entries have no fact_uri, because their versions are unknown: ${why}`] };
}

/** The committed history of the units; empty if nothing is committed yet. */
async function readPast(out: string, agent: string): Promise<Past> {
  const folder = basename(out);
  try {
    const sources = await openSources({ repo: dirname(out), folder, ref: 'HEAD', lenient: false });
    const history = historiesOf(await sources.history([]), sources.folder).get(agent) ?? new Map<string, never>();
    const blobs = blobStore(sources);
    await blobs.load(blobsOf(history));
    return { folder: sources.folder, history, blob: blobs.blob };
  } catch (error) {
    const isNew = error instanceof VadeError && ['source_not_found', 'ref_not_found'].includes(error.code);
    if (isNew) return { folder, history: new Map(), blob: () => undefined };
    throw error;
  }
}
