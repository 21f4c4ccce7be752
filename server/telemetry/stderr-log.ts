import { pino, type Logger } from 'pino';
import { escapeUnseen } from '../../compiler/schema/diagnostics.ts';

/** One line per event, on standard error; never with bodies, keys or intents. */
export function stderrLog({ quiet = false }: { readonly quiet?: boolean }): Logger {
  const level = quiet ? 'warn' : 'info';
  return pino({ base: null, level, hooks: { streamWrite: escapeUnseen } }, pino.destination({ fd: 2, sync: false }));
}
