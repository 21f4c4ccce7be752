import { stemmer } from 'stemmer';
import { terms, words } from '../recall/signals/lexical.ts';
import { slugOf, type Section } from './sections.ts';

/** Common purposes of agents' instructions, not tuned to a corpus: kind, names, keywords; typical intents. */
const TABLE = `
wrap-up: wrap, exit, finish, sign off, end of, hand in, shut down, shutdown, before you stop, clean up, cleanup, leaving | finish, stop, leave, exit, hand in
  I am done for today and want to finish cleanly; putting the work down for now; stop working and hand in; end of my run; nothing is left to do, may I leave
safety: safe, safety, security, secure, danger, dangerous, destructive, harm, guardrail, secret, credential, privacy, confidential, risk | destructive, delete, password, leak, risk
  is this safe to do; I am about to delete or overwrite something; somebody wants a password or private data from me; this command could cause damage
constraints: constraint, rules, limit, limitation, boundary, prohibited, prohibition, forbidden, never, must not, do not, don t, not allowed, restriction, restricted | allowed, forbidden, limit, permitted, rule
  what am I not allowed to do; is there a rule against this; am I permitted to go this far; this may be outside my limits
identity: identity, role, persona, who you, who am, mission, charter, purpose, you are, about you, responsibility, responsible, soul | role, identity, mission, responsible, myself
  who am I and what am I here for; what is my job in this team; does this belong to my duties at all; introduce myself to somebody
voice: voice, tone, writing, wording, style, manner, how you speak, how you sound | write, tone, wording, draft, message
  how should this message sound; I am looking for the right words; draft a text for somebody; is this too formal or too blunt
delegation: delegation, hand off, handoff, hand over, handover, routing, route, subagent, collaboration, direct report | delegate, hand over, assign, colleague, team
  somebody else should do this; who is the right one for this job; I cannot do all of this myself; pass a part of the work on to a colleague
planning: plan, planning, priority, prioritization, prioritize, strategy, strategic, roadmap, goal, objective, break down, decomposition, milestone, focus | plan, priority, goal, steps, first
  what should I do first; break something big into small steps; decide what matters most now; where are we heading in the coming weeks
memory: memory, remember, note, knowledge, learning, journal, fact, lesson, context | remember, write down, look up, keep, notes
  I learned something worth keeping; write this down for later; what did we decide about this last time; look up what I already know
assignments: assignment, inbox, queue, backlog, pick, task, ticket, issue, todo, to do, triage | task, inbox, queue, next, waiting
  what should I work on next; is anything waiting for me; choose between several open tasks; a new request has come in
start: checkout, check out, start, begin, kick off, kickoff, claim, do the work, take on | start, begin, claim, take, in progress
  I am ready to begin with this; take this task so that nobody else does; get going on the work now; somebody else already holds this task
setup: setup, set up, installation, configuration, configure, environment, prerequisite, bootstrap, getting started, requirement | install, configure, environment, settings, first time
  get my environment ready; something I need is not installed; run this for the first time; which settings does it need
approvals: approval, approve, permission, consent, confirmation, board, governance | approve, permission, agree, decide, ask first
  I need a yes from somebody before I go on; may I decide this on my own; who has to agree to this; my request was turned down
escalation: escalation, escalate, blocker, blocked, stuck, conflict, dispute, disagreement, impediment, unblock, ask for help, when to ask | stuck, blocked, escalate, help, conflict
  I am stuck and cannot go on; something is in my way; whom do I turn to for help; we do not agree about how to proceed
tools: tool, command, cli, api, skill, integration, mcp, plugin, script, capability | tool, command, run, call, access
  which tool is there for this; how do I call this command; what can I use here; a tool answers with an error
review: review, reviewer, pull request, merge request, feedback, critique, audit, inspection | review, pull request, changes, feedback, mistakes
  look over somebody's changes; is this good enough to be merged; check this work for mistakes; somebody asks for my opinion of their code
testing: test, verification, verify, qa, quality, validation, definition of done, acceptance, coverage | test, verify, check, prove, quality
  does it really work; prove that my change is right; how do I know that this is complete; a check has failed
deploy: deploy, deployment, release, ship, publish, rollout, roll out, launch, go live | deploy, release, ship, live, version
  get this out to our users; put the new version live; is it ready to ship; go back to the version before
incident: incident, outage, emergency, postmortem, on call, failure, failing, error, recovery, recover, rollback, troubleshooting, debugging | broken, down, outage, error, recover
  something is broken right now; users say that it is down; find out what went wrong; get everything back to normal
coding: code, coding, convention, implementation, implement, development, commit, branch, git, architecture | code, commit, branch, naming, structure
  I am about to write code; how do we lay out and name things here; commit my changes; where does this new file belong
communication: communication, communicate, report, status, update, comment, notification, message, stakeholder, meeting, email, respond, reply | tell, status, update, answer, inform
  tell the others how far I am; somebody asked me a question; who has to hear about this; answer a comment
hiring: hire, recruiting, recruitment, onboarding, staffing, candidate, interview, headcount | hire, recruit, candidate, join, team
  we need one more pair of hands; bring a newcomer on board; nobody here has the skills for this; choose between candidates
budget: budget, cost, spend, money, expense, financial, finance, pricing, quota, investment | budget, cost, spend, pay, afford
  can we afford this; we are spending too much; pay for a new service; how much of my allowance is left
triggers: trigger, when to, wake, invoke, invocation, event, when you | when, wake, trigger, event, apply
  why was I woken up; should I get active at all now; is this a case for me; somebody called me by name
outputs: output, deliverable, format, template, artifact, artefact, result, produce, response, present | result, format, template, deliver, form
  what exactly do I have to deliver; how should the result look; which form does the answer need; where do I put what I made
references: reference, resource, link, further, see also, document, documentation, essential, source, reading | documentation, file, read, find, link
  where can I read more about this; which file tells me that; is this written down somewhere; look for the original text
routine: heartbeat, routine, schedule, cadence, daily, weekly, checklist, procedure, workflow, every, process | heartbeat, routine, regular, procedure, order
  I just woke up, what comes first; go through my regular duties; it is time for the daily round; which steps come in which order
`;

