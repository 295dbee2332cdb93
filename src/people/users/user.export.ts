import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import { type ExportPart, jsonFile, once } from '../../stewardship/exports/index.ts';
import { languageOf } from './language.ts';
import { linkPreviewsOf } from './link-previews.ts';
import { prefsOf } from './user.present.ts';
import { listImages } from './user.store.ts';

export const profilePart: ExportPart = (user) => jsonFile('profile.json', presentProfile(user));

export function picturePart(db: Database): ExportPart {
  return async function* picture({ id: userId }) {
    for (const { variant, content } of await listImages.all(db, { userId })) {
      if (variant !== 'original') continue;
      yield { name: 'picture.webp', content: once(Buffer.from(content, 'base64')) };
    }
  };
}

function presentProfile(user: UserRow) {
  const { id, username, email, first_name, last_name, title, location, company } = user;
  return {
    id,
    username,
    email,
    email_verified: user.email_verified === 1,
    first_name,
    last_name,
    title,
    location,
    company,
    active: user.active === 1,
    superuser: user.superuser === 1,
    prefs: prefsOf(user),
    language: languageOf(user),
    time_zone: user.time_zone,
    link_previews: linkPreviewsOf(user),
    status: user.status_json === null ? null : JSON.parse(user.status_json),
    invisible: user.is_invisible === 1,
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.updated_at),
  };
}
