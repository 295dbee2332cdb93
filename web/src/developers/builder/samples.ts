import type { Block, BlockOf } from '../../api/types.ts';

export const SAMPLES = ['approval', 'alert', 'report', 'cards', 'form', 'notes'] as const;
export type SampleName = (typeof SAMPLES)[number];

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text }) as const;
const option = (text: string, value: string) => ({ text: plain(text), value });
const row = (name: string, ...numbers: number[]) => [
  { type: 'raw_text', text: name } as const,
  ...numbers.map((value) => ({ type: 'raw_number', value }) as const),
];
const names = (...texts: string[]) => texts.map((text) => ({ type: 'raw_text', text }) as const);
const card = (title: string, subtitle: string, body: string): BlockOf<'card'> => ({
  type: 'card',
  title: plain(title),
  subtitle: plain(subtitle),
  body: plain(body),
  actions: [{ type: 'button', text: plain(`Book ${title}`), action_id: 'book', value: title }],
});

/** Whole bodies of messages, to start from. */
export const samples: Readonly<Record<SampleName, { text: string; blocks: Block[] }>> = {
  approval: {
    text: 'Ben asks for approval of an expense of 240 €',
    blocks: [
      { type: 'header', text: plain('Expense of 240 €') },
      {
        type: 'section',
        text: mrkdwn('Ben asks for approval of a *train ticket to Hamburg*.'),
        fields: [mrkdwn('*Cost centre*\nTravel'), mrkdwn('*Needed by*\nFriday')],
      },
      {
        type: 'actions',
        block_id: 'decision',
        elements: [
          { type: 'button', action_id: 'approve', style: 'primary', text: plain('Approve'), value: '240' },
          {
            type: 'button',
            action_id: 'refuse',
            style: 'danger',
            text: plain('Refuse'),
            value: '240',
            confirm: {
              title: plain('Refuse the expense?'),
              text: plain('Ben is told at once.'),
              confirm: plain('Refuse'),
              deny: plain('Not yet'),
              style: 'danger',
            },
          },
        ],
      },
      { type: 'context', elements: [plain('Anybody in this team may decide.')] },
    ],
  },
  alert: {
    text: 'The disk of db-2 is nearly full',
    blocks: [
      { type: 'alert', level: 'error', text: mrkdwn('*db-2*: the disk is nearly full') },
      {
        type: 'section',
        text: mrkdwn('`/var` has 3 % left and fills in about two hours.'),
        accessory: {
          type: 'button',
          text: plain('Open the graph'),
          url: 'https://monitoring.example/db-2',
        },
      },
      {
        type: 'actions',
        block_id: 'alarm',
        elements: [
          { type: 'button', action_id: 'take', style: 'primary', text: plain('I take it') },
          {
            type: 'static_select',
            action_id: 'snooze',
            placeholder: plain('Remind me in'),
            options: [option('15 minutes', '15'), option('1 hour', '60'), option('4 hours', '240')],
          },
        ],
      },
    ],
  },
  report: {
    text: 'Visits of the week',
    blocks: [
      { type: 'header', text: plain('Visits of the week') },
      {
        type: 'data_table',
        caption: 'Visits by page',
        page_size: 3,
        rows: [
          names('Page', 'Visits', 'Last week'),
          row('Start', 4120, 3980),
          row('Prices', 1740, 1820),
          row('Blog', 960, 710),
          row('Contact', 310, 295),
          row('Jobs', 120, 145),
        ],
      },
      { type: 'context', elements: [plain('Monday to Sunday, without robots.')] },
    ],
  },
  cards: {
    text: 'Three rooms are free',
    blocks: [
      { type: 'section', text: plain('Three rooms are free this afternoon:') },
      {
        type: 'carousel',
        elements: [
          card('Oak', '2nd floor', 'For 8 people, with a screen.'),
          card('Birch', '3rd floor', 'For 4 people, quiet.'),
          card('Elm', 'Ground floor', 'For 20 people, with a kitchen.'),
        ],
      },
    ],
  },
  form: {
    text: 'Report a fault',
    blocks: [
      { type: 'header', text: plain('Report a fault') },
      {
        type: 'input',
        block_id: 'what',
        label: plain('What happened?'),
        element: { type: 'plain_text_input', action_id: 'text', multiline: true },
      },
      {
        type: 'input',
        block_id: 'where',
        label: plain('Where?'),
        element: {
          type: 'multi_static_select',
          action_id: 'places',
          placeholder: plain('Choose places'),
          options: [option('Workshop', 'workshop'), option('Office', 'office'), option('Yard', 'yard')],
        },
      },
      {
        type: 'input',
        block_id: 'urgency',
        label: plain('How urgent is it?'),
        element: {
          type: 'radio_buttons',
          action_id: 'level',
          options: [option('Today', 'today'), option('This week', 'week'), option('Some day', 'later')],
        },
      },
      {
        type: 'input',
        block_id: 'day',
        label: plain('Since when?'),
        optional: true,
        element: { type: 'datepicker', action_id: 'date' },
      },
      {
        type: 'actions',
        block_id: 'send',
        elements: [{ type: 'button', action_id: 'report', style: 'primary', text: plain('Report') }],
      },
    ],
  },
  notes: {
    text: 'Version 2.4 is out',
    blocks: [
      { type: 'header', text: plain('Version 2.4 is out :tada:') },
      {
        type: 'markdown',
        text: '- **Faster search** in long conversations\n- Tables can be sorted\n- Fixed: mails without a subject',
      },
      {
        type: 'container',
        title: plain('For administrators'),
        is_collapsible: true,
        default_collapsed: true,
        child_blocks: [
          { type: 'section', text: mrkdwn('Run `update --check` first. The database grows by about 2 %.') },
        ],
      },
      {
        type: 'context_actions',
        block_id: 'opinion',
        elements: [
          {
            type: 'feedback_buttons',
            action_id: 'useful',
            positive_button: { text: plain('Useful'), value: 'yes' },
            negative_button: { text: plain('Not useful'), value: 'no' },
          },
        ],
      },
    ],
  },
};