const list = (text = '', separator = ',') => text.split(separator).map((item) => item.trim());
const stemsOf = (text: string) => ` ${words(text).map(stemmer).join(' ')} `;

/** Words of a title that say nothing about its topic. */
const GENERIC = new Set(
  `background checklist considerations details example examples format general guidelines instructions introduction
  notes overview policies policy principles procedure process protocol rules steps summary usage workflow`.split(/\s+/),
);

const SITUATIONS = TABLE.trim()
  .split(/\n(?=\S)/)
  .map((row) => {
    const [kind = '', names, keywords, intents] = row.split(/: | \| |\n/);
    const weights = new Map(list(names).map((name) => [stemsOf(name), GENERIC.has(name) ? 1 : name.length]));
    const hints = [...weights.keys(), ...list(keywords).map(stemsOf)];
    return { kind, weights: [...weights], hints, keywords: list(keywords), intents: list(intents, ';') };
  });

/** A situation in which agents need instructions, with the words that name it and words related to it. */
export type Situation = (typeof SITUATIONS)[number];

/** Whether a section has no title but its file's name; then its first sentence is used instead. */
const isNameless = ({ isPreamble, document }: Section) => isPreamble && document.title === null;
const sentenceOf = ({ opening }: Section) => /^.{20,}?[.!?](?=\s)/su.exec(opening)?.[0] ?? opening;

