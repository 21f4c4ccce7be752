import { documentOf, json } from './answers.ts';
import type { Rollout } from './edition.ts';
import { givenUp } from './givenup.ts';
import { page } from './page.ts';
import { agentReport, deploymentReport, tryRecall, type ReportContext } from './report.ts';
import { AgentReportQuery, type ReportOperation } from './reportoperations.ts';
import { askedOf, bodyOf, parseQuery } from './request.ts';
import type { Route } from './routing.ts';

export type { ReportContext, ReportOperation };

/** What the page for administrators asks. */
export function reportRoutes(
  context: ReportContext & { readonly rollout: Rollout },
): Record<ReportOperation, Pick<Route, 'handle'>> {
  const { rollout } = context;
  return {
    getReport: {
      handle: async (request, response) =>
        json(await deploymentReport(context, askedOf(rollout, request, response), givenUp(response))),
    },
    getAgentReport: {
      handle: async (request, response) => {
        const { show_intents } = parseQuery(AgentReportQuery, request.query);
        const asked = askedOf(rollout, request, response);
        const options = { showIntents: show_intents === 'true', signal: givenUp(response) };
        return json(await agentReport(context, asked, options));
      },
    },
    tryRecall: {
      handle: async (request, response) =>
        json(await tryRecall(context, askedOf(rollout, request, response), bodyOf(request))),
    },
    getPage: { handle: (request) => documentOf(request, page().shell, 'text/html') },
    getPageScript: { handle: (request) => documentOf(request, page().script, 'text/javascript') },
    getPageStyle: { handle: (request) => documentOf(request, page().style, 'text/css') },
  };
}
