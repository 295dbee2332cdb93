import type { Person } from './person.ts';
import { pictureOfTart } from './picture.ts';

/** A person, by index. */
type Who = 0 | 1 | 2 | 3;

interface Said {
  readonly by: Who;
  readonly text: string;
  /** The text after the author's edit. */
  readonly edited?: string;
  readonly picture?: string;
  readonly replies?: readonly (readonly [Who, string])[];
  readonly highFives?: readonly Who[];
  /** A direct conversation of two people about it. */
  readonly aside?: readonly (readonly [Who, string])[];
}

const CONVERSATION: readonly Said[] = [
  {
    by: 0,
    text: 'Good morning! The new oven arrives on Thursday, so we bake everything on Wednesday night.',
    replies: [
      [1, 'Fine with me. I need two more crates of rye before then.'],
      [3, 'I pass the mill at noon and can bring them.'],
      [2, 'Could you also get the good butter? 🥐'],
      [3, 'Will do.'],
    ],
    highFives: [1, 2],
  },
  {
    by: 0,
    text: 'The school ordered 120 rolls for Friday. Who opens?',
    edited: 'The school ordered 150 rolls for Friday. Who opens?',
    replies: [[1, 'I do. Please leave me the keys to the new oven.']],
    aside: [
      [0, 'Are 150 too many for one? I can come at four.'],
      [1, 'Five is early enough, thank you!'],
    ],
  },
  {
    by: 2,
    text: 'The first strawberry tart of the year. What do you think?',
    picture: 'strawberry-tart.jpg',
    replies: [[0, 'Two of them in the window on Saturday, please.']],
    highFives: [0, 1, 3],
  },
  { by: 3, text: 'All deliveries done. The mill also has spelt now, shall I bring a sack?' },
];

/** Up to which of them the first person has read the team. */
const READ_UP_TO = 2;

/** Posts the whole conversation, in the team and between two people. */
export async function converse(
  people: readonly Person[],
  ids: readonly string[],
  teamId: string,
): Promise<void> {
  const as = (who: Who) => people[who] as Person;
  const said: string[] = [];
  for (const message of CONVERSATION) said.push(await say(message));
  await as(0).ask('PUT', `/v1/messages/${said[0]}/read`);
  await as(0).ask('PUT', `/v1/teams/${teamId}/read`, { up_to: said[READ_UP_TO] });
  await as(0).ask('PATCH', `/v1/users/me/teams/${teamId}`, { is_favorite: true });

  const direct = { text: 'Can you take the van to the garage on Monday?', addressed_users: [ids[3]] };
  const { id } = await as(0).ask('POST', '/v1/messages', direct);
  await as(3).ask('POST', `/v1/messages/${id}/replies`, { text: 'Booked already, nine o’clock.' });

  async function say(message: Said): Promise<string> {
    const { by, text, edited, picture, replies = [], highFives = [], aside = [] } = message;
    const files = picture ? [await as(by).upload(picture, await pictureOfTart())] : [];
    const body = { text, addressed_teams: [teamId], attachments: { files } };
    const { id } = await as(by).ask('POST', '/v1/messages', body);
    const url = `/v1/messages/${id}`;
    if (edited) await as(by).ask('PATCH', url, { text: edited });
    for (const [who, reply] of replies) await as(who).ask('POST', `${url}/replies`, { text: reply });
    for (const who of highFives) await as(who).ask('PUT', `${url}/high_five`);
    const [opening, ...answers] = aside;
    if (opening) await speakAside(url, opening, answers);
    return id;
  }

  async function speakAside(
    url: string,
    [opener, text]: readonly [Who, string],
    answers: readonly (readonly [Who, string])[],
  ): Promise<void> {
    const users = answers.map(([who]) => ids[who]);
    const sidebar = await as(opener).ask('POST', `${url}/sidebars`, { users, text });
    for (const [who, answer] of answers) {
      await as(who).ask('POST', `/v1/sidebars/${sidebar.id}/messages`, { text: answer });
    }
  }
}
