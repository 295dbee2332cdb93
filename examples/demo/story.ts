import type { HookKey } from './hooks.ts';
import type { Who } from './people.ts';
import type { TeamKey } from './teams.ts';

/** Days before today and a time on the wall, or minutes before the demo was begun. */
export type Moment = readonly [days: number, wall: string] | number;

/** A message to a team or to people. In texts, `{link:key}` is the address of the message with that key. */
export interface Said {
  readonly at: Moment;
  readonly by: Who;
  readonly to: TeamKey | readonly Who[];
  readonly text: string;
  readonly key?: string;
  readonly subject?: string;
  /** The text after the author's edit. */
  readonly edited?: string;
  readonly picture?: 'strawberry-tart.jpg' | 'shop-window.jpg';
  readonly file?: { readonly name: string; readonly text: string };
  readonly replies?: readonly Reply[];
  readonly reactions?: Readonly<Record<string, readonly Who[]>>;
  readonly highFives?: readonly Who[];
  readonly pinnedBy?: Who;
  /** The first person saves it for later. */
  readonly isSaved?: boolean;
  /** A direct conversation of two people about it. */
  readonly aside?: readonly Reply[];
}

/** Minutes after what it answers. */
type Reply = readonly [minutes: number, by: Who, text: string];

/** A message of another program, by an incoming webhook. */
export interface Called {
  readonly at: Moment;
  readonly hook: HookKey;
  readonly payload: object;
}

/** The first person has read all that was said before this moment. */
export const READ_MINUTES_AGO = 100;

