import { VadeError } from '../schema/errors.ts';
import type { Arguments } from './flags/flag.ts';
import type { TRUST_FLAGS } from './flags/shared.ts';

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** A development root accepts every key, so only this machine may reach the server. @throws argument_invalid */
export function requireLoopback({
  dev,
  host,
}: Pick<Arguments<typeof TRUST_FLAGS>, 'dev'> & { readonly host: string }): void {
  if (!dev || LOOPBACK.includes(host)) return;
  throw new VadeError('argument_invalid', `--dev listens only on loopback, not on ${host}`);
}
