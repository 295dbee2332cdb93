import { equalInConstantTime, sign } from '#platform/crypto/index.ts';

/** The thing that shows a picture. The right to see it is the right to see the picture. */
export interface PicturePlace {
  readonly kind: 'message';
  readonly id: string;
}

/** One letter for each kind: it is the first of the reference. */
const KINDS = { m: 'message' } as const;
const LETTERS = Object.fromEntries(Object.entries(KINDS).map(([letter, kind]) => [kind, letter]));
const MAC = 22;
const FORM = /^(?<letter>[a-z])(?<ids>[\w-]{43})(?<mac>[\w-]{22})$/;
const ID_BYTES = 16;

export type References = ReturnType<typeof pictureReferences>;

/**
 * Addresses of pictures that name what shows them. They are signed, so that none can be made up; who may see the place is
 * still asked whenever one is used.
 */
export function pictureReferences(key: Buffer) {
  const macOf = (text: string) => sign(key, `picture ${text}`).slice(0, MAC);

  function write(place: PicturePlace, pictureId: string): string {
    const ids = Buffer.from(`${place.id}${pictureId}`.replaceAll('-', ''), 'hex').toString('base64url');
    const text = `${LETTERS[place.kind]}${ids}`;
    return text + macOf(text);
  }

  /** @returns undefined for one that this server has not made */
  function read(reference: string): { place: PicturePlace; pictureId: string } | undefined {
    const { letter = '', ids = '', mac = '' } = FORM.exec(reference)?.groups ?? {};
    const kind = KINDS[letter as keyof typeof KINDS];
    if (kind === undefined || !equalInConstantTime(mac, macOf(letter + ids))) return undefined;
    const bytes = Buffer.from(ids, 'base64url');
    const [id, pictureId] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)].map(uuidOf);
    return { place: { kind, id: id as string }, pictureId: pictureId as string };
  }

  return { write, read };
}

const uuidOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
