/** The two sides of a direct conversation of the reader with an application: in each team it is another one. */
export interface OfApplication {
  readonly team: string;
  readonly application: string;
}

const KIND = 'application';

/** Names such a conversation in addresses and drafts, where others are named by the ids of their people. */
export const applicationKey = ({ team, application }: OfApplication) => `${KIND}.${team}.${application}`;

/** @returns undefined for the ids of people */
export function readApplicationKey(key: string): OfApplication | undefined {
  const [kind, team, application] = key.split('.');
  return kind === KIND && team && application ? { team, application } : undefined;
}

/** How the server is told of which conversation. */
export const conversationNamed = (key: string): Readonly<Record<string, string>> => ({
  ...(readApplicationKey(key) ?? { with: key }),
});
