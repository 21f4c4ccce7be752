import type { ExplainedUnit } from '../../../schema/api/recall.ts';
import type { TriedRecall } from '../../../schema/api/tried-recall.ts';
import { versionsIn } from '../data/versions.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { answeredUnits } from '../parts/ranked-units.ts';
import { agentHref } from '../parts/route.ts';
import { UnitText } from '../parts/unit-text.tsx';
import { whole } from '../parts/wording.ts';

/** The texts that the recall brings, in the order in which an agent reads them. */
export function AnswerTexts({ tried, ...props }: AgentProps & { readonly tried: TriedRecall }) {
  const units = answeredUnits(tried);
  if (units.length === 0) return null;
  return (
    <section aria-label="What the agent reads">
      <h2>What the agent reads</h2>
      {units.map((it) => (
        <AnswerText key={it.fact_uri} {...props} answered={it} />
      ))}
    </section>
  );
}

function AnswerText({ agent, report, answered }: AgentProps & { readonly answered: ExplainedUnit }) {
  const { name, fact_uri, tokens } = answered;
  const unit = agent.units.find((it) => it.name === name);
  const version = versionsIn(agent, report, name).versions.find((it) => it.uri === fact_uri);
  return (
    <article class="answer">
      <h3>
        <a href={agentHref(agent.summary.name, 'units', name)}>{name}</a> <small>{whole(tokens)} tokens</small>
      </h3>
      {unit?.uri === fact_uri ? (
        <UnitText unit={unit} version={version} />
      ) : (
        // a server may have taken over another bundle since this page read its texts
        <p>Its text comes from a newer bundle than this page. Reload the page to read it.</p>
      )}
    </article>
  );
}
