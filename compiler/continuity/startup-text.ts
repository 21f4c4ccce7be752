import { startupSections } from './capsule/startup-sections.ts';
import type { Handoff } from './schema/coordination/handoff.ts';
import type { UnreadableCapsule } from './schema/list.ts';
import type { ReadAnswer } from './schema/reading/read.ts';
import type { ScheduleItem } from './schema/schedule/item.ts';

/** A view as lines of text: its subject and state, then its entries. An entry is one line: none forges another. */
export function viewText(view: ReadAnswer): string {
  const { startup_summary: summary, schedule_context: schedule } = view;
  const sections = summary ? startupSections(summary) : [];
  return [
    headOf(view),
    ...sections.flatMap(({ name, texts }) => sectionLines(name, texts)),
    ...sectionLines('Due soon', (schedule?.upcoming.items ?? []).map(dueText)),
  ].join('\n');
}

function sectionLines(name: string, texts: readonly string[]): readonly string[] {
  const [only = ''] = texts;
  if (texts.length < 2) return texts.length === 0 ? [] : [`  ${name}: ${oneLine(only)}`];
  return [`  ${name}:`, ...texts.map((it) => `  - ${oneLine(it)}`)];
}

function headOf({ capsule, source_state, trust_signals }: ReadAnswer): string {
  const { subject_kind = '', subject_id = '', updated_at = '', thread_descriptor, capsule_health } = capsule ?? {};
  const { phase = 'fresh' } = trust_signals?.recency ?? {};
  const health = capsule_health && capsule_health.status !== 'healthy' ? capsule_health : null;
  const notes = [
    thread_descriptor && oneLine(thread_descriptor.label),
    thread_descriptor?.lifecycle === 'suspended' && 'suspended',
    updated_at !== '' && `updated ${updated_at}`,
    phase !== 'fresh' && phase,
    health && [health.status, ...health.reasons.map(oneLine)].join(': '),
    source_state === 'fallback' && 'from its fallback, since the active capsule cannot be read',
  ];
  return [`${subject_kind} ${oneLine(subject_id)}`, ...notes.filter((it) => typeof it === 'string')].join(' · ');
}

/** An item of a schedule by its id. */
export function dueText({
  schedule_id,
  title,
  due_at,
}: Pick<ScheduleItem, 'schedule_id' | 'title' | 'due_at'>): string {
  return `${oneLine(title)} (${schedule_id}, due ${due_at})`;
}

/** A handoff of another agent, by its id; what crossed is read with it. */
export function handoffText({ handoff_id, sender_peer, source_selector, note }: Handoff): string {
  const { subject_kind, subject_id } = source_selector;
  const said = note === null ? '' : `: ${oneLine(note)}`;
  return `${subject_kind} ${oneLine(subject_id)} from ${sender_peer} (${handoff_id})${said}`;
}

/** A file that cannot be read. */
export function unreadableText({ path, subject_kind, subject_id }: UnreadableCapsule): string {
  return subject_id === null ? path : `${subject_kind ?? ''} ${oneLine(subject_id)} (${path})`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
