import type { Database } from '#platform/db/index.ts';
import { type ExportPart, jsonFile } from '../../stewardship/exports/index.ts';
import { settingsOf } from './push.settings.ts';
import { findSettings } from './settings.store.ts';

/** The person's choice of notifications, and of the times for them. */
export function pushSettingsPart(db: Database): ExportPart {
  return async function* settings({ id: userId }) {
    const row = await findSettings.first(db, { userId });
    yield* jsonFile('notifications.json', settingsOf(row?.settings_json));
  };
}
