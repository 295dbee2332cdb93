import { at, type Fields, fieldsOf, joined, lineOf, linked, strong, textOf } from './payload.ts';

/** `status` of a heartbeat of Uptime Kuma. */
const SIGNS = ['🔴', '✅', '⏳', '🔧'];

/** Uptime Kuma's webhook: `{heartbeat, monitor, msg}`; a test has null for the first two. */
export function readKuma(payload: Fields): string | undefined {
  if (!('heartbeat' in payload) || !('monitor' in payload)) return undefined;
  const { status, msg, ping } = fieldsOf(payload.heartbeat);
  const sign = SIGNS[Number(textOf(status) || Number.NaN)];
  const name = lineOf(at(payload.monitor, 'name'));
  if (name === '') return textOf(payload.msg) || undefined;
  return joined([
    linked(joined([sign, strong(name)], ' '), at(payload.monitor, 'url')),
    textOf(msg) || textOf(payload.msg),
    textOf(ping) && `${textOf(ping)} ms`,
  ]);
}
