import { explain } from './explanation.ts';

export const CRAFT = explain('craft', {
  agent_limits_missing: [
    'Neither a unit nor boot.md says what the agent must never do. The check looks for English words and skips handbooks in other languages',
    'An agent without written limits learns them by crossing them',
    'Add a unit such as limits.md, or always-on rules in boot.md',
  ],
  agent_wrap_up_missing: [
    'No unit says how the agent ends its work. The check looks for English words and skips handbooks in other languages',
    'Work stays unfinished, checkouts stay locked, and the next run lacks a handover',
    'Add a unit such as wrap-up.md, triggered by the end of the work',
  ],
  boot_candidate: [
    'Most wake reasons preload the unit, or the triggers of most siblings match it too',
    'A rule that always applies belongs in the boot stub, where no recall can miss it (§21.1.1)',
    'Move its always-on rules to boot.md, and keep only the rules of one situation in the unit',
  ],
  description_overlap: [
    'Two units of a garden have a description in nearly the same words',
    'A model chooses units by their descriptions, and it cannot tell these two apart',
    'Say what sets each unit apart, in words that the other does not have, or merge the units',
  ],
  description_says_little: [
    'A description has only words of the unit’s name and general words, such as “Instructions on deployments”',
    'A model chooses units by their descriptions, and this one repeats the name',
    'Say in which situation an agent needs the unit, or what it finds there',
  ],
  guaranteed_large: [
    'Guaranteed units together cost more than half of the default budget of 2000 tokens',
    'They come with every recall, and leave less budget for the units that match (§21.3.3)',
    'Shorten them, or move always-on rules to boot.md',
  ],
  language_differs: [
    'A unit is in another script, or has the small words of another language, than the handbook declares; or a handbook that declares another language is all in English',
    'The declaration decides which words carry no meaning, whether the built-in vectors count, and which approval lets texts pass the coverage gate',
    'Declare the language in org.yaml or agent.yaml, such as `language: zh`; English texts may stand beside any',
  ],
  link_loop: [
    'Units have no content of their own and only link to each other. Units with content may be `related` to each other, also in a cycle: it helps recall',
    'An agent that follows the links spends its budget and learns nothing',
    'Write the instruction, or delete the unit',
  ],
  markup_open: [
    'A code fence or a comment begins in the unit and does not end',
    'All that follows it, headings too, is code or hidden to whoever reads the rendered text; often a fence within a fence has ended the outer one',
    'Close it; around a text that has fences itself, use a longer fence',
  ],
  phrase_repeats: [
    'A phrase is in nearly the same words as another phrase, or as a trigger, of its unit or of another unit of the garden',
    'A near copy adds no new wording, and recall may return the wrong unit',
    'Say the situation in other words, or delete the phrase',
  ],
  phrases_stale: [
    'The text of a unit has changed since its phrases were written: their `digest` is that of an earlier text',
    'They may name a situation that the unit no longer answers, and find it instead of another one',
    'Read them beside the text, correct them, and write the digest that the diagnostic names',
  ],
  text_not_normal: [
    'The file has a byte order mark, CRLF line ends, or decomposed accents',
    'The compiler normalises them, so the text in git and the served text differ',
    'Save it as UTF-8 in NFC with LF',
    'fix',
  ],
  trigger_overlap: [
    'Two units of a garden have an intent in nearly the same words',
    'They compete for the same recalls: either may come for both, and the coverage gate may fail both',
    'Name the situation of each unit, or merge the units',
  ],
  trigger_repeats_content: [
    'An intent repeats the description, a heading or a sentence of the unit',
    'An agent that needs the unit does not know its words yet; it knows only its own situation',
    'Name the situation that needs the unit, in the words of a person who has not read it',
  ],
  unit_long: [
    'The unit has more than 600 tokens',
    'It displaces other units in a recall, and most of it does not concern the situation',
    'Split it into one unit per situation, and link them',
  ],
  unit_near_duplicate: [
    'Two units of a garden have nearly the same text',
    'They compete for every recall, and sooner or later one of them will be outdated',
    'Keep one, and link to it; a text for several agents belongs in `shared/`',
  ],
  unit_short: [
    'The unit has fewer than 20 tokens, and the manifest lists it',
    'Its entry in the manifest costs more than its text is worth',
    'Move the text into the unit that links here, or into boot.md; or keep it out of the manifest (`listed: false`)',
  ],
  unit_unreachable: [
    'The unit has no trigger, no wake reason, no guarantee and no link to it; or it is unlisted and has no triggers',
    'Agents will not read it: its description alone rarely matches a recall',
    'Add load_triggers.intents, or delete it',
  ],
});
