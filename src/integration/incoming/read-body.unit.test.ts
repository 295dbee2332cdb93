import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpack } from './content.ts';
import { readBody } from './read-body.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const payloadOf = async (type: string, body: string | Buffer) =>
  (await readBody(type, Buffer.from(body as string))).payload;
const said = { text: 'Grüße 🎉' };
const json = JSON.stringify(said);
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a body is read by what it is', () => {
  it.each([
    '',
    'text/html',
    'application/cloudevents+json',
    'application/octet-stream',
    'text/plain',
    FORM,
    'x/y',
  ])('JSON of the type %j', async (type) => expect(await payloadOf(type, json)).toEqual(said));

  it.each([
    ['two byte order marks', JSON_TYPE, Buffer.from(`\ufeff\ufeff${json}`)],
    ['UTF-16 with a mark', JSON_TYPE, Buffer.from(`\ufeff${json}`, 'utf16le')],
    ['UTF-16 of the other order', 'application/json; charset=utf-16', utf16be(`\ufeff${json}`)],
    ['UTF-16 without a mark', '', utf16be(json)],
    ['UTF-8 that is said to be ISO-8859-1', 'application/json; charset=ISO-8859-1', Buffer.from(json)],
    ['a form with marks in its field', FORM, `payload=${encodeURIComponent(`\ufeff\ufeff ${json}`)}`],
    ['a form of another type', JSON_TYPE, `payload=${encodeURIComponent(json)}`],
    ['a form without a type', '', `payload=${encodeURIComponent(json)}`],
    ['a form with data', FORM, `data=${encodeURIComponent(json)}`],
    ['a form with the fields themselves', FORM, `text=${encodeURIComponent(said.text)}`],
  ])('%s', async (_, type, body) => expect(await payloadOf(type, body)).toEqual(said));

  it.each(['ISO-8859-1', '"latin1"', 'windows-1252'])('the charset %s', async (charset) => {
    const bytes = Buffer.from('{"text":"Grüße"}', 'latin1');
    expect(await payloadOf(`application/json; charset=${charset}`, bytes)).toEqual({ text: 'Grüße' });
  });

  it('control characters within texts', async () => {
    const payload = await payloadOf(JSON_TYPE, '{\n\t"text": "one\ntwo\t\\"three\\\\",\r\n "a\u0001": 1}');
    expect(payload).toEqual({ text: 'one\ntwo\t"three\\', 'a\u0001': 1 });
  });

  it.each([
    ['as JSON', JSON_TYPE, 'Updated 3 containers'],
    ['as JSON, with a bracket', JSON_TYPE, '[host-1] Updated {3} containers'],
    ['as a form', FORM, 'Backup of a=1 & b=2 is done'],
    ['as a form, without any pairs', FORM, 'done'],
    ['as text, with braces', 'text/plain', '{host} is "down'],
    ['as XML', 'application/xml', '<down/>'],
  ])('text sent %s', async (_, type, body) => expect(await payloadOf(type, body)).toBe(body));

  it('fields of a form, with JSON in some', async () => {
    const body = `text=hi&attachments=${encodeURIComponent('[{"text":"there"}]')}&tag=a&tag=b`;
    expect(await payloadOf(FORM, body)).toEqual({
      text: 'hi',
      attachments: [{ text: 'there' }],
      tag: ['a', 'b'],
    });
  });
});

