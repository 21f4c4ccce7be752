import { resolve } from 'node:path';
import { holderText } from '../../present/terminal/keys.ts';
import { VadeError } from '../../schema/errors.ts';
import type { KeyRecord } from '../../schema/source/key-file.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { changeKeyFile, readKeyFile } from '../../world/key-file.ts';
import { requireYes } from '../../world/require-yes.ts';
import type { World } from '../../world/world.ts';
import type { KEY_REVOKE } from '../flags/keys.ts';
import { wholeSecond } from './whole-second.ts';

/**
 * Revokes a bearer key; a key that is revoked already keeps its time.
 *
 * @returns `dropped`: how many keys left the file, since they were revoked long ago
 * @throws key_not_found, confirmation_required, file_locked, output_failed
 */
export function revokeBearerKey(args: Arguments<typeof KEY_REVOKE>, world: World) {
  const path = resolve(world.cwd, args.keys);
  const known = findKey(readKeyFile(path), args.id, args.keys);
  const revoked_at = known.revoked_at ?? wholeSecond(world);
  const isNew = known.revoked_at === null;
  const isDry = args['dry-run'];
  if (!isDry) requireYes(args, `this permanently revokes the key ${args.id} of ${holderText(known.holder)}`);
  const dropped = changeKeyFile(path, { now: world.now(), isDry }, (keys) => {
    const record = findKey(keys, args.id, args.keys);
    return keys.map((it) => (it === record ? { ...it, revoked_at } : it));
  });
  const [would, did] = isNew ? ['would_update', 'updated'] : ['would_noop', 'noop'];
  return { effect: isDry ? would : did, id: args.id, revoked_at, dropped };
}

function findKey(keys: readonly KeyRecord[], id: string, file: string): KeyRecord {
  const record = keys.find((it) => it.id === id);
  if (!record) throw new VadeError('key_not_found', `there is no key ${id} in ${file}`);
  return record;
}
