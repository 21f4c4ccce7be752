import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../../compiler/app/publish.ts';
import { silentWorld } from '../../compiler/library/silent-world.ts';
import { Publication } from '../../compiler/schema/api/publication.ts';
import type { World } from '../../compiler/world/world.ts';
import { entries, press, type Press } from '../cli/publishing.ts';
import { tempFolder } from '../support/folder.ts';

const publication = (entry: object) => ({ version: 'v2', entries: entries({ deploy: entry }) });

/** A press whose branch and bundle are as before a publication, and what does that publication again in one moment. */
async function beforePublication(): Promise<{ to: Press; overtake: () => void }> {
  const to = await press();
  const bundle = join(to.folder, 'bundle');
  const [before, after] = [join(tempFolder(), 'before'), join(tempFolder(), 'after')];
  const start = to.git('rev-parse', 'main');
  const put = (commit: string, saved: string) => {
    to.git('update-ref', 'refs/heads/main', commit);
    rmSync(bundle, { recursive: true });
    cpSync(saved, bundle, { recursive: true });
  };
  cpSync(bundle, before, { recursive: true });
  expect((await to.publish(publication({ description: 'How to ship' }))).code).toBe(0);
  cpSync(bundle, after, { recursive: true });
  const published = to.git('rev-parse', 'main');
  put(start, before);
  return {
    to,
    overtake: () => {
      put(published, after);
    },
  };
}

/** Publishes while another process does so, after this one has read the branch and before it compiles. */
async function publishOvertaken(entry: object): Promise<unknown> {
  const { to, overtake } = await beforePublication();
  const { root, ci } = to.place;
  const now: World['now'] = () => {
    overtake();
    return new Date();
  };
  const target = {
    ...{ repo: to.bare, source: 'instructions', ref: 'main', trust: undefined, dev: false },
    ...{ agent: 'cto', admin: 'acme/human/jane', bundle: join(to.folder, 'bundle'), models: 'models' },
    ...{ pinned: root, signer: ci.signer, 'dry-run': false },
  };
  const world = { ...silentWorld({ cwd: to.folder }), now };
  return publish(target, Publication.parse(publication(entry)), world).catch((error: unknown) => error);
}

test('a publication that another one overtakes before its compile is a version conflict', async () => {
  expect(await publishOvertaken({ description: 'When to release' })).toMatchObject({
    code: 'manifest_version_conflict',
  });
});

test('a publication that is overtaken and has errors of its own is a version conflict too: it read an old branch', async () => {
  const load_triggers = { intents: ['done for today', 'hand over', 'leave work'] };
  expect(await publishOvertaken({ load_triggers })).toMatchObject({ code: 'manifest_version_conflict' });
});
