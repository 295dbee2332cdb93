import { hash } from 'node:crypto';

/** An icon is an emoji, or the address of a picture on the application's own server. */
export const isPictureAddress = (icon: string) => /^https?:\/\//i.test(icon);

/** Changes with the address, so that browsers may cache the icon. */
export const iconVersion = (icon: string) => hash('sha256', icon, 'base64url').slice(0, 22);

/** The icon to display. A picture is served from our own address, so that its owner does not learn who views it. */
export function shownIcon({ id, icon }: { id: string; icon: string }, origin: string): string {
  if (!isPictureAddress(icon)) return icon;
  return `${origin}/v1/applications/${id}/icon/${iconVersion(icon)}`;
}
