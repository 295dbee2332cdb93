import { InvalidFields, lookUp, NotFound } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { initialsPicture, makeVariants, type Picture } from './picture.ts';
import { type ImageVariant, imageVariants } from './user.present.ts';
import type { UserProfile } from './user.schema.ts';
import type { UserService } from './user.service.ts';
import { deleteImages, findImage, findUser, insertImage } from './user.store.ts';

export type ImageService = ReturnType<typeof imageService>;

export function imageService(deps: { db: Database; users: UserService }) {
  const { db, users } = deps;

  /** @throws InvalidFields when the upload is no picture */
  async function replace(userId: string, upload: Buffer): Promise<UserProfile> {
    const variants = await makeVariants(upload);
    if (!variants)
      throw new InvalidFields({ field: 'file', message: 'must be a PNG, JPEG, WebP or GIF picture' });
    return db.write((tx) => store(tx, userId, newId(), variants));
  }

  const remove = (userId: string) => db.write((tx) => store(tx, userId, null, new Map()));

  async function store(
    tx: Tx,
    userId: string,
    version: string | null,
    variants: Map<ImageVariant, Buffer>,
  ): Promise<UserProfile> {
    await users.lockActive(tx, userId);
    await deleteImages.run(tx, { userId });
    for (const [variant, bytes] of variants) {
      await insertImage.run(tx, {
        userId,
        variant,
        contentType: 'image/webp',
        content: bytes.toString('base64'),
      });
    }
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

  return { replace, remove, show };
}
