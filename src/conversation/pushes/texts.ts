import { isolated, type Language } from '../../people/users/index.ts';

/** The words of a notification that does not show the message's text. */
type What = 'mention' | 'reply' | 'sidebar' | 'direct' | 'message' | 'reaction' | 'reminder';

interface Texts {
  readonly what: Readonly<Record<What, string>>;
  /** Who wrote, and in which team. */
  readonly from: (author: string, team: string) => string;
  /** The name of what wrote a message and is no person. */
  readonly application: (name: string) => string;
  /** What somebody does who invites to a team. */
  readonly invites: (team: string) => string;
  readonly invitation: string;
  readonly attachment: string;
  /** A reaction of which nothing is shown. */
  readonly reaction: string;
  readonly test: string;
}

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    what: {
      mention: 'Mentioned you',
      reply: 'New reply',
      sidebar: 'New message in a sidebar',
      direct: 'New message',
      message: 'New message',
      reaction: 'Reacted to your message',
      reminder: 'Reminder',
    },
    from: (author, team) => `${author} in ${team}`,
    application: (name) => `${name} (app)`,
    invites: (team) => `Invites you to ${team}`,
    invitation: 'New invitation to a team',
    attachment: 'An attachment',
    reaction: 'New reaction',
    test: 'Notifications reach this device.',
  },
  de: {
    what: {
      mention: 'Hat dich erwähnt',
      reply: 'Neue Antwort',
      sidebar: 'Neue Nachricht in einem Nebengespräch',
      direct: 'Neue Nachricht',
      message: 'Neue Nachricht',
      reaction: 'Hat auf deine Nachricht reagiert',
      reminder: 'Erinnerung',
    },
    from: (author, team) => `${author} in ${team}`,
    application: (name) => `${name} (App)`,
    invites: (team) => `Lädt dich zu ${team} ein`,
    invitation: 'Neue Einladung in ein Team',
    attachment: 'Ein Anhang',
    reaction: 'Neue Reaktion',
    test: 'Benachrichtigungen erreichen dieses Gerät.',
  },
  ar: {
    what: {
      mention: 'إشارة إليك',
      reply: 'رد جديد',
      sidebar: 'رسالة جديدة في محادثة جانبية',
      direct: 'رسالة جديدة',
      message: 'رسالة جديدة',
      reaction: 'تفاعل مع رسالتك',
      reminder: 'تذكير',
    },
    from: (author, team) => `${isolated(author)} في ${isolated(team)}`,
    application: (name) => `${isolated(name)} (تطبيق)`,
    invites: (team) => `دعوة لك إلى ${isolated(team)}`,
    invitation: 'دعوة جديدة إلى فريق',
    attachment: 'مرفق',
    reaction: 'تفاعل جديد',
    test: 'تصل الإشعارات إلى هذا الجهاز.',
  },
};

export function whatOf(reason: string): What {
  if (reason === 'followed') return 'reply';
  return reason in texts.en.what ? (reason as What) : 'message';
}