export const SAID: readonly Said[] = [
  {
    at: [4, '07:10'],
    by: 'mara',
    to: 'bakery',
    text: 'Good morning, all! ☀️ The week in three lines:\n\n- **The new oven** comes the day after tomorrow at seven. Please keep the yard clear.\n- The school wants **120 rolls** for Friday.\n- Somebody left a single left shoe in the flour store. I have questions.',
    edited:
      'Good morning, all! ☀️ The week in three lines:\n\n- **The new oven** comes the day after tomorrow at seven. Please keep the yard clear.\n- The school wants **150 rolls** for Friday.\n- Somebody left a single left shoe in the flour store. I have questions.',
    replies: [
      [4, 'jonas', 'Oven: fine. Rolls: fine. Shoe: not mine, mine come in pairs.'],
      [9, 'finn', 'I can explain the shoe.'],
      [10, 'nell', 'Please do not.'],
    ],
    reactions: { '👟': ['nell', 'aiko', 'samir', 'tomas'], '👍': ['jonas', 'priya'] },
    aside: [
      [14, 'mara', '150 is a lot for one person. Shall I come in at four and shape with you?'],
      [21, 'jonas', 'Five is early enough. But bring coffee, the good one.'],
    ],
  },
  {
    at: [4, '09:40'],
    by: 'nell',
    to: 'bakery',
    text: 'The rota for next week. Shout if something does not suit you:\n\n| | Oven | Shop | Bike |\n| --- | --- | --- | --- |\n| Early | Jonas, Finn | Nell | Samir |\n| Late | Aiko | Mara | – |\n| Saturday | everybody | Nell, Tomás | Samir |',
    replies: [
      [6, 'tomas', 'Me, in the shop? I will be charming *and* slow.'],
      [8, 'nell', 'You only have to hand out samples and smile.'],
    ],
    reactions: { '✅': ['jonas', 'samir', 'aiko'] },
    pinnedBy: 'nell',
  },
  {
    at: [3, '08:05'],
    by: 'priya',
    to: 'bakery',
    text: 'Flour went up again, so I asked three mills. Short version: **stay with Tregenza**, but order for two months at once. The numbers are in the file.',
    file: {
      name: 'flour-prices.csv',
      text: 'mill,flour,price per 25 kg,delivery\nTregenza,strong white,19.80,free\nTregenza,rye,22.40,free\nHillside,strong white,19.10,6.00\nHillside,rye,24.90,6.00\nOld Ferry,strong white,21.50,free\n',
    },
    replies: [[11, 'mara', 'This is exactly what I needed. Thank you, @priya! 💛']],
    reactions: { '🙏': ['mara', 'jonas'] },
    isSaved: true,
  },
  {
    at: [3, '12:30'],
    by: 'finn',
    to: 'bakery',
    text: 'Who ate the last cinnamon bun? I had put a note on it. The note said “Finn”.',
    key: 'bun',
    replies: [
      [2, 'samir', 'I thought that was the name of the bun.'],
      [3, 'finn', 'SAMIR'],
      [15, 'aiko', 'There is a fresh tray in the back. Take two, before Samir learns to read.'],
    ],
    reactions: { '😂': ['mara', 'nell', 'jonas', 'tomas', 'priya'], '🫣': ['samir'] },
  },
  {
    at: [2, '07:25'],
    by: 'jonas',
    to: 'bakery',
    text: 'She is **here**. Four people, one ramp, and some language that I will not repeat. Nothing is broken except the old doorbell.',
    replies: [
      [3, 'mara', 'Hooray! What shall we call her?'],
      [4, 'finn', 'Bertha.'],
      [5, 'nell', 'Obviously Bertha.'],
      [30, 'mara', 'Bertha it is. I am having a little sign made.'],
    ],
    reactions: { '🎉': ['mara', 'aiko', 'finn', 'nell', 'samir'], '🔥': ['finn', 'tomas'] },
    highFives: ['mara', 'aiko', 'priya'],
  },
  {
    at: [1, '10:15'],
    by: 'mara',
    to: 'bakery',
    text: 'Market on the quay this Saturday. What we still need:\n\n- [x] the licence (thank you, @priya)\n- [x] a gazebo that does not fly away\n- [ ] two people who like getting up at five\n- [ ] change, lots of it',
    replies: [
      [5, 'samir', 'I like getting up at five. Nobody believes me.'],
      [12, 'nell', 'I will get coins from the bank at noon.'],
    ],
    reactions: { '🙋': ['samir', 'aiko'] },
  },
  {
    at: 170,
    by: 'mara',
    to: 'bakery',
    key: 'thanks',
    text: 'I have just done the books for the month: **our best one since we opened**. Thank you, every one of you. There is cake on the long table, and for once we are not selling it. 🍰',
    replies: [[6, 'jonas', 'I will pretend that I do not know which cake. (I made the cake.)']],
  },
  {
    at: 152,
    by: 'finn',
    to: 'bakery',
    text: 'Cake for breakfast! *(I got up just now. Night shift is the best shift.)*',
    reactions: { '😴': ['nell', 'aiko'] },
  },
  {
    at: 140,
    by: 'mara',
    to: 'bakery',
    key: 'regatta',
    text: 'The sailing club asks for 40 extra baguettes for the regatta on Sunday. Can we?',
    replies: [
      [52, 'nell', 'We can, if they fetch them before nine. I told them so, and they said “aye aye”. ⛵'],
    ],
  },
  {
    at: [3, '22:40'],
    by: 'jonas',
    to: 'ovens',
    text: 'For @finn, and for whoever else is on nights. **The sourdough, as it wants to be treated:**\n\n1. Feed the starter at ten, and be kind to it.\n2. Mix at midnight. Rest for 40 minutes.\n3. Fold four times, every half hour.\n4. Shape at four, bake at six.\n\n```\n250 °C   steam   20 min\n220 °C   dry     25 min\n```',
    key: 'recipe',
    replies: [[7, 'finn', 'Printed, and hung above the sink. The starter says good evening.']],
    reactions: { '❤️': ['aiko', 'finn', 'mara'] },
    pinnedBy: 'finn',
    isSaved: true,
  },
  {
    at: [2, '04:12'],
    by: 'finn',
    to: 'ovens',
    text: '> Never open the door before minute 20.\n\nI opened it at 18. It was only a peek. I am sorry, bread.',
    replies: [
      [80, 'jonas', 'It forgives you. The crumb is a bit shy, we sell it as “rustic”.'],
      [84, 'finn', 'Rustic is my new middle name.'],
    ],
    reactions: { '🥖': ['jonas', 'aiko'], '😅': ['mara'] },
  },
  {
    at: [1, '05:30'],
    by: 'aiko',
    to: 'ovens',
    text: 'Bertha runs about **8 °C hotter** at the back left. Turn the trays at half time, and please nothing with caramel in that corner.',
    replies: [[25, 'jonas', 'Technician is booked for next week. Until then: the hot corner is for rye.']],
    highFives: ['jonas'],
  },
  {
    at: [4, '13:20'],
    by: 'samir',
    to: 'deliveries',
    text: 'A seagull has learned to open the box on the bike. It took one croissant and *looked at me* while it ate.',
    key: 'gull',
    replies: [
      [4, 'nell', 'We have a regular, then.'],
      [6, 'mara', 'Does it pay?'],
      [9, 'samir', 'In a way. I had to change my jacket.'],
    ],
    reactions: { '🐦': ['nell', 'finn'], '😂': ['mara', 'finn'] },
  },
  {
    at: [2, '11:05'],
    by: 'samir',
    to: 'deliveries',
    text: 'New box on the bike, with a latch. Gull: 0, Samir: 1. For the record:\n\n{link:gull}',
    reactions: { '💪': ['mara', 'nell', 'finn'] },
  },
  {
    at: [1, '08:40'],
    by: 'nell',
    to: 'deliveries',
    text: 'The Lugger Inn wants its bread at **6:45** from now on instead of 7:15. @samir, does that still fit before the school?',
    replies: [[8, 'samir', 'Yes, if I go along the quay first. Told them to leave the side door open.']],
    highFives: ['nell'],
  },
  {
    at: 70,
    by: 'samir',
    to: 'deliveries',
    text: '@mara the van makes its noise again, the one like a sad cow. Can I take it to the garage today?',
  },
  {
    at: [3, '10:20'],
    by: 'aiko',
    to: 'shop',
    text: 'The first strawberry tart of the year! 🍓 Honest opinions, please. The dishonest ones I have already from my mother.',
    picture: 'strawberry-tart.jpg',
    key: 'tart',
    replies: [
      [5, 'mara', 'Two of them in the window on Saturday, please. One at my desk.'],
      [8, 'nell', 'A customer just pointed at the oven door and said “that one”. We are in business.'],
    ],
    reactions: { '😍': ['mara', 'nell', 'tomas'], '🍓': ['mara', 'nell'] },
    highFives: ['mara'],
  },
  {
    at: [2, '15:30'],
    by: 'nell',
    to: 'shop',
    subject: 'Summer window',
    text: 'A first try at the summer window. Too much orange?',
    picture: 'shop-window.jpg',
    replies: [
      [
        7,
        'tomas',
        'Not too much. I would move the pink cake away from the red one, they are shouting at each other.',
      ],
      [12, 'aiko', 'They are sisters. They always shout.'],
      [26, 'nell', 'Moved. Peace at last.'],
    ],
    reactions: { '🧡': ['mara', 'aiko', 'tomas'] },
  },
  {
    at: [1, '11:50'],
    by: 'mara',
    to: 'shop',
    subject: 'Summer window',
    text: 'The lady from number 12 asked for the name of “the artist who does the window”. I said it was @nell, and she bought three cakes.',
    reactions: { '🎨': ['nell', 'aiko', 'tomas'] },
  },
  {
    at: [4, '16:10'],
    by: 'tomas',
    to: 'website',
    text: 'The page says that we close at five. We close at six. That was me, and one line:\n\n```js\nconst closing = { weekday: 17, saturday: 13 };\n```\n\nFixed, and there is a draft of the new order form at https://new.harbour-bakery.example/order',
    replies: [
      [12, 'nell', 'That explains the man who ran.'],
      [15, 'tomas', 'I owe him a bun.'],
    ],
    reactions: { '🏃': ['nell', 'mara'] },
  },
  {
    at: [2, '17:35'],
    by: 'tomas',
    to: 'website',
    subject: 'Order form',
    text: 'Question for @priya and @mara: may people pay in the shop when they order on the page, or only by card at once?',
    replies: [
      [20, 'priya', 'Both, please. Half of our regulars are older than the internet.'],
      [24, 'mara', 'What Priya says. ☝️'],
    ],
    highFives: ['tomas'],
  },
  {
    at: [1, '14:10'],
    by: 'tomas',
    to: 'website',
    subject: 'Order form',
    text: 'The form is live. I ordered one cinnamon bun with the remark “for Finn, really”, because of this:\n\n{link:bun}',
    reactions: { '🚀': ['mara', 'nell', 'priya'], '😂': ['nell'] },
  },
  { at: [1, '17:20'], by: 'mara', to: ['samir'], text: 'Did the school say anything about the rolls?' },
  {
    at: [1, '17:26'],
    by: 'samir',
    to: ['mara'],
    text: 'They said “mmmh”. All 150 children of them, more or less at once.',
    reactions: { '🥰': ['mara'] },
  },
  {
    at: [2, '18:05'],
    by: 'mara',
    to: ['jonas', 'nell'],
    text: 'Psst: Aiko has her birthday on Sunday. Who makes a cake for somebody who makes cakes?',
  },
  {
    at: [2, '18:11'],
    by: 'nell',
    to: ['mara', 'jonas'],
    text: 'I would be too scared. Shall we do a tower of cheese instead?',
  },
  {
    at: [2, '18:30'],
    by: 'jonas',
    to: ['mara', 'nell'],
    text: 'Cheese tower. I bake the crackers. She will cry, in the good way.',
    reactions: { '🧀': ['mara', 'nell'] },
  },
  {
    at: 38,
    by: 'priya',
    to: ['mara'],
    key: 'form',
    text: 'The bank needs one signature from you before Friday: page 3, at the bottom. I put a little arrow there. ✍️',
  },
];

