/** What the server says of a command or a shortcut, by the texts for it: `NAME_FAULTS` there, as a test compares. */
export const NAME_FAULTS = {
  signs: 'must begin with a letter, and have letters, digits, - and _ alone',
  taken: 'is taken, or looks like a name that is',
  alike: 'looks like another one of these',
  alphabets: 'must have letters of one alphabet, not lookalikes',
  twice: 'is there twice',
  unseen: 'must have something to read',
} as const;

/** @returns undefined for another sentence */
export const nameFaultOf = (sentence: string): keyof typeof NAME_FAULTS | undefined =>
  (Object.keys(NAME_FAULTS) as (keyof typeof NAME_FAULTS)[]).find((fault) => NAME_FAULTS[fault] === sentence);
