import { explain } from './explanation.ts';

export const CRAFT = explain('craft', {
  agent_limits_missing: [
    'No unit, and nothing in boot.md, tells the agent what it must never do',
    'An agent without limits finds them out by itself',
    'Add a unit such as limits.md, or always-on rules to boot.md',
  ],
  agent_wrap_up_missing: [
    'No unit tells the agent how to end its work',
    'Work is left lying, checkouts stay held, and the next run begins in the dark',
    'Add a unit such as wrap-up.md, triggered by the end of the work',
  ],
  boot_candidate: [
    'Most wake reasons preload the unit, or the triggers of most siblings call for it too',
    'What always applies belongs into the boot stub, where no recall can miss it (§21.1.1)',
    'Move its always-on rules to boot.md, and keep in the unit what one situation asks for',
  ],
  guaranteed_large: [
    'Guaranteed units together cost more than half of the default budget of 2000 tokens',
    'They come with every recall, and what they cost is taken from what was asked for (§21.3.3)',
    'Shorten them, or move always-on rules to boot.md',
  ],
  link_loop: [
    'Units say nothing of their own and only lead to each other. That units with something to say are `related` to each other is no fault, in a circle either: it helps recall',
    'An agent that follows them spends its budget and learns nothing',
    'Write the instruction, or delete the unit',
  ],
  text_not_normal: [
    'The file has a byte order mark, CRLF, or accents apart from their letters',
    'The compiler reads it without them, so that what git shows and what is served differ',
    'Save it as UTF-8 in NFC with LF',
    'fix',
  ],
  trigger_overlap: [
    'Two units of a garden have an intent of nearly the same words',
    'They steal each other’s recalls: whichever is asked for, either may come, and the coverage gate may fail both',
    'Say in which situation each is meant, or merge the units',
  ],
  trigger_repeats_content: [
    'An intent repeats the description, a heading or a sentence of the unit',
    'Who needs the unit does not know its words yet; what they know is the situation they are in',
    'Name the situation that needs the unit, in the words of somebody who has not read it',
  ],
  unit_long: [
    'The unit has more than 600 tokens',
    'It crowds out what is recalled with it, and most of it answers something that was not asked',
    'Split it by situation: one unit each, linked',
  ],
  unit_near_duplicate: [
    'Two units of a garden have nearly the same text',
    'They compete for every recall, and one day one of them will be behind',
    'Keep one, and link to it; what many agents share belongs into `shared/`',
  ],
  unit_short: [
    'The unit has fewer than 20 tokens',
    'Its entry in the manifest costs more than it says',
    'Say it in the unit that leads here, or in boot.md',
  ],
  unit_unreachable: [
    'Nothing leads to the unit: no trigger, no wake reason, no guarantee, no link; or it is unlisted and has no triggers',
    'What nobody can ask for is not read; its description alone rarely brings it',
    'Add load_triggers.intents, or delete it',
  ],
});
