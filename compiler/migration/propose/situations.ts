import { indexTexts } from '../../quality/coverage/texts.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';

/**
 * What agents say about their work, whatever it is. They bring words that a section does not have; which section a
 * situation belongs to is decided by the section's whole text, never by a word of its heading.
 */
const SITUATIONS = `
  I am done for today and want to finish cleanly
  stop working and hand in
  end of my run
  nothing is left to do, may I leave
  is this safe to do
  I am about to delete or overwrite something
  somebody wants a password or private data from me
  this command could cause damage
  what am I not allowed to do
  is there a rule against this
  am I permitted to go this far
  this may be outside my limits
  who am I and what am I here for
  what is my job in this team
  does this belong to my duties at all
  introduce myself to somebody
  how should this message sound
  I am looking for the right words
  draft a text for somebody
  is this too formal or too blunt
  somebody else should do this
  who is the right one for this job
  I cannot do all of this myself
  pass a part of the work on to a colleague
  what should I do first
  break something big into small steps
  decide what matters most now
  where are we heading in the coming weeks
  I learned something worth keeping
  write this down for later
  what did we decide about this last time
  look up what I already know
  what should I work on next
  is anything waiting for me
  choose between several open tasks
  a new request has come in
  I am ready to begin with this
  take this task so that nobody else does
  get going on the work now
  somebody else already holds this task
  get my environment ready
  something I need is not installed
  run this for the first time
  which settings does it need
  I need a yes from somebody before I go on
  may I decide this on my own
  who has to agree to this
  my request was turned down
  I am stuck and cannot go on
  something is in my way
  whom do I turn to for help
  we do not agree about how to proceed
  which tool is there for this
  how do I call this command
  what can I use here
  a tool answers with an error
  look over somebody's changes
  is this good enough to be merged
  check this work for mistakes
  somebody asks for my opinion of their code
  does it really work
  prove that my change is right
  how do I know that this is complete
  a check has failed
  get this out to our users
  put the new version live
  is it ready to ship
  go back to the version before
  something is broken right now
  users say that it is down
  find out what went wrong
  get everything back to normal
  I am about to write code
  how do we lay out and name things here
  commit my changes
  where does this new file belong
  tell the others how far I am
  somebody asked me a question
  who has to hear about this
  answer a comment
  we need one more pair of hands
  bring a newcomer on board
  nobody here has the skills for this
  choose between candidates
  can we afford this
  we are spending too much
  pay for a new service
  how much of my allowance is left
  why was I woken up
  should I get active at all now
  is this a case for me
  somebody called me by name
  what exactly do I have to deliver
  how should the result look
  which form does the answer need
  where do I put what I made
  where can I read more about this
  which file tells me that
  is this written down somewhere
  look for the original text
  I just woke up, what comes first
  go through my regular duties
  it is time for the daily round
  which steps come in which order
`;

const ALL = SITUATIONS.trim().split(/\s*\n\s*/);

/** From this score of its text on, in millionths, a section is what a situation is about. */
const CLOSE = 140_000;

/** A section has few situations, and a situation few sections. */
const PER_UNIT = 2;
const PER_SITUATION = 1;

/** The situations that the texts of a garden's units are about, by unit, the closest first. */
export async function situationsIn(
  garden: RecallGarden,
  encoder: Encoder | null,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = await indexTexts(garden, encoder, () => true);
  const vectors = encoder ? await encoder.encode(ALL, 'query') : [];
  const pairs = ALL.flatMap((situation, i) => {
    const scores = texts.score(situation, vectors[i] ?? null);
    const units = texts.index.names.map((unit, at) => ({ unit, situation, score: scores[at] ?? 0 }));
    return units
      .filter(({ score }) => score >= CLOSE)
      .sort((a, b) => b.score - a.score)
      .slice(0, PER_SITUATION);
  });
  const found = new Map<string, string[]>();
  for (const { unit, situation } of pairs.sort((a, b) => b.score - a.score)) {
    const own = found.get(unit) ?? [];
    if (own.length < PER_UNIT) found.set(unit, [...own, situation]);
  }
  return found;
}
