import { isUtf8 } from 'node:buffer';
import { DEEPEST } from '#api';
import { tryJson } from './lenient-json.ts';
import { type Fields, fieldsOf } from './payload.ts';
import { readXml } from './read-xml.ts';
import { isSecretName } from './secrets.ts';

/** Of one payload: more is never shown. */
const MOST_LOOKED_AT = 5000;
/** A wrapped payload may hold wrapped texts itself. */
const MOST_WRAPPINGS = 3;
/** How the Base64 of `{"`, `[{` or `<?xml` begins. */
const BASE64 = /^(?:ey[IJA-Z]|ew[o0]|W3[siI]|W1[st]|PD94bW)[\w+/-]/;
const BASE64_ALONE = /^[\w+/-]+={0,2}$/;
/** A token: header, payload and signature (JWS Compact Serialization, RFC 7515 §3.1). */
const SIGNED = /^(eyJ[\w-]+)\.(ey[\w-]+)\.[\w-]+$/;

/**
 * A payload without its wrappings: what a product put into a text, as JSON, as XML, as Base64 of them or as a signed token,
 * lies in the place of that text. A text whose name is that of a secret stays.
 * @returns the payload itself where there is no such text
 */
export function unwrapped(payload: Fields): Fields {
  let looked = 0;
  const open = (value: unknown, depth: number, wrappings: number): unknown => {
    if (++looked > MOST_LOOKED_AT || depth > DEEPEST) return value;
    if (typeof value === 'string') {
      const inner = wrappings > MOST_WRAPPINGS ? undefined : innerOf(value);
      // The text was not measured with the body.
      return inner === undefined || isDeep(inner, DEEPEST - depth)
        ? value
        : open(inner, depth, wrappings + 1);
    }
    if (typeof value !== 'object' || value === null) return value;
    let isChanged = false;
    const opened = Object.entries(value).map(([name, inner]) => {
      const other = isSecretName(name) ? inner : open(inner, depth + 1, wrappings);
      isChanged ||= other !== inner;
      return [name, other] as const;
    });
    if (!isChanged) return value;
    return Array.isArray(value) ? opened.map(([, inner]) => inner) : Object.fromEntries(opened);
  };
  return fieldsOf(open(payload, 0, 0));
}

/** An object or a list with something in it. */
function innerOf(text: string): object | undefined {
  const found = treeOf(text);
  if (found) return found;
  const signed = SIGNED.exec(text);
  if (signed) return treeOf(textOfBase64(signed[2])) ?? undefined;
  if (!BASE64.test(text)) return undefined;
  const packed = text.replaceAll(/\s+/g, '');
  return BASE64_ALONE.test(packed) ? treeOf(textOfBase64(packed)) : undefined;
}

function treeOf(text: string): object | undefined {
  const value = /^\s*[{[]/.test(text)
    ? tryJson(text)?.value
    : text.startsWith('<?xml')
      ? readXml(text)
      : undefined;
  const isTree = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isTree ? value : undefined;
}

function textOfBase64(text = ''): string {
  const bytes = Buffer.from(text, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : '';
}

/** Whether a value has more levels than so many. */
export const isDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels <= 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)));
