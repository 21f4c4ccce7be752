/** An intent in an agent's words, and the sections of the source documents any of which it wants. */
export interface CorpusQuestion {
  readonly intent: string;
  readonly wanted: readonly string[];
}

/** Written from the documents alone, before any result was seen. */
export const CEO_INTENTS: readonly CorpusQuestion[] = [
  { intent: 'I just woke up; who am I and why was I called?', wanted: ['1. Identity and Context'] },
  { intent: 'look at what I planned for today and see what is stuck', wanted: ['2. Local Planning Check'] },
  { intent: 'someone signed off on my proposal, what do I do with it', wanted: ['3. Approval Follow-Up'] },
  { intent: 'see which issues are on my plate and pick the next one', wanted: ['4. Get Assignments'] },
  { intent: 'claim this issue before I start on it', wanted: ['5. Checkout and Work'] },
  { intent: 'this one is for the marketing people', wanted: ['Delegation (critical)', '6. Delegation'] },
  {
    intent: 'note down what I learned from these conversations',
    wanted: ['7. Fact Extraction', 'Memory and Planning'],
  },
  { intent: "I'm putting the work down for tonight", wanted: ['8. Exit'] },
  { intent: 'write a message to the board about the product launch', wanted: ['Voice and Tone'] },
  {
    intent: 'decide which of two priorities we drop this quarter',
    wanted: ['Strategic Posture', 'What you DO personally'],
  },
  { intent: 'this command would wipe the customer table', wanted: ['Safety Considerations'] },
  { intent: 'one of my reports has not moved for days', wanted: ['Keeping work moving'] },
  { intent: "we spent most of this month's money", wanted: ['CEO Responsibilities'] },
  {
    intent: 'bring on another agent because we lack capacity',
    wanted: ['What you DO personally', 'CEO Responsibilities', 'Delegation (critical)', '6. Delegation'],
  },
];
