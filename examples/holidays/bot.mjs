import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { blocks as b, ParleyApplication } from 'parley-sdk';

const { PARLEY, CLIENT_ID, CLIENT_SECRET } = process.env;
const app = new ParleyApplication({ baseUrl: PARLEY, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });

// What is remembered, by the id of the event that asked for it. A larger bot has a database.
const FILE = 'holidays-node.json';
const holidays = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
const save = () => writeFileSync(FILE, JSON.stringify(holidays));

const field = (id, label, element) => b.withId(id, b.input(label, element));
const line = ({ user, first, last, answer }) =>
  b.section(b.mrkdwn`${b.person(user)}: ${first} to ${last}, *${answer}*`);
const page = (user) => [
  b.header('Your holidays'),
  ...Object.values(holidays).flatMap((one) => (one.user === user ? [line(one)] : [])),
];

app.command('holiday', ({ respond }) =>
  respond.form({
    title: 'Holiday',
    submit: 'Ask',
    callback_id: 'ask',
    blocks: [
      field('first', 'First day', b.datepicker({ action_id: 'day' })),
      field('last', 'Last day', b.datepicker({ action_id: 'day' })),
      field('who', 'Who decides?', b.usersSelect({ action_id: 'person' })),
    ],
  }),
);

app.view('ask', async ({ state, user, team, bot, event, respond }) => {
  const [first, last, who] = [state.first.day, state.last.day, state.who.person];
  if (last < first) return respond.errors({ last: 'It is before the first day' });
  if (who === user) return respond.errors({ who: 'Choose somebody else' });
  // After a crash the event comes again: then this is known, and the key keeps the message from being posted twice.
  holidays[event.id] ??= { user, team, first, last, answer: 'asked' };
  save();
  const buttons = b.actions(
    b.button('Approve', { action_id: 'approve', value: event.id, style: 'primary' }),
    b.button('Decline', { action_id: 'decline', value: event.id }),
  );
  await bot.writeTo(who, { blocks: [line(holidays[event.id]), b.withId('decide', buttons)] }, event.id);
  await app.publishHome({ user, team, blocks: page(user) });
});

async function decide(id, answer, { bot, respond }) {
  const holiday = holidays[id];
  // Of two clicks the first one decides.
  if (holiday.answer === 'asked') holiday.answer = answer;
  save();
  await respond.replace({ blocks: [line(holiday)] });
  await bot.writeTo(holiday.user, { blocks: [line(holiday)] }, `${id}-decided`);
  await app.publishHome({ ...holiday, blocks: page(holiday.user) });
}

app.action('approve', (click) => decide(click.value, 'approved', click));

app.action('decline', ({ value, respond }) =>
  respond.form({
    title: 'Decline',
    submit: 'Decline',
    callback_id: 'decline',
    metadata: value,
    blocks: [field('why', 'Why?', b.textInput({ action_id: 'text' }))],
  }),
);

app.view('decline', (view) => decide(view.form.metadata, `declined: ${view.state.why.text}`, view));

app.home(({ user, publish }) => publish(page(user)));

await app.listen();
console.log('listening');