describe('names of a form', () => {
  it('that say where a value lies put it there (PHP, Rails, Mailchimp)', async () => {
    const body =
      'type=subscribe&data[email]=a%40b.example&data[merges][NAME]=Ada&tags[]=a&tags[]=b&x=1&x[y]=2';
    const expected = {
      type: 'subscribe',
      data: { email: 'a@b.example', merges: { NAME: 'Ada' } },
      'tags[]': ['a', 'b'],
      x: '1',
      'x.y': '2',
    };
    expect(JSON.parse(JSON.stringify(await payloadOf(FORM, body)))).toEqual(expected);
    await payloadOf(
      FORM,
      'a[__proto__][polluted]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1',
    );
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a multipart body', () => {
  const parts = (...given: readonly [head: string, value: string | Buffer][]) =>
    Buffer.concat([
      ...given.flatMap(([head, value]) => [
        Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(value as string),
        Buffer.from('\r\n'),
      ]),
      Buffer.from('--b--\r\n'),
    ]);
  const type = 'multipart/form-data; boundary=b';

  it.each(['payload', 'data'])('with %s', async (name) => {
    expect(await payloadOf(type, parts([`name="${name}"`, json], ['name="x"', 'y']))).toEqual(said);
    const file = `name="${name}"; filename="payload.json"\r\nContent-Type: application/json`;
    expect(await payloadOf(type, parts([file, json]))).toEqual(said);
  });

  it('with other fields, and a file', async () => {
    const body = parts(
      ['name="title"', 'Grüße'],
      ['name=note', ''],
      ['name="shot"; filename="a.png"\r\nContent-Type: image/png', Buffer.from([0x89, 0xff])],
    );
    expect(await payloadOf(type, body)).toEqual({ title: 'Grüße', note: '', shot: 'a.png' });
  });

  it('is told from another by its content, not by its boundary', async () => {
    const body = parts(['name="text"', 'same']);
    const other = Buffer.from(body.toString().replaceAll('--b', '--c'));
    const { text } = await readBody(type, body);
    expect((await readBody('multipart/form-data; boundary=c', other)).text).toBe(text);
  });

  it.each([
    ['no boundary', 'multipart/form-data', parts(['name="text"', 'x'])],
    ['no end', type, '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nhalf'],
    ['nothing', type, 'x'],
  ])('with %s is refused', async (_, contentType, body) => {
    await expect(payloadOf(contentType, body)).rejects.toThrow('The body is not valid multipart/form-data');
  });
});

describe('a body that cannot be read', () => {
  it.each([
    [JSON_TYPE, '{"text":', 'The payload is not valid JSON: it ends too early'],
    [
      JSON_TYPE,
      '{\n  "text": "a\nb",\n  "x": y }',
      'The payload is not valid JSON, from line 4, column 8 on',
    ],
    ['', '[{"text": "a"}, }]', 'The payload is not valid JSON, from line 1, column 17 on'],
    [FORM, 'payload=no json', 'The field payload is not valid JSON, from line 1, column 1 on'],
    [FORM, 'payload={}&payload={}', 'The form has the field payload more than once'],
    [
      'application/json; charset=klingon',
      Buffer.from([0xff]),
      'The charset klingon is not known; send UTF-8',
    ],
    [
      JSON_TYPE,
      Buffer.from([0x7b, 0xff]),
      'The body is not valid UTF-8; name another charset in the Content-Type',
    ],
    ['text/plain; charset=utf-8', Buffer.from([0x78, 0xff]), 'The body is not valid UTF-8'],
    [JSON_TYPE, `[{"a":${'['.repeat(500_000)}`, 'The payload is not valid JSON'],
  ])('%s %s', async (type, body, message) => {
    await expect(payloadOf(type, body)).rejects.toThrow(expect.objectContaining({ message }));
  });
});

it('no more is unpacked than may be sent', async () => {
  const limit = { bytes: 1000 };
  const packed = gzipSync(Buffer.alloc(1001));
  await expect(unpack('gzip', packed, limit)).rejects.toThrow('At most 1000 bytes');
  expect(await unpack('gzip', gzipSync(Buffer.alloc(1000)), limit)).toHaveLength(1000);
});

describe('XML is read as fields', () => {
  it.each([
    [
      'attributes and elements',
      '<job state="failed"><name>Oven</name></job>',
      { job: { state: 'failed', name: 'Oven' } },
    ],
    ['several of one name', '<a><b>1</b><b>2</b></a>', { a: { b: ['1', '2'] } }],
    ['a text beside attributes', '<a><b at="1">x</b></a>', { a: { b: { at: '1', value: 'x' } } }],
    [
      'entities and verbatim text',
      '<a><b>&lt;x&gt; &#38; &#x1F525;</b><c><![CDATA[<y> & z]]></c></a>',
      { a: { b: '<x> & 🔥', c: '<y> & z' } },
    ],
    [
      'what is aside',
      '<?xml version="1.0"?><!DOCTYPE a><!-- no --><a><b>x</b><c/></a>',
      { a: { b: 'x', c: '' } },
    ],
    ['namespaces', '<n:a xmlns:n="urn:x"><n:b n:c="1"/></n:a>', { a: { b: { c: '1' } } }],
    [
      'the body of an envelope',
      '<s:Envelope><s:Body><a><b>x</b></a></s:Body></s:Envelope>',
      { a: { b: 'x' } },
    ],
    ['names that every object has', '<a><__proto__>x</__proto__><b>y</b></a>', { a: { b: 'y' } }],
  ])('%s', async (_, xml, fields) => {
    expect(await payloadOf('text/xml', xml)).toEqual(fields);
    expect(await payloadOf('application/soap+xml; charset=utf-8', xml)).toEqual(fields);
  });

  it.each([
    ['that ends too soon', '<a><b>x</b>'],
    ['whose ends are not those of its beginnings', '<a><b>x</a></b>'],
    ['with entities of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a><b>&x;</b></a>'],
    ['with a text around it', '<a><b>x</b></a> and more'],
    ['that lies too deep', `${'<a>'.repeat(70)}x${'</a>'.repeat(70)}`],
  ])('a text %s is a text', async (_, xml) => expect(await payloadOf('text/xml', xml)).toBe(xml));

  it('a text that begins with a tag is a text, unless it says that it is XML', async () => {
    expect(await payloadOf('text/plain', '<b>down</b>')).toBe('<b>down</b>');
    expect(await payloadOf('', '<?xml version="1.0"?><b>down</b>')).toEqual({ b: 'down' });
  });
});
