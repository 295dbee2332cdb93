import { type Block, blocks } from '#sdk';
import type { Request } from './storage.ts';

const { actions, alert, button, confirm, context, mrkdwn, person, plain, richText, section, time, withId } =
  blocks;

/** The message of a request: what is asked, and buttons, or what became of it. */
export function shownAs(request: Request): Block[] {
  const { asker, text } = request;
  return [
    section(mrkdwn`${person(asker)} asks for approval:`),
    section(plain(text)),
    ...(request.status === 'open' ? toDecide(request) : decided(request)),
  ];
}

function toDecide({ id, approver, second, escalated, expires_at }: Request): Block[] {
  const others = escalated && second ? mrkdwn`, ${person(second)}` : mrkdwn('');
  const who = approver ? mrkdwn`${person(approver)}${others} or an admin` : mrkdwn('an admin');
  const value = String(id);
  return [
    context(mrkdwn`To decide: ${who}.`),
    richText('Open until ', time(new Date(expires_at))),
    // Named, so that a click on the message as it was before an update still finds its button.
    withId(
      'decision',
      actions(
        button('Approve', { action_id: 'approve', value, style: 'primary' }),
        button('Refuse', {
          action_id: 'refuse',
          value,
          style: 'danger',
          confirm: confirm('The person is told.', {
            title: 'Refuse it?',
            confirm: 'Refuse',
            deny: 'Not yet',
          }),
        }),
      ),
    ),
  ];
}

function decided({ status, decided_by, decided_at, expires_at }: Request): Block[] {
  const at = time(new Date(decided_at ?? expires_at));
  if (status === 'expired') return [alert('Nobody decided in time', 'warning'), richText('Expired on ', at)];
  return [
    status === 'approved' ? alert('Approved', 'success') : alert('Refused', 'error'),
    richText('By ', { type: 'user', user_id: decided_by ?? '' }, ' on ', at),
  ];
}
