import { strong } from '#platform/text/index.ts';
import type { Card } from './card.ts';
import { at, type Fields, fieldsOf, joined, lineOf, textOf } from './payload.ts';

/** `status` of a heartbeat of Uptime Kuma. */
const STATES = ['🔴 down', '✅ up', '⏳ pending', '🔧 in maintenance'];

/** Uptime Kuma's webhook: `{heartbeat, monitor, msg}`; a test has null for the first two. */
export function readKuma(payload: Fields): Card | undefined {
  if (!('heartbeat' in payload) || !('monitor' in payload)) return undefined;
  const { status, msg, ping } = fieldsOf(payload.heartbeat);
  const [sign, state] = STATES[Number(textOf(status) || Number.NaN)]?.split(/ (.*)/) ?? [];
  const name = lineOf(at(payload.monitor, 'name'));
  if (name === '') return textOf(payload.msg) === '' ? undefined : { title: '', text: textOf(payload.msg) };
  return {
    title: joined([sign, joined([strong(name), state], ': ')], ' '),
    link: at(payload.monitor, 'url'),
    text: joined([textOf(msg) || textOf(payload.msg), textOf(ping) && `${textOf(ping)} ms`]),
  };
}
