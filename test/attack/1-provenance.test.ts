import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import type { GardenPredicate } from '../../compiler/schema/bundle/garden.ts';
import { forge, readWhole, resign } from '../io/forging.ts';
import { approvalOf, approve, limits } from '../support/approvals.ts';
import { compileToFolder } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { reasonOf } from '../support/refused.ts';
import { unitFile, type Repository } from '../support/repository.ts';
import { person, staff } from '../support/staff.ts';
import { approve as approveAs, BY, GUARANTEE, guaranteed, staffed, toldBy, warningsOf } from '../support/staffed.ts';
import { ANN, BOB, branched, CLEO, commitAs, mergeAs } from './branching.ts';

const OTHER = 'instructions/agents/cto/wrap-up.md';

describe('DESIGN §7 the server checks approvals against authors', () => {
  const [ann, bob] = [person('ann'), person('bob')];
  const over = { thresholds: { approval: 1, withdrawal: 1, rollback: 1, unproven_authors: 1 } };
  const trust = staff([ann, bob], over);

  /** Why a reader refuses the cto's garden with its approvals changed. */
  async function reasonWith(change: (used: GardenPredicate['approvals'][number]) => object): Promise<string> {
    const repo = branched();
    commitAs(limits(repo), CLEO);
    mergeAs(repo, BOB);
    commitAs(approve(repo, 'limits', approvalOf(repo), ann), CLEO);
    const { bundle } = await compileToFolder(repo.path, { trust });
    const signers = [trust.signer];
    return reasonOf(() =>
      readWhole(
        forge(bundle, {
          signers,
          garden: (it) => {
            const { approvals } = it.statement.predicate;
            return it.name === 'cto' ? resign(it, signers, { predicate: { approvals: approvals.map(change) } }) : it;
          },
        }),
        trust.root,
      ),
    );
  }

  test('a reader refuses the approval of an administrator whom the garden statement names as an author', async () => {
    expect(await reasonWith((it) => it)).toBe('believed');
    expect(await reasonWith((it) => ({ ...it, authors: [...(it.authors ?? []), ann.entity] }))).toBe(
      'approval_missing',
    );
    expect(await reasonWith((it) => ({ ...it, authors: ['acme/system/ann'] }))).toBe('approval_missing');
  });

  test('a garden statement names all authors since the last approval, and that their commits are unsigned', async () => {
    const repo = branched();
    commitAs(limits(repo, undefined, 'First.'), BOB);
    commitAs(limits(repo), CLEO);
    commitAs(approve(repo, 'limits', approvalOf(repo), ann), CLEO);
    const { bundle } = await compileToFolder(repo.path, { trust });
    const cto = bundle.built.find((it) => it.name === 'cto');
    const authors = ['acme/human/bob', 'acme/human/cleo'];
    expect(cto?.statement.predicate.approvals).toMatchObject([{ by: [ann.entity], authors, unproven: true }]);
  });
});

describe('DESIGN §7 a warning about an approver with commits on the branch', () => {
  /** Ada's text on a branch on which Ann wrote something else. */
  function worked() {
    const place = staffed();
    place.repo.git('switch', '--quiet', '--create', 'topic');
    guaranteed(place.repo).commit('text', undefined, BY.ada);
    place.repo.write(OTHER, unitFile('Another thing', ['another thing'])).commit('other', undefined, BY.ann);
    return place;
  }

  test('vade approve and the compile of a pull request warn about an approver with commits on the branch', async () => {
    const place = worked();
    const ran = await approveAs(place, place.ann, ...GUARANTEE, ...place.trust);
    expect([ran.code, warningsOf(ran)]).toEqual([0, ['APPROVER_ON_BRANCH']]);
    place.repo.commit('approve', undefined, BY.ann);
    const checked = await place.compile('--dry-run');
    expect([checked.code, toldBy(checked)]).toEqual([0, ['approver_on_branch']]);
    mergeAs(place.repo, BOB);
    expect(toldBy(await place.compile('--dry-run'))).toEqual(['approver_on_branch']);
    expect(toldBy(await place.compile('--dry-run', '--base', 'HEAD'))).toEqual([]);
    const failed = await place.compile('--dry-run', '--base', 'nowhere');
    expect([failed.code, failed.envelope().error.code]).toEqual([5, 'REF_NOT_FOUND']);
  });

  test('there is no warning for an approver whose only commit on the branch files the approval', async () => {
    const place = worked();
    const ran = await approveAs(place, place.bob, ...GUARANTEE, ...place.trust);
    expect([ran.code, warningsOf(ran)]).toEqual([0, []]);
    place.repo.commit('approve', undefined, BY.bob);
    expect(toldBy(await place.compile('--dry-run'))).toEqual([]);
    mergeAs(place.repo, BOB);
    place.repo.write(OTHER, unitFile('A third thing', ['another thing'])).commit('third', undefined, BY.bob);
    expect(toldBy(await place.compile('--dry-run', '--base', 'HEAD^1'))).toEqual([]);
  });
});

