import { VadeError } from '../../schema/errors.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { ADMIN_KEY, TRUST_FLAGS } from '../../world/flags/shared.ts';
import { signingKey } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';

/**
 * An administrator's key: `--key`, or `VADE_ADMIN_KEY`, or with `--dev` the development key. It is never the signing
 * key of CI.
 *
 * @throws signing_key_required
 */
export function adminKey({ key, ...flags }: Arguments<typeof ADMIN_KEY & typeof TRUST_FLAGS>, world: World): Signer {
  const own = world.env['VADE_ADMIN_KEY'] ?? '';
  if (key === undefined && own === '' && (!flags.dev || flags.trust !== undefined)) {
    throw new VadeError('signing_key_required', 'give --key <PEM>, or set VADE_ADMIN_KEY');
  }
  return signingKey(key, flags, { ...world, env: { VADE_SIGNING_KEY: own } });
}

/** The error for a key of no administrator, with a fix. */
export function noAdministrator({ version, admins }: TrustRoot): VadeError {
  const message = `trust root ${version} names no administrator with this key`;
  const named = admins.length > 0 ? `it names ${admins.slice(0, 10).join(', ')}` : 'it names none';
  const suggestion =
    `${named}: let one of them approve with their own key, or make the holder of this one an administrator ` +
    'with vade trust draft and vade trust sign, and commit the root they write';
  return new VadeError('signing_key_required', message, { suggestion });
}
