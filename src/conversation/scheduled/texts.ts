import type { Language } from '../../people/users/index.ts';

interface Texts {
  readonly reminder: string;
  /** The message that it was about was deleted, or is out of the person's sight. */
  readonly gone: string;
  /** It comes later than it was asked for. */
  readonly wasDue: (time: string) => string;
  /** A scheduled message waits for its author's decision. @param link to the page where they are listed */
  readonly unsent: (link: string) => string;
}

/** What the server writes into notes. It is composed when it is sent, and quotes nobody. */
export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    reminder: 'Reminder',
    gone: 'The message that you wanted to be reminded of is gone.',
    wasDue: (time) => `This was due at ${time}.`,
    unsent: (link) => `A message that you scheduled was not sent. Decide what becomes of it: ${link}`,
  },
  de: {
    reminder: 'Erinnerung',
    gone: 'Die Nachricht, an die du erinnert werden wolltest, gibt es nicht mehr.',
    wasDue: (time) => `Das war für ${time} vorgesehen.`,
    unsent: (link) =>
      `Eine geplante Nachricht wurde nicht gesendet. Entscheide, was mit ihr geschieht: ${link}`,
  },
  ar: {
    reminder: 'تذكير',
    gone: 'الرسالة التي أردت التذكير بها لم تعد موجودة.',
    wasDue: (time) => `كان موعد هذا ${time}.`,
    unsent: (link) => `لم تُرسل رسالة كنت قد جدولتها. قرّر ما يحدث لها: ${link}`,
  },
};