/** Reactions that the first person has not seen yet. */
export const LATE_REACTIONS: readonly (readonly [minutesAgo: number, Who, key: string, emoji: string])[] = [
  [30, 'aiko', 'thanks', '🥹'],
  [27, 'finn', 'thanks', '🍰'],
  [24, 'samir', 'thanks', '🍰'],
  [22, 'tomas', 'thanks', '🍰'],
];

const alert = (status: 'firing' | 'resolved', summary: string, description: string) => ({
  receiver: 'parley',
  status,
  commonLabels: { alertname: 'Oven too hot', severity: status === 'firing' ? 'warning' : 'none' },
  externalURL: 'https://grafana.harbour-bakery.example/alerting/oven-2',
  alerts: [
    {
      status,
      labels: { alertname: 'Oven too hot', oven: 'Bertha', sensor: 'back left' },
      annotations: { summary, description },
      generatorURL: 'https://grafana.harbour-bakery.example/d/ovens',
    },
  ],
});

const order = (number: number, colour: string, what: string, who: string, when: string, total: string) => ({
  attachments: [
    {
      color: colour,
      title: `Order #${number}: ${what}`,
      title_link: `https://orders.harbour-bakery.example/${number}`,
      fields: [
        { title: 'For', value: who, short: true },
        { title: 'When', value: when, short: true },
        { title: 'Total', value: total, short: true },
        { title: 'Paid', value: colour === 'good' ? 'by card' : 'in the shop', short: true },
      ],
    },
  ],
});

