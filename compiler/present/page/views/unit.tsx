import type { ComponentChildren } from 'preact';
import { isHardToFind, type TextRule } from '../../../schema/bundle/coverage.ts';
import type { UnitMeasure, UnitReport } from '../../../schema/report/unit-report.ts';
import { versionsIn } from '../data/versions.ts';
import type { AgentProps } from '../parts/agent-props.ts';
import { Figure } from '../parts/figure.tsx';
import { agentHref } from '../parts/route.ts';
import { Table } from '../parts/table.tsx';
import { UnitText } from '../parts/unit-text.tsx';
import { percent, shown, whole } from '../parts/wording.ts';
import { APPROVALS } from './approvals.tsx';
import { History } from './history.tsx';
import { UnitChips } from './units.tsx';

/** One unit: text, delivery, coverage and history. */
export function UnitPage({ agent, report, name }: AgentProps & { readonly name: string }) {
  const unit = agent.units.find((it) => it.name === name);
  const back = <a href={agentHref(agent.summary.name, 'units')}>All units of {agent.summary.name}</a>;
  if (!unit)
    return (
      <p>
        This agent has no unit {name}. {back}
      </p>
    );
  const { versions, more_versions } = versionsIn(agent, report, name);
  return (
    <article>
      <p>{back}</p>
      <h2>
        {unit.name} <UnitChips unit={unit} />
      </h2>
      <p class="lede">{shown(unit.delivery.description)}</p>
      <p>
        <code>{unit.uri}</code>, {whole(unit.tokens)} tokens
      </p>
      <Measure unit={unit} />
      <Delivered unit={unit} />
      <Phrases unit={unit} />
      <Approvals unit={unit} />
      <h3>Text</h3>
      <UnitText unit={unit} version={versions[0]} />
      <History versions={versions} more={more_versions} />
    </article>
  );
}

function Phrases({ unit: { phrases } }: { readonly unit: UnitReport }) {
  if (!phrases) return null;
  return (
    <List
      name={`Phrases, by ${shown(phrases.by)}${phrases.stale ? ', for another text' : ''}`}
      items={phrases.phrases}
    />
  );
}

function Approvals({ unit: { approvals } }: { readonly unit: UnitReport }) {
  if (approvals.length === 0) return null;
  return (
    <>
      <h3>Approvals</h3>
      <Table caption="Approvals" quiet columns={APPROVALS} rows={approvals} keyOf={(it) => it.files.join() + it.kind} />
    </>
  );
}

/** Headings for the triggers that a text rule concerns. */
const TEXT_RULE_NAMES: Readonly<Record<TextRule, string>> = {
  coverage_own_text: 'Triggers that its own text hardly answers',
  coverage_misplaced: 'Triggers that a sibling answers better',
  coverage_repetition: 'Triggers that only repeat the text',
};

function coverageIn({ judged_by, paraphrases, coverage_pct }: UnitMeasure): string {
  if (judged_by === 'nothing') return 'no trigger: nothing to judge';
  return paraphrases === 0 ? 'not evaluated' : percent(coverage_pct);
}

/** Number of paraphrases that find the unit, and of those among them that contain the whole trigger. */
function countsIn({ found, paraphrases, verbatim }: UnitMeasure): string {
  const counts = `${found} of ${paraphrases} paraphrases`;
  return verbatim === 0 ? counts : `${counts}, ${verbatim} of them verbatim`;
}

function Measure({ unit: { measure } }: { readonly unit: UnitReport }) {
  if (measure === null) return null;
  return (
    <>
      <dl class="figures">
        <Figure name="Coverage" term="coverage" value={coverageIn(measure)} note={countsIn(measure)} />
        {measure.findability && (
          <Figure
            name="Findability"
            term="findability"
            value={measure.findability.score.toFixed(2)}
            note="by words that are not its triggers"
            bad={() => isHardToFind(measure)}
          />
        )}
        <Figure
          name="Hit@10"
          term="unit_hit"
          value={percent(measure.hit_at_10)}
          bad={() => measure.status === 'coverage_critical'}
        />
        {measure.hit_at_3 !== null && <Figure name="Hit@3" term="unit_hit" value={percent(measure.hit_at_3)} />}
        <Figure name="Probes" term="probe" value={whole(measure.probe_count)} />
      </dl>
      <Advice measure={measure} />
    </>
  );
}

/** Advice to an author from the measure: words, rivals, and the triggers that a rule concerns. */
function Advice({ measure }: { readonly measure: UnitMeasure }) {
  return (
    <>
      <List name="Words that would help" items={measure.suggested_words} />
      <List
        name="Nearest rivals"
        items={(measure.findability?.rivals ?? []).map((it) => `${it.name} (before it ${it.ahead} times)`)}
      />
      <List name="Triggers of which no paraphrase can be made" items={measure.not_evaluated} />
      {measure.text_rules.map(({ rule, triggers }) => (
        <List key={rule} name={TEXT_RULE_NAMES[rule]} items={triggers} />
      ))}
    </>
  );
}

function Delivered({ unit: { delivery } }: { readonly unit: UnitReport }) {
  const { load_triggers: it } = delivery;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Trigger intents', it.intents],
    ['Keywords', it.keywords],
    ['Task types', it.task_types],
    ['Preloaded for', delivery.required_by_task_types],
    ['Related', delivery.related],
    ['Aliases', delivery.aliases],
  ];
  return (
    <>
      {lists.map(([name, items]) => (
        <List key={name} name={name} items={items} />
      ))}
    </>
  );
}

function List({ name, items }: { readonly name: string; readonly items: readonly string[] }): ComponentChildren {
  if (items.length === 0) return null;
  return (
    <p class="list">
      <strong>{name}:</strong> {items.map(shown).join(' · ')}
    </p>
  );
}
