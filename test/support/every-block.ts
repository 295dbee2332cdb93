import { type Block, blocks } from '#sdk';

const b = blocks;
const WHO = '0d5f0f5e-0000-4000-8000-000000000000';
const PICTURE = 'https://images.example/a.png';
const at = (id: string) => ({ action_id: id });

const inActions = {
  button: b.button('Approve', {
    ...at('yes'),
    value: '7',
    style: 'primary',
    confirm: b.confirm('Really?', { title: 'Approve', confirm: 'Yes', deny: 'No', style: 'danger' }),
  }),
  select: b.select(['Low', b.option('High', 'h', 'at once')], {
    placeholder: 'How urgent?',
    initial_option: b.option('Low'),
  }),
  groups: b.multiSelect([b.group('Indoors', ['Hall', 'Attic']), b.group('Outdoors', ['Shed'])], {
    max_selected_items: 2,
  }),
  usersSelect: b.usersSelect({ placeholder: 'Who?', initial_user: WHO }),
  externalSelect: b.externalSelect({ min_query_length: 1, placeholder: 'Which task?' }),
  multiExternalSelect: b.multiExternalSelect({ max_selected_items: 3 }),
  multiUsersSelect: b.multiUsersSelect({ initial_users: [WHO] }),
  overflow: b.overflow(['Postpone', b.linkOption('Open', 'https://tasks.example/7')]),
  checkboxes: b.checkboxes(['Paint', 'Wood'], { initial_options: [b.option('Wood')] }),
  radioButtons: b.radioButtons(['Small', 'Large'], { initial_option: b.option('Large') }),
  datepicker: b.datepicker({ initial_date: '2026-12-24', placeholder: 'Due' }),
  timepicker: b.timepicker({ initial_time: '09:30' }),
  datetimepicker: b.datetimepicker({ initial_date_time: 1_800_000_000 }),
  richTextInput: b.richTextInput({ placeholder: 'The whole story' }),
};

const inInputs = {
  textInput: b.textInput({ multiline: true, placeholder: 'Because', max_length: 500 }),
  numberInput: b.numberInput({ min_value: '1', max_value: '20' }),
  decimal: b.numberInput({ is_decimal_allowed: true, initial_value: '1.5' }),
  emailInput: b.emailInput(),
  urlInput: b.urlInput({ initial_value: 'https://tasks.example' }),
  radioButtons: b.radioButtons(['Small', 'Large']),
};

const card = b.card({
  icon: b.image(PICTURE, 'An oak'),
  title: 'Oak',
  subtitle: b.mrkdwn`*${'4'} seats*`,
  body: 'By the window',
  actions: [b.button('Book', at('book'))],
});

/** What the builder of the SDK makes, by name: all that it can. */
export const EVERYTHING: Readonly<Record<string, Block>> = {
  section: b.section('Ada asks for Friday off'),
  formatted: b.section(b.mrkdwn`*${'Ada'}* asks, see ${b.link('https://tasks.example/7', 'Task 7')}`, {
    fields: ['12 jobs', b.plain(':tada:', { emoji: false }), b.person(WHO)],
    accessory: b.image(PICTURE, 'A tick'),
    expand: true,
  }),
  fields: b.fields('12 jobs', 'no warnings'),
  header: b.header('Build 8'),
  divider: b.divider(),
  context: b.context('Started today', b.image(PICTURE, 'Logo'), b.mrkdwn('_by CI_')),
  image: b.image(PICTURE, 'Build times', 'The last month'),
  contextActions: b.contextActions(
    b.feedbackButtons(b.feedback('Useful', 'yes'), b.feedback('Not useful', 'no'), at('useful')),
    b.iconButton('trash', 'Remove', at('remove')),
  ),
  markdown: b.markdown('# Notes\n\n- **one**'),
  table: b.table(
    [
      ['Page', 'Visits'],
      ['/', 812],
      ['', { type: 'raw_text', text: '–' }],
    ],
    { column_settings: [null, { align: 'right' }] },
  ),
  dataTable: b.dataTable(
    'Visits by page',
    [
      ['Page', 'Visits'],
      ['/', 812],
    ],
    { page_size: 20 },
  ),
  richText: b.richText('Due ', b.time(new Date(1_800_000_000_000)), ', says ', {
    type: 'user',
    user_id: WHO,
  }),
  card,
  carousel: b.carousel(card, b.card({ title: 'Beech' })),
  alert: b.alert('db-2: the disk is nearly full', 'warning'),
  bare: b.alert(b.mrkdwn('*Done*')),
  container: b.container('Details', [b.section('Long'), b.divider()], {
    subtitle: 'of the build',
    is_collapsible: true,
  }),
  withId: b.withId('holiday', b.actions(b.button('Approve', at('yes')))),
  ...Object.fromEntries(
    Object.entries(inActions).map(([name, element]) => [`${name} in actions`, b.actions(element)]),
  ),
  ...Object.fromEntries(
    Object.entries(inInputs).map(([name, element]) => [
      `${name} in an input`,
      b.input('Why?', element, { hint: 'Everybody reads it', optional: true }),
    ]),
  ),
};
