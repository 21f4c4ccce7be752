import { resolve } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import {
  KeyRecord,
  KeyScope,
  MOST_CREATED_BYTES,
  Namespace,
  Permits,
  type KeyHolder,
} from '../../schema/source/key-file.ts';
import { EntityUri } from '../../schema/uri.ts';
import { newKey } from '../../trust/keys.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { adminHolder, agentHolder, readHolders } from '../../world/holders.ts';
import { changeKeyFile } from '../../world/key-file.ts';
import type { World } from '../../world/world.ts';
import type { KEY_CREATE } from '../flags/keys.ts';
import { wholeSecond } from './whole-second.ts';

type CreateFlags = Arguments<typeof KEY_CREATE>;

/**
 * Creates a bearer key, and appends its record to the file; a dry run makes no key.
 *
 * @returns `dropped`: how many keys left the file, since they were revoked long ago
 * @throws argument_invalid, agent_not_found, administrator_not_found, request_invalid, file_locked, output_failed
 */
export async function createBearerKey(args: CreateFlags, world: World) {
  const name = checkedName(args.name);
  const permits = permitsOf(args);
  const holder = await holderOf(args, world);
  const file = resolve(world.cwd, args.keys);
  const { warnIfExposed } = await import('../../world/exposed-file.ts');
  const isDry = args['dry-run'];
  const { record, key } = newKey(
    holder,
    name,
    wholeSecond(world),
    isDry ? Buffer.alloc(40) : world.random(40),
    permits,
  );
  const how = { now: world.now(), isDry, limit: MOST_CREATED_BYTES };
  const dropped = changeKeyFile(file, how, (keys) => [...keys, record]);
  const made = isDry ? { effect: 'would_create', key: null, id: null } : { effect: 'created', key, id: record.id };
  return { ...made, holder, dropped, warnings: await warnIfExposed(file) };
}

/** @throws argument_invalid */
function checkedName(name: string): string {
  const parsed = KeyRecord.shape.name.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new VadeError('argument_invalid', `--name: ${parsed.error.issues[0]?.message ?? ''}`, { flag: 'name' });
}

/** Limits of a key, from the flags. @throws argument_invalid */
function permitsOf({ scope, namespace, peer }: CreateFlags): Permits {
  const given = { scopes: scope, namespaces: namespace, peers: peer };
  const parsed = Permits.safeParse(Object.fromEntries(Object.entries(given).filter(([, it]) => it.length > 0)));
  if (parsed.success) return parsed.data;
  const known = `--scope must be one of ${KeyScope.options.join(', ')}, --namespace of ${Namespace.options.join(', ')}`;
  throw new VadeError('argument_invalid', `${known}, --peer the id of an agent`);
}

/** @throws argument_invalid, agent_not_found, administrator_not_found, and what `readHolders` throws */
async function holderOf(args: CreateFlags, world: World): Promise<KeyHolder> {
  const { agent, admin, reader } = args;
  if (reader !== undefined) return { kind: 'reader', reads: reader };
  if (agent !== undefined) {
    if (agent.length > 100) throw new VadeError('argument_invalid', '--agent is longer than 100 characters');
    return agentHolder(await readHolders(args, world), agent);
  }
  const entity = EntityUri.safeParse(admin);
  if (!entity.success)
    throw new VadeError('argument_invalid', '--admin must be an entity URI, such as acme/human/jane');
  return adminHolder(await readHolders(args, world), entity.data);
}
