import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import { TRUST_ROOT_TYPE } from '../../compiler/schema/source/trust-root.ts';
import { attestGarden, attestRoot } from '../../compiler/trust/attest.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { compiledOnce, type CompiledDeployment } from '../support/compiled-once.ts';
import { compileRepository, compileToFolder, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { agentYaml, repository, unitFile, type Repository } from '../support/repository.ts';

export const CTO_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
export const CTO2_ID = '1b7f2a64-0c1d-4b7e-9d53-6c1f1b7a2e02';
export const CT_ID = 'd2c9f1aa-5a0e-4c43-8f0f-3b8f2f6f9c03';

/** Units that an agent `cto` can recall: its own, and the shared ones. */
export const CTO_UNITS = ['escalation', 'heartbeat', 'incident', 'release-decision', 'wrap-up'];

const LONG = 'Keep one person in charge of the incident and write down every step. '.repeat(40);

/**
 * `acme`: agents whose names contain each other (`cto`, `cto2`, `ct`), two shared units, and a unit
 * `release-decision` that has two versions.
 */
export function peers(): Repository {
  const cto = 'instructions/agents/cto';
  const repo = repository()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n')
    .write('instructions/shared/heartbeat.md', unitFile('What to do on every heartbeat', ['start a heartbeat']))
    .write('instructions/shared/escalation.md', unitFile('When to call a person', ['I need a person to decide']))
    .write(`${cto}/agent.yaml`, agentYaml(CTO_ID, 'adapter_profiles: [generic, openai-assistants]\n'))
    .write(
      `${cto}/release-decision.md`,
      unitFile('How a release is decided', ['decide on a release'], '', 'First text.'),
    )
    .write(`${cto}/incident.md`, unitFile('How to lead an incident', ['production is down'], '', LONG))
    .write(`${cto}/wrap-up.md`, unitFile('How to leave work', ['done for today', 'hand over']))
    .write('instructions/agents/cto2/agent.yaml', agentYaml(CTO2_ID))
    .write('instructions/agents/cto2/budget.md', unitFile('What may be spent', ['spend money'], '', 'Secret of cto2.'))
    .write('instructions/agents/ct/agent.yaml', agentYaml(CT_ID))
    .write('instructions/agents/ct/scans.md', unitFile('How a scan is read', ['read a scan'], '', 'Secret of ct.'));
  repo.commit('begin');
  repo.write(
    `${cto}/release-decision.md`,
    unitFile('How a release is decided', ['decide on a release'], '', 'Second text.'),
  );
  repo.commit('decide otherwise');
  return repo;
}

export type CompiledPeers = CompiledDeployment;

/** The peers compiled for production, in a folder of their own. */
export function compiledPeers(): Promise<CompiledPeers> {
  return compiledOnce('peers', async () => {
    const { out, trust } = await compileToFolder(peers().path, { trust: testTrust() });
    return { bundle: out, trust };
  });
}

/** The peers under a trust root that lasts until this time, in milliseconds since 1970. */
export async function expiringPeers(end: number): Promise<CompiledPeers> {
  const trust = testTrust();
  const root = { ...trust.root.root, expires: new Date(end).toISOString() };
  const envelope = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [trust.signer]);
  const lasting = { ...trust, root: { root, envelope } };
  const { out } = await compileToFolder(peers().path, { trust: lasting });
  return { bundle: out, trust: lasting };
}

export const LEGACY_TEXT = 'Read the board, then do what is due.\n';

/** `acme`, whose cto still has its heartbeat procedure in a legacy file alone (§21.6.1, `file`). */
export function compiledLegacy(): Promise<CompiledPeers> {
  return compiledOnce('legacy', async () => {
    const cto = 'instructions/agents/cto';
    const head = [
      'description: What to do on every heartbeat',
      'path: docs/beat.md',
      'load_triggers: { intents: [start a heartbeat] }',
    ];
    const repo = peers()
      .write(
        `${cto}/agent.yaml`,
        agentYaml(CTO_ID, 'migration_mode: file\n').replace(/heartbeat_contract: .*/, 'heartbeat_contract: beat'),
      )
      .write(`${cto}/beat.md`, `---\n${head.join('\n')}\n---\n`)
      .write('docs/beat.md', LEGACY_TEXT);
    repo.commit('migrate');
    const { out, trust } = await compileToFolder(repo.path, { trust: testTrust() });
    return { bundle: out, trust };
  });
}

/** The peers, signed again without any manifest or boot stub; our compiler never writes that. */
export async function withoutDocuments(): Promise<CompiledPeers> {
  const trust = testTrust();
  const { bundle } = await compileRepository(peers().path, { trust });
  if (!bundle) throw new Error('the peers do not compile');
  const { predicate } = bundle.statement;
  const gardens = bundle.built.map(({ statement, files }) => {
    const remaining = [...files].filter(([path]) => !/^(manifest\.json|stubs\/.*)$/.test(path));
    const named = statement.subject.filter((it) => !it.annotations).map((it) => [it.name, it.digest.sha256] as const);
    const bare = { ...statement.predicate, manifest_version: null, stubs: [] };
    return attestGarden(bare, new Map(named), new Map(remaining), [trust.signer]);
  });
  const digests = new Map(gardens.map((it) => [it.name, it.digest]));
  const entries = predicate.gardens.map((it) => ({ ...it, digest: digests.get(it.garden) ?? it.digest }));
  const files = new Map([...bundle.files].filter(([path]) => path !== 'root.dsse.json'));
  const out = tempFolder();
  writeBundle(out, attestRoot({ ...predicate, gardens: entries }, gardens, files, [trust.signer]), null);
  return { bundle: out, trust };
}
