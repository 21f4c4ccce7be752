import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { damageIn } from '../io/bundle/damage.ts';
import { newestTrust } from '../io/bundle/newest-trust.ts';
import { CURRENT, currentRevision, openBundle } from '../io/bundle/open-bundle.ts';
import { isReturnAllowed } from '../io/bundle/sidecar-files.ts';
import { writeBundle } from '../io/bundle/write-bundle.ts';
import { advanceBranch, type Branch, draftCommit, isCheckedOut, readBranch } from '../io/git/draft-commit.ts';
import { type Published, refusalOf } from '../publish/error-codes.ts';
import { planEdits, type ShownEntries } from '../publish/plan-edits.ts';
import { noPlace } from '../publish/unplaced-units.ts';
import type { Publication } from '../schema/api/publication.ts';
import type { Bundle } from '../schema/bundle/bundle.ts';
import { Coverage } from '../schema/bundle/coverage.ts';
import { Manifest } from '../schema/bundle/manifest.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import type { Sources } from '../schema/source/sources.ts';
import type { Signer } from '../trust/dsse.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { openSourcesAt } from '../world/read-sources.ts';
import type { Warning, World } from '../world/world.ts';
import { compileWith } from './compile.ts';
import { type CurrentState, readCurrentState } from './current-state.ts';
import type { PUBLISH } from './flags/sources.ts';
import { assertNamesPlaced, shownEntries } from './published-manifest.ts';

/** The target of a publication, its administrator and the signing key. */
export type PublishOptions = Omit<Arguments<typeof PUBLISH>, 'input-file' | 'key'> & {
  readonly pinned: SignedRoot;
  readonly signer: Signer;
};

/**
 * Publishes a manifest (§21.8.3, DESIGN §6.9): turns entries into edits, and edits into a commit that no branch has
 * yet; compiles that commit with every gate; moves the branch to it, unless somebody else moved it; writes the bundle.
 * If it is interrupted before the branch moves, nothing has changed; after that, the old bundle remains, and the next
 * run or compile builds the new one from the branch.
 *
 * @throws the codes of §21.8.3, and what opening sources and bundle may
 */
export async function publish(to: PublishOptions, publication: Publication, world: World) {
  const branch = await readBranch(to.repo, to.ref);
  const now = await readCurrentState({ ...to, ref: branch.commit }, to.agent, world);
  await assertNext(to, now, publication, world);
  const { changed, bundle, faults } = await compileNext(to, branch, now, publication, world).catch(
    async (error: unknown) => {
      // then the bundle too may have been replaced, and was compared with a commit that is not its successor
      const { commit } = await readBranch(to.repo, to.ref);
      throw commit === branch.commit ? error : movedError(to);
    },
  );
  const isNew = changed.changed.size > 0;
  if (isNew && !to['dry-run']) {
    if (!(await advanceBranch(to.repo, branch, changed.commit))) throw movedError(to);
    await replaceBundle(to.bundle, bundle, changed.commit);
  }
  if (!isNew) await catchUp(to, now, world);
  const wouldBe = to['dry-run'] ? 'would_create' : 'created';
  const effect = isNew ? wouldBe : 'noop';
  const data = { effect, ...report(bundle, to.agent), commit: changed.commit, revision: bundle.revision };
  return { data, notices: [...(await stale(to, branch)), ...faults.map(toWarning)] };
}

const movedError = ({ ref }: PublishOptions): VadeError =>
  new VadeError('manifest_version_conflict', `another process moved ${ref} in the meantime`);

/** DESIGN §6.9: `version` must be the next one. */
async function assertNext(to: PublishOptions, now: CurrentState, { version }: Publication, world: World) {
  if (version === `v${now.version + 1}`) return;
  await catchUp(to, now, world);
  const message = `the manifest is at v${now.version}; the next version is v${now.version + 1}, not ${version}`;
  throw new VadeError('manifest_version_conflict', message, { current: `v${now.version}` });
}

/** The commit of the entries, and its bundle, with a place in the manifest for each of them. */
async function compileNext(
  to: PublishOptions,
  branch: Branch,
  now: CurrentState,
  publication: Publication,
  world: World,
) {
  const shown = await shownEntries(to, now, () => compileSources(to, now.site.sources, ALL_PASS, world), world);
  const changed = await draft(to, branch, now, { publication, shown }, world);
  const { bundle, faults } = await compileDraft(to, changed, publication, world);
  assertNamesPlaced(bundle, to.agent, publication, now);
  return { changed, bundle, faults };
}

/** The commit of the entries, which no branch has yet; that of the branch if the sources have them already. */
async function draft(
  to: PublishOptions,
  branch: Branch,
  now: CurrentState,
  { publication: { version, entries }, shown }: { publication: Publication; shown: ShownEntries },
  world: World,
): Promise<Published & { readonly commit: string }> {
  const { sources } = now.site;
  const { files, diagnostics: faults } = planEdits(now.manifest, entries, shown);
  const folder = `${sources.folder}/agents/${to.agent}/`;
  const concerns = (file: string) => file.startsWith(folder) || file.startsWith(`${sources.folder}/shared/`);
  const changed = new Set(files.keys());
  const refusal = refusalOf(faults, { changed, concerns });
  if (refusal) throw refusal;
  if (files.size === 0) {
    const unplaced = entries.map(({ name }) => name).filter((name) => shown?.has(name) === false);
    if (unplaced.length > 0) throw noPlace(unplaced);
    return { changed, concerns, commit: branch.commit };
  }
  const modes = [...files].map(([path, text]) => {
    return [path, { text, mode: sources.tree.get(path)?.mode ?? '100644' }] as const;
  });
  const commit = await draftCommit(to.repo, {
    parent: branch.commit,
    files: new Map(modes),
    author: { name: to.admin.split('/').at(-1) ?? '', email: to.admin },
    at: Math.max(Math.floor(world.now().getTime() / 1000), branch.committed),
    message: `Publish manifest ${version} of ${to.agent}`,
  });
  return { changed, concerns, commit };
}