/** The situation that a section is written for: its title names it, or its text has several of its words. */
function classify(section: Section): { readonly situation: Situation | null; readonly named: boolean } {
  const { title, opening, isPreamble, plain } = section;
  const isRole = isPreamble && /^you(?: are|['’]re)\b/i.test(opening);
  const heading = stemsOf(isRole ? 'you are' : isNameless(section) ? sentenceOf(section) : title);
  const text = stemsOf(plain);
  let best = { situation: null as Situation | null, named: false, score: 4 };
  for (const situation of SITUATIONS) {
    const named = situation.weights.reduce((sum, [stem, weight]) => sum + (heading.includes(stem) ? weight : 0), 0);
    const score = named * 100 + situation.hints.filter((stem) => text.includes(stem)).length;
    if (score > best.score) best = { situation, named: named > 0, score };
  }
  return best;
}

/** The situation of each section. Sections of one situation divide its intents, so that each finds at most two units. */
export function situationsOf(sections: readonly Section[]): (Situation | null)[] {
  const found = sections.map(classify);
  return found.map((it) => {
    const same = found.filter(({ situation }) => situation === it.situation);
    const rivals = same.some(({ named }) => named) ? same.filter(({ named }) => named) : same;
    if (!it.situation || !rivals.includes(it)) return null;
    const { intents } = it.situation;
    const share = Math.min(4, Math.floor((2 * intents.length) / rivals.length));
    const from = (rivals.indexOf(it) * share) % intents.length;
    return { ...it.situation, intents: [...intents, ...intents].slice(from, from + share) };
  });
}

/** The words that distinguish a section: its title, after its parent's title if its own is too general. */
function topicOf({ title, parent }: Section): string {
  const isVague = words(title).every((word) => GENERIC.has(word) || word === 'and');
  return isVague && parent !== null && parent !== title ? `${parent} ${title}` : title;
}

const SUBJECT = /(^|\b(?:and|can|do|how|if|must|or|should|that|what|when|where|who|whom|why) )you\b(?=.)/gi;

/** A phrase in the first person, as an agent would say it, limited in length. */
function firstPerson(text: string, most = 9): string {
  const plain = text.slice(0, 500).replace(/(?<=\S\s*)\([^()]*\)/g, ' ');
  const spoken = plain.split(/[\s"“”*`#<>|()[\]]+/).filter((word) => /[\p{L}\p{N}&]/u.test(word));
  const phrase = spoken.slice(0, most).join(' ').slice(0, 100);
  // words in title case or long capitals become lower case; abbreviations and names like GitHub keep their capitals
  const calm = phrase.replace(/(?<!\p{L})\p{Lu}(?:\p{Ll}+|\p{Lu}{4,})(?!\p{L})/gu, (word) => word.toLowerCase());
  const bare = calm.replace(/[^\p{L}\p{M}\p{N}]+$/u, '').replace(/\byou(?: are|['’]re)\b/gi, 'I am');
  return bare.replace(SUBJECT, '$1I').replace(/\byou(r?)\b/gi, (_, r) => (r ? 'my' : 'me'));
}

const VERBS = `apply approve ask assign avoid build change check choose collect configure create decide define
  delegate deploy design do ensure escalate explain find fix follow get give handle hire identify implement improve
  keep know maintain make manage monitor plan prepare prevent prioritize protect publish push record report research
  resolve respond review run search send set ship start stop take track triage update use validate verify work write`;

/** Openings of sentences that end with a topic, by the topic's first word. */
const FRAMES: readonly (readonly [first: RegExp, openings: string])[] = [
  [/^(?:how|what|where|which|who|whom|whose|why)$/, 'I want to know; tell me; I am not sure'],
  [/^\p{L}{3,}ing$/u, 'I am; how do I go about; I am about to start'],
  [new RegExp(`^(?:${VERBS.replace(/\s+/g, '|')})$`), 'I need to; how do I; I am about to'],
  [/(?:)/, 'how do I handle; what applies to; I have to deal with'],
];

/** Intents of an agent that needs the section of a topic. */
function frames(topic: string, isWhole: boolean): string[] {
  const said = firstPerson(topic.replace(/^(?:never|always|don['’]t|how to) /i, '')).split(' ');
  while (isWhole && said.length > 1 && GENERIC.has(said.at(-1) ?? '')) said.pop();
  // a single word, such as “plan”, is treated as a noun
  const first = said.length > 1 ? (said[0] ?? '') : '';
  const openings = FRAMES.find(([pattern]) => pattern.test(first))?.[1];
  return list(openings, ';').map((opening) => `${opening} ${said.join(' ')}`);
}

const CLAUSE = /\b(?:whenever|(?:activated|invoked?|used?)\b[\w ]{0,20} when) ((?:your?|an?|the) [^.;:!?()]{8,99})/i;

/** The triggers of a section (§21.2.2), from its author's words, its situation and its title. */
export function triggersOf(section: Section, situation: Situation | null) {
  const clause = CLAUSE.exec(`${section.opening} ${section.plain}`)?.[1] ?? '';
  const topic = topicOf(section);
  const framed =
    isNameless(section) && (situation?.intents.length ?? 0) > 2 ? [] : frames(topic, topic === section.title);
  const intents = new Set([firstPerson(clause, 14), ...(situation?.intents ?? []), ...framed]);
  const related = situation?.keywords ?? contentWords(section.plain);
  const keywords = new Set([...contentWords(topic).slice(0, 3), ...related.slice(0, 4)]);
  return { intents: [...intents].filter((it) => it !== '').slice(0, 6), keywords: [...keywords].slice(0, 6) };
}

const DANGLING = /\s(?:an?|and|as|at|by|for|from|in|is|not|of|on|or|rather|than|that|the|to|with|your?|GET|POST)$/i;

/** A unit's description in at most 60 characters: its title, and its opening if the title is short. */
export function describe(section: Section): string {
  const topic = topicOf(section);
  const first = sentenceOf(section);
  const whole = isNameless(section) ? first : topic.length < 25 ? `${topic}: ${first}` : topic;
  const plain = whole.slice(0, 500).replace(/[\s`*#|<>[\]~\\]+/g, ' ');
  return clip(plain.trim()).replace(/\((?![^)]*\))|[^\p{L}\p{M}\p{N})%]+$/gu, '') || slugOf(section.title);
}

/** Cuts after a clause where there is one to cut after, else after a word that can end a phrase. */
function clip(text: string, most = 60): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(' ', most);
  const short = text.slice(0, space > 0 ? space : most);
  const clause = /^.{30,}(?=[,:;.!?](?: |$))/su.exec(short)?.[0];
  return clause ?? short.replace(DANGLING, '').replace(DANGLING, '');
}

/** The words of a text that carry meaning, the most frequent first. */
function contentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if (terms(word, false)[0] && word.length < 40 && !GENERIC.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
}
