/** The views of one agent, in the order of their tabs. */
export const AGENT_VIEWS = {
  playground: 'Playground',
  units: 'Units',
  probes: 'Probes',
  coverage: 'Coverage',
  recalls: 'Recalls',
  audit: 'Audit',
  approvals: 'Approvals',
  changes: 'Changes',
} as const;

export type AgentView = keyof typeof AGENT_VIEWS;

/** The view of an agent's address that names none. */
const FIRST = 'playground';

/** The view that an address names. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'changes' }
  | { readonly view: 'unknown' }
  | { readonly view: 'agent'; readonly agent: string; readonly tab: AgentView; readonly unit: string | null };

const NAME = '([a-z0-9][a-z0-9-]{0,63})';
const AGENT = new RegExp(`^/agents/${NAME}(?:/([a-z]+)(?:/${NAME})?)?$`);

/** Parses an address of the page; an unknown one leads to the not-found view. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '');
  if (path === '' || path === '/') return { view: 'overview' };
  if (path === '/changes') return { view: 'changes' };
  const [, agent, tab = FIRST, unit = null] = AGENT.exec(path) ?? [];
  if (agent === undefined || !Object.hasOwn(AGENT_VIEWS, tab)) return { view: 'unknown' };
  if (unit !== null && tab !== 'units') return { view: 'unknown' };
  return { view: 'agent', agent, tab: tab as AgentView, unit };
}

/** The address of a view of an agent. */
export function agentHref(agent: string, tab: AgentView = FIRST, unit?: string): string {
  const rest = tab === FIRST ? '' : `/${tab}${unit === undefined ? '' : `/${unit}`}`;
  return `#/agents/${agent}${rest}`;
}
