import { explain } from './explanation.ts';

export const SECURITY = explain('security', {
  comment_instructs: [
    'A comment, or an element that is styled out of sight, tells its reader what to do',
    'Reviewers read the rendered page, agents read the source: such a text reaches only the one who obeys it',
    'Write it where everybody sees it, or delete it; a note among authors says nothing like “you must”',
  ],
  exfiltration_asked: [
    'The text asks to send secrets or private data to an address, or shows an image whose address carries them out',
    'An agent holds credentials and personal data; one sentence is enough to lose them, and an image needs no click',
    'Name a tool, or lease a secret by its name; an honest procedure never hands a secret to an address in prose',
  ],
  homoglyph: [
    'A word mixes alphabets, or is made of foreign letters that look Latin; text honestly written in Russian, Greek or Japanese is not meant',
    'Reviewers, filters and the lexical index read another word than the one that stands there',
    'Type the word in one alphabet',
  ],
  prompt_injection: [
    'A phrase asks to drop the instructions in force, to take on another identity, to show the hidden prompt or to keep something from the people in charge, in plain words, in escapes or in base64',
    'An instruction has authority over the agent: this is how that authority is taken over',
    'Say what is meant in other words. To warn of an attack, quote it in a sentence that says so, or list it under a line that forbids it: “Never: …”',
  ],
  role_tag_forged: [
    'The text holds a mark by which runtimes tell system, user and assistant apart, or speaks in the role of the system',
    'Behind such a mark an agent may take the text for its runtime, not for an instruction that can be weighed',
    'Delete it; to speak of it, quote it and say what to do about it',
  ],
  secret_exposed: [
    'A token, password or private key stands in the text; it is never repeated in a message',
    'Instructions are served to agents, kept in git for ever and shown in audits: what stands there is known',
    'Revoke it now, then name it instead: the tool that needs it looks it up. Placeholders are `<angle brackets>` or `${VARIABLES}`',
  ],
  unicode_bidi: [
    'A character that turns the direction of text stands here (Trojan source); marks on a line of Arabic or Hebrew are not meant',
    'What a reviewer sees is in another order than what the agent reads',
    'Delete it',
    'fix',
  ],
  unicode_hidden: [
    'A zero-width, tag or control character stands here, or a variation selector that selects nothing; emoji and the spelling of Arabic and Indic scripts are not meant',
    'It can smuggle instructions past every eye, and break words apart for the index',
    'Delete it; where tags spell a text, ask where the file came from',
    'fix',
  ],
  uri_active: [
    'A `data:` URI carries content inside the text, or a link runs a script',
    'Nobody can review what is encoded in it, and tools that render the text may run it',
    'Commit the content as a file of its own, or delete it',
  ],
});
