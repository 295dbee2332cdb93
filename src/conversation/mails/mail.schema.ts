import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#api';
import { catalogue } from './catalogue.ts';

const kinds = Object.keys(catalogue).map((kind) => `\`${kind}\``);

/** A mail as an administrator of the server sees it. */
export const Mail = Type.Object(
  {
    id: Uuid,
    to: Type.String(),
    subject: Type.String({ description: 'Of a mail of kind `messages` always the same' }),
    text: Type.String({
      description:
        'As it would be composed now, or why it would not be sent. Links that open an account are hidden, unless the status is `kept`; of a mail of kind `messages` the whole text is',
    }),
    html: Type.String(),
    kind: Type.String({ description: `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}` }),
    status: Type.String({
      description:
        '`pending`, `sent`, `failed`, `kept`: there was no mail server to send it, or `dropped`: what it was to tell was no longer true when it was due',
    }),
    num_attempts: Type.Integer(),
    reason: Nullable(
      Type.String({ description: 'Why the last attempt failed, or why the mail was dropped' }),
    ),
    created_at: Timestamp,
  },
  { $id: 'Mail' },
);
export type Mail = Static<typeof Mail>;
