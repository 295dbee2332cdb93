import { hash } from 'node:crypto';

/** An icon is an emoji, or the address of a picture on the application's own server. */
export const isPictureAddress = (icon: string) => /^https?:\/\//i.test(icon);

/** Another one for another address, so that browsers may keep what they have. */
export const iconVersion = (icon: string) => hash('sha256', icon, 'base64url').slice(0, 22);

/** What is shown of an icon: a picture has an address of ours, so that its owner does not learn who looks at it. */
export function shownIcon({ id, icon }: { id: string; icon: string }, origin: string): string {
  if (!isPictureAddress(icon)) return icon;
  return `${origin}/v1/applications/${id}/icon/${iconVersion(icon)}`;
}
