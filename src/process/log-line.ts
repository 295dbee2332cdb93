const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 40: 'warning', 50: 'error', 60: 'fatal' };
/** Fields left out of terminal lines: obvious there, or too long. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'settings']);
/** A longer list is counted. */
const MOST_LISTED = 3;
const FAULT = 500;

/** Control characters, and characters that change the direction of text. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** A record of the log as a line for people. @param line a record as JSON */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, process, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const at = new Date(Number(time)).toTimeString().slice(0, 8);
  // Of several processes that write to this output.
  const number = process === undefined ? undefined : `#${process}`;
  const kind = LEVELS[Number(level)];
  const what = msg === 'answered' ? describeRequest(rest) : [msg, ...describeFields(rest)].join('  ');
  return `${[at, number, kind && `${kind}:`, oneLine(what)].filter(Boolean).join('  ')}\n${describeError(err)}`;
}

function describeRequest({
  method,
  route,
  status,
  milliseconds,
  limit,
  id,
}: Record<string, unknown>): string {
  const parts = [method, route, status, `${milliseconds} ms`];
  if (limit !== undefined) parts.push(`limit=${limit}`);
  // The request id, to find its other log lines.
  if (Number(status) >= FAULT) parts.push(`id=${id}`);
  return parts.join('  ');
}

function describeFields(fields: Record<string, unknown>): string[] {
  return Object.entries(fields)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${describe(value)}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value) && value.length > MOST_LISTED) return String(value.length);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function describeError(error: unknown): string {
  if (error === undefined || error === null) return '';
  const { stack, message } = Object(error) as { stack?: string; message?: string };
  const lines = String(stack ?? message ?? JSON.stringify(error)).split('\n');
  return lines.map((line) => `          ${oneLine(line.trim())}\n`).join('');
}

const oneLine = (text: string) => text.replaceAll(COMMANDS, ' ');