const deployment = (what: string, commit: string, took: string) => ({
  attachments: [
    {
      color: 'good',
      title: `🚀 Live: ${what}`,
      title_link: 'https://harbour-bakery.example',
      fields: [
        { title: 'Branch', value: '`main`', short: true },
        { title: 'Commit', value: `\`${commit}\``, short: true },
        { title: 'By', value: 'Tomás Ferreira', short: true },
        { title: 'Took', value: took, short: true },
      ],
    },
  ],
});

export const CALLED: readonly Called[] = [
  {
    at: [1, '09:12'],
    hook: 'orders',
    payload: order(2041, 'good', '30 croissants', 'Lugger Inn', 'tomorrow, 6:45', '£54.00'),
  },
  {
    at: [1, '15:47'],
    hook: 'orders',
    payload: order(
      2042,
      'warning',
      'wedding cake, three tiers',
      'Miss Trelawney',
      'Saturday, 10:00',
      '£180.00',
    ),
  },
  {
    at: [4, '16:18'],
    hook: 'deploys',
    payload: deployment('Say the right closing time', 'e4c1a77', '41 s'),
  },
  { at: [1, '13:58'], hook: 'deploys', payload: deployment('The order form', '57cdd7e', '1 min 12 s') },
  {
    at: 96,
    hook: 'alerts',
    payload: alert('firing', 'Bertha is 12 °C above her setting', 'Back left: 262 °C, set to 250 °C'),
  },
  {
    at: 81,
    hook: 'alerts',
    payload: alert('resolved', 'Bertha is back at her setting', 'Back left: 251 °C, set to 250 °C'),
  },
];