describe('authors in vade log and vade blame', () => {
  test('vade log and vade blame name the author of a text that somebody else merged', async () => {
    const place = staffed();
    place.repo.git('switch', '--quiet', '--create', 'topic');
    commitAs(guaranteed(place.repo), ANN);
    mergeAs(place.repo, BOB);
    await approveAs(place, place.bob, ...GUARANTEE, ...place.trust);
    commitAs(place.repo, BOB);
    expect((await place.compile()).code).toBe(0);
    const unit = [...place.trust, '--agent', 'cto', '--unit', 'limits'];
    const { versions } = (await place.run(['log', ...unit])).envelope().data;
    expect(versions).toMatchObject([{ authored_by: place.ann.entity, coauthored_by: [] }]);
    const { lines } = (await place.run(['blame', ...unit])).envelope().data as { lines: { authored_by: string }[] };
    expect(new Set(lines.map((it) => it.authored_by))).toEqual(new Set([place.ann.entity]));
  });
});

describe('DESIGN §7 authors from before the folder of the sources', () => {
  /** Ann's text, in a folder to which Cleo gives another name. */
  function renamed() {
    const place = staffed();
    commitAs(guaranteed(place.repo), ANN);
    place.repo.git('mv', 'instructions', 'handbook');
    commitAs(place.repo, CLEO);
    return { place, at: ['--source', 'handbook', ...place.trust] };
  }

  test('an author cannot approve her text after somebody else renamed the folder of the sources', async () => {
    const { place, at } = renamed();
    const refused = await approveAs(place, place.ann, ...GUARANTEE, ...at);
    expect([refused.code, refused.envelope().error.code]).toEqual([4, 'APPROVAL_REQUIRED']);
  });

  test('vade log names the author from before the folder was renamed', async () => {
    const { place, at } = renamed();
    expect((await approveAs(place, place.bob, ...GUARANTEE, ...at)).code).toBe(0);
    commitAs(place.repo, CLEO);
    expect((await place.compile('--source', 'handbook')).code).toBe(0);
    const unit = [...place.trust, '--agent', 'cto', '--unit', 'limits'];
    const { versions } = (await place.run(['log', ...unit])).envelope().data;
    expect(versions).toMatchObject([{ authored_by: 'acme/human/cleo', coauthored_by: [place.ann.entity] }]);
  });
});

describe('DESIGN §6.2 calls of git for the history', () => {
  const PATH = process.env['PATH'] ?? '';

  afterEach(() => {
    process.env['PATH'] = PATH;
  });

  /** How often git is called to read the history. */
  async function callsFor(repo: Repository): Promise<number> {
    const folder = tempFolder();
    const log = join(folder, 'calls');
    writeFileSync(log, '');
    const real = PATH.split(':').map((it) => `"${it}"`);
    const lines = ['#!/bin/sh', `echo x >> ${log}`, `PATH=${real.join(':')}`, 'exec git "$@"'];
    writeFileSync(join(folder, 'git'), `${lines.join('\n')}\n`);
    chmodSync(join(folder, 'git'), 0o755);
    const options = { repo: repo.path, folder: 'instructions', ref: 'HEAD', lenient: false };
    const all = await (await openSources(options)).history([]);
    process.env['PATH'] = `${folder}:${PATH}`;
    const counting = await openSources(options);
    const before = readFileSync(log, 'utf8').length;
    expect((await counting.history([])).length).toBe(all.length);
    return (readFileSync(log, 'utf8').length - before) / 2;
  }

  test('reading the history takes three calls of git, whether it has one merge or six', async () => {
    const repo = branched();
    const counts: number[] = [];
    for (let merges = 1; merges <= 6; merges++) {
      repo.git('switch', '--quiet', '--force-create', 'topic', 'main');
      for (let i = 0; i < 4; i++) commitAs(limits(repo, '', `Text ${merges}.${i}`), ANN);
      mergeAs(repo, BOB);
      if (merges === 1 || merges === 6) counts.push(await callsFor(repo));
    }
    expect(counts).toEqual([3, 3]);
  });
});
