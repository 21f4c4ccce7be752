import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Source } from './data/source.ts';
import { InCommit } from './parts/commit.tsx';
import { agentHref, parseRoute, type Route } from './parts/route.ts';
import { instant } from './parts/wording.ts';
import { AgentPage } from './views/agent.tsx';
import { Overview } from './views/overview.tsx';

/** The frame of every view: the current place and the navigation. */
export function Shell({ source }: { readonly source: Source }) {
  const route = parseRoute(useHash());
  const main = useShown(titleOf(route, source.report));
  const { report } = source;
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        To the content
      </a>
      <Bar source={source} route={route} />
      {report.bundle.unversioned && (
        <p class="notice whole" role="status">
          <strong>Unversioned</strong>: this is a working tree with uncommitted edits. It is served to nobody else.
        </p>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        {viewOf(route, source)}
      </main>
      <footer>
        Bundle {report.bundle.serial}, <InCommit id={report.bundle.commit} />, compiled by vademecum {report.compiler}.
        Written {instant(report.generated_at)} UTC{source.server ? ' by this server' : ''}.
      </footer>
    </>
  );
}

/** The current hash of the address, as state. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  // before the page is seen: a change between the two would be missed
  useLayoutEffect(() => {
    const follow = () => {
      setHash(location.hash);
    };
    addEventListener('hashchange', follow);
    return () => {
      removeEventListener('hashchange', follow);
    };
  }, []);
  return hash;
}

/** Follows the title of the view: moves the keyboard focus to a new one, and shows it from its top. */
function useShown(title: string) {
  const main = useRef<HTMLElement>(null);
  const seen = useRef(title);
  // before the view is seen: a key that is pressed then would go to a link of the last one
  useLayoutEffect(() => {
    document.title = title;
    if (seen.current !== title) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    seen.current = title;
  }, [title]);
  return main;
}

function viewOf(route: Route, source: Source): ComponentChildren {
  if (route.view === 'overview') return <Overview report={source.report} />;
  const known = route.view === 'agent' && source.report.agents.some((it) => it.name === route.agent);
  if (route.view === 'agent' && known) return <AgentPage key={route.agent} source={source} route={route} />;
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <a href="#/">Back to the overview</a>
      </p>
    </>
  );
}

function titleOf(route: Route, { deployment, agents }: Source['report']): string {
  const isUnknown = route.view === 'agent' && !agents.some(({ name }) => name === route.agent);
  if (isUnknown || route.view === 'unknown') return `No such page · ${deployment}`;
  if (route.view === 'agent') return `${route.unit ?? route.tab} · ${route.agent} · ${deployment}`;
  return `${deployment} · Vademecum`;
}

function Bar({ source: { report }, route }: { readonly source: Source; readonly route: Route }) {
  const agent = route.view === 'agent' ? route.agent : '';
  return (
    <header class="bar">
      <nav aria-label="Deployment">
        <a class="brand" href="#/">
          <span aria-hidden="true">❧</span> {report.deployment}
        </a>
        <a href="#/" aria-current={route.view === 'overview' ? 'page' : undefined}>
          Overview
        </a>
        <label class="switch">
          <span>Agent</span>
          <select
            value={agent}
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== '') location.hash = agentHref(currentTarget.value);
            }}
          >
            <option value="">choose …</option>
            {report.agents.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </nav>
    </header>
  );
}
