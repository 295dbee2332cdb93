import { expect, it } from 'vitest';
import { readBody } from '../../src/integration/incoming/read-body.ts';
import { readPayload } from '../../src/integration/incoming/read-payload.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const BYTES = 1_000_000;
const SHOWN = 16_000;

const around =
  (head: string, part: string, tail = '') =>
  (bytes: number) =>
    head + part.repeat(bytes / part.length) + tail;

const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'control characters': around('{"text":"', '\x01', '"}'),
  'control characters between others': around('{"text":"', 'a\x01', '"}'),
  'control characters without an end': around('{"text":"', '\x01'),
  'control characters in many texts': around('["', '\x01","', '"]'),
  'line breaks in a text': around('{"text":"', 'a\n', '"}'),
  'line breaks in many names': (bytes) =>
    `{${Array.from({ length: bytes / 14 }, (_, at) => `"name ${at}":"\n"`).join()}}`,
  'lines without an end': around('{"text":"a",', '\n'),
  'brackets in a text': around('[a ', '["\x01'),
  'signs of emphasis': around('{"text":"', '* ', '"}'),
  'signs of emphasis in a name': around('{"attachments":[{"fields":[{"title":"', '_* ', '"}]}]}'),
  'signs of emphasis in HTML': around('{"@type":"MessageCard","text":"', '<br>_a', '"}'),
  'HTML in a text': around('{"state":"a","message":"', '<a href=https: <p x', '"}'),
  'parts of a product that is not known': (bytes) =>
    `{"a":{${Array.from({ length: bytes / 60 }, (_, at) => `"b_${at}":{"name":"c","status":"d","url":"https://e.example"}`).join()}}}`,
  'a list of events that are not known': around(
    '{"events":[{}',
    ',{"event":"a.b","name":"c","state":"d"}',
    ']}',
  ),
  'names of emoji': around('{"attachments":[{"footer":"', ':+1:', '"}]}'),
  attachments: around('{"attachments":[{}', ',{"text":"*a* b"}', ']}'),
  'lists in lists': around('{"attachments":[{}', `,{"fields":[{}${',{}'.repeat(1000)}]}`, ']}'),
  'texts that are XML': around('{"a":["', '","<?xml version=\\"1.0\\"?><a b=\\"c\\"><d>e</d></a>', '"]}'),
  'elements of XML': around('<?xml version="1.0"?><a>', '<b c="d">e &amp; f</b>', '</a>'),
  'elements of XML without an end': around('<?xml version="1.0"?>', '<a b="c" '),
  'comments of XML without an end': around('<?xml version="1.0"?><a>', '<!-- '),
  'a text that is JSON': (bytes) => JSON.stringify({ a: JSON.stringify({ b: '\n"'.repeat(bytes / 8) }) }),
  'texts that look like Base64': around('{"a":["', '","eyJ\\n', '"]}'),
  'a text that looks like Base64': around('{"a":"eyJ', 'a\\n', '"}'),
  'votes and states of lists': around('{"approvals":[{}', ',{"type":"a","value":"-1","state":"b"}', ']}'),
  numbers: around(`{"a":${'['.repeat(58)}1`, ',1', `${']'.repeat(58)}}`),
};

it.each(Object.entries(BODIES))('the time to read a payload grows with its length: %s', async (_, bodyOf) => {
  const read = async (share: number) => {
    const body = Buffer.from(bodyOf(share * BYTES));
    const received = await readBody('text/json', body).catch(() => ({ payload: '' }));
    readPayload(received.payload, { event: undefined }, SHOWN);
  };
  const { times } = await growth(read);
  expect(times).toBeLessThan(MOST_GROWTH);
});
