/** The views of one agent, in the order of their tabs. */
export const AGENT_VIEWS = {
  units: 'Units',
  playground: 'Playground',
  probes: 'Probes',
  coverage: 'Coverage',
  recalls: 'Recalls',
  audit: 'Audit',
  approvals: 'Approvals',
  changes: 'Changes',
} as const;

export type AgentView = keyof typeof AGENT_VIEWS;

/** Views that ask a server: a report file has neither an index nor the recalls of agents. */
export const SERVER_VIEWS: readonly AgentView[] = ['playground', 'recalls'];

/** The view of an agent's address that names none. */
const FIRST = 'units';

/** The view that an address names. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'unknown' }
  | { readonly view: 'agent'; readonly agent: string; readonly tab: AgentView; readonly unit: string | null };

const NAME = '([a-z0-9][a-z0-9-]{0,63})';
const AGENT = new RegExp(`^/agents/${NAME}(?:/([a-z]+)(?:/${NAME})?)?$`);

/** Parses an address of the page; an unknown one leads to the not-found view. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '');
  if (path === '' || path === '/') return { view: 'overview' };
  const [, agent, tab = FIRST, unit = null] = AGENT.exec(path) ?? [];
  if (agent === undefined || !Object.hasOwn(AGENT_VIEWS, tab)) return { view: 'unknown' };
  if (unit !== null && tab !== 'units') return { view: 'unknown' };
  return { view: 'agent', agent, tab: tab as AgentView, unit };
}

/** The address of a view of an agent, or of one of its units. */
export function agentHref(agent: string, tab: AgentView = FIRST, unit?: string): string {
  if (unit !== undefined) return `#/agents/${agent}/${tab}/${unit}`;
  return tab === FIRST ? `#/agents/${agent}` : `#/agents/${agent}/${tab}`;
}
