import { pino, type Logger } from 'pino';

/** One line per event, on standard error; never with bodies, keys or intents. */
export function stderrLog({ quiet = false }: { readonly quiet?: boolean }): Logger {
  return pino({ base: null, level: quiet ? 'warn' : 'info' }, pino.destination({ fd: 2, sync: false }));
}
