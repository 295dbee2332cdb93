/** The reach of each scope beyond what the interface gives every application; the table in docs/developers/sign-in.md. */
interface Scoped {
  /** For a token of a person. */
  readonly opens: string;
  /** For an application as itself; missing where it cannot have the scope, since it is in no direct conversation of people and has nothing of a person's. */
  readonly itself?: string;
}

const catalogue = {
  'messages:read': {
    opens:
      'in the team from which the person opened your application: lists, search, single messages and their earlier versions, replies, high fives, files',
    itself:
      'single messages and their replies, without the addresses of their authors; events about messages',
  },
  'messages:write': {
    opens: 'in that team: reply, give high fives, upload files; edit and delete what the person may',
    itself: 'post, reply, edit and delete what it wrote; with `messages:read`, cards of links to it',
  },
  'direct:read': {
    opens:
      'the same as `messages:read` for direct messages of the person; with `messages:read`, also sidebars beside messages of the team',
  },
  'direct:write': { opens: 'the same as `messages:write` for these' },
  'direct:app': {
    opens: 'nothing more',
    itself:
      'conversations with members of the team who write to the application, or to whom it writes: post, reply, edit and delete its own, lists, single messages, files; events about what they write',
  },
  'files:read': {
    opens: 'in that team: the files of messages, by their ids, and their thumbnails; no text',
    itself: 'the same',
  },
  'files:write': {
    opens: 'upload files, which a message takes up when it is posted',
    itself: 'the same; to post them it needs `messages:write`',
  },
  'high_fives:read': {
    opens: 'in that team: who gave a message high fives',
    itself: 'the same; events about high fives',
  },
  'high_fives:write': { opens: 'in that team: give high fives and take them back; no text' },
  'reactions:read': {
    opens: 'in that team: who reacted to a message, and how; the emoji of the server: `GET /v1/emoji`',
    itself: 'the same; events about reactions',
  },
  'reactions:write': {
    opens: 'in that team: react to messages and take it back; no text',
    itself: 'the same, as itself',
  },
  'members:read': {
    opens: 'the team itself: `GET /v1/teams/{team}`',
    itself: 'the team and its members, without their addresses; events about how they are',
  },
  'members.email:read': {
    opens: 'nothing more: the lists of the interface have the addresses',
    itself:
      'the team and its members with their addresses, also of the authors of messages and of those who gave high fives; events about how they are',
  },
  'members:write': {
    opens:
      'where the person is an admin of the team: invite people as members, see invitations and withdraw those of members, remove members; no admins, no roles, and no links of invitations',
  },
  'inbox:read': {
    opens:
      'what is new to the person in that team, with its newest messages, and how much it is: `GET /v1/users/me/inbox` and its counts; nothing of direct messages and sidebars',
  },
  'inbox:write': { opens: 'in that team: mark messages as read and unread; no text' },
  'team:write': { opens: 'where the person is an admin of the team: its name, color and icon' },
  'profile:write': { opens: 'the name, title, location, company and picture of the person' },
  'objects:read': {
    opens: 'the objects that applications registered on the team: `GET /v1/teams/{team}/objects`',
    itself: 'the same',
  },
} as const satisfies Record<string, Scoped>;

export type ScopeName = keyof typeof catalogue;

/** The same for the documents. */
export const scopeCatalogue: Readonly<Record<string, Scoped>> = catalogue;

/** Scopes beyond the interface that every application gets. */
export const SCOPES = Object.keys(catalogue) as ScopeName[];

/** Those that an application can have as itself. */
export const OWN_SCOPES = SCOPES.filter((name) => scopeCatalogue[name]?.itself !== undefined);
