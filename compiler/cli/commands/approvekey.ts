import { VadeError } from '../../model/errors.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { Flags, World } from '../registry.ts';
import { signingKey } from '../trust.ts';

export const ADMIN_KEY = {
  key: { type: 'string', description: 'Your Ed25519 key in PEM; or VADE_ADMIN_KEY' },
} as const satisfies Flags;

interface Given {
  readonly key: string | undefined;
  readonly trust: string | undefined;
  readonly dev: boolean;
}

/**
 * An administrator's key: `--key`, or `VADE_ADMIN_KEY`, or under `--dev` the development key. CI's own key is never
 * taken for one.
 *
 * @throws signing_key_required
 */
export function adminKey({ key, ...flags }: Given, world: World): Signer {
  const own = world.env['VADE_ADMIN_KEY'] ?? '';
  if (key === undefined && own === '' && (!flags.dev || flags.trust !== undefined)) {
    throw new VadeError('signing_key_required', 'give --key <PEM>, or set VADE_ADMIN_KEY');
  }
  return signingKey(key, flags, { ...world, env: { VADE_SIGNING_KEY: own } });
}
