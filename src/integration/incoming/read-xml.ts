import { Parser } from 'htmlparser2';
import { DEEPEST } from '#api';
import { type Fields, fieldsOf } from './payload.ts';

/** An element that is open. */
interface Element {
  readonly name: string;
  readonly inner: Map<string, unknown[]>;
  text: string;
}

/** Elements, attributes, texts and entities of one document: others wait while it is read. */
const MOST_PARTS = 20_000;
const UNSAFE = new Set(['__proto__', 'constructor']);

/**
 * XML as fields: attributes and inner elements by their names, several of one name as a list. Entities are those of XML
 * itself: a document that declares others is not read.
 * @returns undefined for a text that is no XML, lies too deep, has too many parts, or says nothing
 */
export function readXml(text: string): Fields | undefined {
  const root: Element = { name: '', inner: new Map(), text: '' };
  const open: Element[] = [root];
  let isRefused = false;
  let parts = 0;
  const refuse = () => {
    isRefused = true;
    parser.pause();
  };
  const take = (): Element => {
    if (++parts > MOST_PARTS || open.length > DEEPEST) refuse();
    return open.at(-1) ?? root;
  };
  const parser = new Parser(
    {
      onopentagname(name) {
        take();
        open.push({ name: local(name), inner: new Map(), text: '' });
      },
      onattribute(name, value) {
        if (!name.startsWith('xmlns')) put(take(), local(name), value);
      },
      ontext(said) {
        take().text += said;
      },
      onclosetag(_, isImplied) {
        const [parent, ended] = open.slice(-2);
        // The parser closes by itself what the text leaves open, and elements without content.
        if ((isImplied && text[parser.endIndex - 1] !== '/') || !parent || !ended) return refuse();
        open.pop();
        put(parent, ended.name, contentOf(ended));
      },
      onprocessinginstruction(name, data) {
        if (name.startsWith('!') && data.includes('[')) refuse();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  const isWhole = !isRefused && root.inner.size === 1 && root.text.trim() === '';
  const fields = isWhole ? withoutEnvelope(contentOf(root) as Fields) : {};
  return Object.values(fields).some((value) => value !== '') ? fields : undefined;
}

/** SOAP says what it says in the body of an envelope. */
function withoutEnvelope(fields: Fields): Fields {
  const { Body, ...beside } = fieldsOf(fields.Envelope);
  return Object.keys(fieldsOf(Body)).length === 0 ? fields : { ...beside, ...fieldsOf(Body) };
}

/** A name without the prefix of its namespace. */
const local = (name: string) => name.slice(name.lastIndexOf(':') + 1);

function put({ inner }: Element, name: string, value: unknown): void {
  if (UNSAFE.has(name)) return;
  const before = inner.get(name);
  if (before) before.push(value);
  else inner.set(name, [value]);
}

/** A text, or the fields and the text of an element that has both. */
function contentOf({ inner, text }: Element): unknown {
  const said = text.trim();
  if (inner.size === 0) return said;
  const fields = [...inner].map(
    ([name, values]) => [name, values.length === 1 ? values[0] : values] as const,
  );
  return Object.fromEntries(
    said === '' ? fields : [...fields, [inner.has('value') ? 'text' : 'value', said]],
  );
}
