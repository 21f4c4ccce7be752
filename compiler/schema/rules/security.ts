import { explain } from './explanation.ts';

export const SECURITY = explain('security', {
  comment_instructs: [
    'Text that a rendered page does not show gives instructions to its reader, or an element is hidden by its style. What is hidden is the difference between the source and the page: comments, attributes, scripts, definitions and footnotes that nothing uses, what a fence says beside its language, cells beyond the columns of a table. An image’s alternative text and the title of a link are shown. Not seen are what a formula leaves out, what stands far to the right in code, and words in blank, private-use or circled letters',
    'Reviewers read the rendered page, agents read the source: such a text reaches only the agent, which obeys it',
    'Write it in visible text, or delete it; a note for authors does not need words such as “you must”',
  ],
  exfiltration_asked: [
    'The text asks to send secrets or private data to an address, or shows an image whose address contains them',
    'An agent holds credentials and personal data; one sentence is enough to leak them, and an image needs no click',
    'Name a tool, or refer to a secret by its name; a legitimate procedure never sends a secret to an address in prose',
  ],
  homoglyph: [
    'A word mixes alphabets, or consists of foreign letters that look Latin; ordinary text in Russian, Greek or Japanese is allowed',
    'Reviewers, filters and the lexical index each read a different word',
    'Type the word in one alphabet',
  ],
  prompt_injection: [
    'A phrase asks to ignore the present instructions, to take on another identity, to reveal the hidden prompt or to hide something from the people in charge; it may be in plain words, in escapes or in base64; or a name or description tells its reader to choose it',
    'An instruction has authority over the agent, and such phrases are how an attacker takes it over; an agent chooses from a list of names and descriptions',
    'Use other words. To warn of an attack, quote it in a sentence that calls it one, or list it under a line that forbids it: “Never: …”',
  ],
  role_tag_forged: [
    'The text contains a role marker that runtimes use to separate system, user and assistant, or speaks in the role of the system',
    'After such a marker an agent may treat the text as a message of its runtime, which it obeys without question',
    'Delete it; to write about it, quote it and say what to do about it',
  ],
  secret_exposed: [
    'The text contains a token, password or private key; messages never repeat it',
    'Instructions are served to agents, stay in the git history and appear in audits: a secret in them is no longer secret',
    'Revoke it now, then refer to it by name: the tool that needs it looks it up. Write placeholders as `<angle brackets>` or `${VARIABLES}`',
  ],
  unicode_bidi: [
    'The text contains a character that changes its direction (Trojan source); direction marks on a line of Arabic or Hebrew are allowed',
    'A reviewer sees the text in another order than the agent reads it',
    'Delete it',
    'fix',
  ],
  unicode_hidden: [
    'The text contains a zero-width, tag or control character, or a variation selector without effect; emoji and the spelling of Arabic and Indic scripts are allowed',
    'It can hide instructions from every reviewer, and split words for the index',
    'Delete it; if tag characters spell a text, find out where the file came from',
    'fix',
  ],
  uri_active: [
    'A `data:` URI contains encoded content, or a link runs a script',
    'Nobody can review the encoded content, and tools that render the text may run it',
    'Commit the content as a file of its own, or delete it',
  ],
});