/** @throws the refusals of §21.8.3, and what a compile may */
async function compileDraft(
  to: PublishOptions,
  changed: Published & { readonly commit: string },
  { skip_coverage_gate: skip }: Publication,
  world: World,
) {
  const { repo, source: folder, dev: lenient } = to;
  const sources = await openSourcesAt({ repo, folder, ref: changed.commit, lenient }, world);
  // reused gardens are not in the result, and a report is made from it
  const isNew = changed.changed.size > 0;
  const { bundle, faults } = await compileSources(to, sources, { skip, reuses: isNew }, world);
  const refusal = refusalOf(faults, changed);
  if (refusal) throw refusal;
  if (bundle === null) throw new VadeError('sources_invalid', 'the commit does not compile', { faults });
  return { bundle, faults };
}

function compileSources(
  to: PublishOptions,
  sources: Sources,
  { skip, reuses }: { readonly skip: boolean; readonly reuses: boolean },
  world: World,
) {
  const { pinned, signer, models } = to;
  const previous = reuses && existsSync(join(to.bundle, CURRENT)) ? { folder: to.bundle, pinned } : null;
  return compileWith({ sources, pinned, signer, previous, models }, { skip, allowQuarantine: false }, world);
}

/** Sources that are published already: if their gate was bypassed, the recorded approvals decide, as they did then. */
const ALL_PASS = { skip: true, reuses: true };

/** Finishes a publication that was interrupted after its commit: writes the bundle of the branch. */
async function catchUp(to: PublishOptions, { site, commit }: CurrentState, world: World): Promise<void> {
  if (to['dry-run']) return;
  try {
    const now = world.now().toISOString();
    const belief = { pinned: to.pinned, now };
    const known = existsSync(join(to.bundle, CURRENT)) ? openBundle(to.bundle, belief) : null;
    const isWhole = () =>
      known !== null &&
      damageIn(to.bundle, known.revision, [...known.root.predicate.gardens, ...known.beside]).length === 0;
    if (known?.root.predicate.commit === commit && isWhole()) return;
    // administrators rolled back to an older root, which a version conflict must not undo
    if (known && isReturnAllowed(known, newestTrust(known, belief), now)) return;
    const { bundle, faults } = await compileSources(to, site.sources, ALL_PASS, world);
    if (bundle === null) world.say(`warning: ${commit} does not compile: ${faults[0]?.message ?? ''}`);
    else await replaceBundle(to.bundle, bundle, commit);
  } catch (error) {
    // this failure must not hide the result of the publication
    world.say(`warning: the bundle of ${commit} could not be made: ${messageOf(error)}`);
  }
}

function report({ built }: Bundle, agent: string) {
  const garden = built.find((it) => it.name === agent);
  const file = (name: string): unknown => JSON.parse(garden?.files.get(name)?.toString('utf8') ?? 'null');
  const { fact_uri, token_count } = Manifest.parse(file('manifest.json'));
  const { units } = Coverage.parse(file('coverage.json'));
  return {
    fact_uri,
    token_count,
    coverage_report: units.map(({ name, judged_by, coverage_pct, hit_at_10 }) => {
      return { name, judged_by, coverage_pct, hit_at_10 };
    }),
    recertify_by: garden?.statement.predicate.recertify_by ?? null,
  };
}

/** Warns if the branch is checked out: its working tree is outdated, and a commit of it would undo the publication. */
async function stale(to: PublishOptions, branch: Branch): Promise<Warning[]> {
  if (to['dry-run'] || !(await isCheckedOut(to.repo, branch))) return [];
  const message = `${to.ref} is checked out: bring the files up to date with git restore --staged --worktree ${to.source}`;
  return [{ code: 'BRANCH_CHECKED_OUT', message }];
}

function toWarning(it: Diagnostic): Warning {
  return { code: it.rule.toUpperCase(), message: it.message, context: it };
}

const TRIES = 300;
const WAIT_MS = 100;

/** Writes the bundle once no other writer locks its folder, unless a newer bundle is there by then. */
async function replaceBundle(folder: string, bundle: Bundle, commit: string): Promise<void> {
  const isOutdated = () =>
    existsSync(join(folder, CURRENT)) &&
    Number.parseInt(currentRevision(folder), 10) > bundle.statement.predicate.serial;
  for (let tries = 1; ; tries++) {
    try {
      writeBundle(folder, bundle, null, isOutdated);
      return;
    } catch (error) {
      const locked = error instanceof VadeError && error.code === 'file_locked';
      if (!locked || tries === TRIES) {
        const message = `${commit} is published, but its bundle is not written (${messageOf(error)}): run vade compile`;
        throw new VadeError('bundle_not_written', message, { commit });
      }
      await setTimeout(WAIT_MS);
    }
  }
}
