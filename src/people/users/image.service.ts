import { lookUp, NotFound } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { initialsPicture, type Picture, type Variants } from './picture.ts';
import { imageVariants } from './user.present.ts';
import type { UserProfile } from './user.schema.ts';
import type { UserService } from './user.service.ts';
import { deleteImages, findImage, findUser, insertImage, updateImageVersion } from './user.store.ts';

export type ImageService = ReturnType<typeof imageService>;

/** In place of those before. @returns their version: null without any */
async function storeVariants(tx: Tx, userId: string, variants: Variants = new Map()): Promise<string | null> {
  await deleteImages.run(tx, { userId });
  for (const [variant, bytes] of variants) {
    await insertImage.run(tx, {
      userId,
      variant,
      contentType: 'image/webp',
      content: Buffer.from(bytes).toString('base64'),
    });
  }
  return variants.size === 0 ? null : newId();
}

/** Gives the author of an incoming webhook a picture, or its initials again. */
export async function setAuthorPicture(
  tx: Tx,
  of: { id: string; variants?: Variants; now: number },
): Promise<void> {
  const version = await storeVariants(tx, of.id, of.variants);
  await updateImageVersion.run(tx, { id: of.id, version, now: of.now });
}

export function imageService(deps: { db: Database; users: UserService }) {
  const { db, users } = deps;

  /** @param variants none for the initials */
  const replace = (userId: string, variants?: Variants) => db.write((tx) => store(tx, userId, variants));

  async function store(tx: Tx, userId: string, variants: Variants | undefined): Promise<UserProfile> {
    await users.lockActive(tx, userId);
    const version = await storeVariants(tx, userId, variants);
    return users.present.profile(await users.setImageVersion(tx, userId, version));
  }

  /** @throws NotFound unless the address is one that this server made for the present picture */
  async function show(id: string, variant: string, signature: string): Promise<Picture> {
    const user = await lookUp(id, (known) => findUser.first(db, { id: known }));
    const isOne = imageVariants.some((one) => one === variant);
    if (!isOne || !users.present.imageAllowed(user, signature)) throw new NotFound();
    const image = await findImage.first(db, { userId: user.id, variant });
    if (!image) return initialsPicture(user);
    return { contentType: image.content_type, bytes: Buffer.from(image.content, 'base64') };
  }

  return { replace, show };
}
