import { readFileSync } from 'node:fs';

/** A port that nobody but root may listen on, unless the system says otherwise. */
export const PRIVILEGED_PORT = 1;

/** Whether that port is privileged here: in containers often none is. */
export function isPortPrivileged(): boolean {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > PRIVILEGED_PORT;
  } catch {
    return process.platform !== 'linux';
  }
}

export const NOBODY = 65_534;

const LISTENING = `
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    if (process.getuid() === 0) {
      process.seteuid(${NOBODY});
      for (const end of ['error', 'listening']) this.prependOnceListener(end, () => process.seteuid(0));
    }
    return listen.apply(this, args);
  };
`;

/** Flags of Node: whoever runs it, root too, listens as somebody who may not do everything. */
export const AS_NOBODY = ['--import', `data:text/javascript,${encodeURIComponent(LISTENING)}`];

/** Runs something as a user whom the kernel does not let do everything. Nothing changes where root does not run it. */
export function asNobody<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work();
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
