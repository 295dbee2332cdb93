import { uploadsPart } from '../conversation/attachments/index.ts';
import { emojiPart } from '../conversation/emoji/index.ts';
import { inboxPart } from '../conversation/inbox/index.ts';
import {
  blocksPart,
  messagesPart,
  pinsPart,
  reactionsPart,
  savedPart,
  statesPart,
  subjectsPart,
} from '../conversation/messages/index.ts';
import { mutesPart } from '../conversation/mutes/index.ts';
import { pushSettingsPart } from '../conversation/pushes/index.ts';
import { scheduledPart } from '../conversation/scheduled/index.ts';
import { applicationsPart } from '../integration/applications/index.ts';
import { installationsPart } from '../integration/installations/index.ts';
import { grantsPart } from '../integration/oauth/index.ts';
import { sessionsPart } from '../people/accounts/index.ts';
import { picturePart, profilePart } from '../people/users/index.ts';
import { auditPart, type ExportPart } from '../stewardship/exports/index.ts';
import { membershipsPart } from '../teams/index.ts';
import type { AppParts } from './parts.ts';

/**
 * The archive of a person, in the order of its files. What others wrote, mails and secrets stay out; docs/operations/administration.md
 * lists both.
 */
export function exportParts({
  db,
  clock,
  files,
}: Pick<AppParts, 'db' | 'clock' | 'files'>): readonly ExportPart[] {
  return [
    profilePart,
    picturePart(db),
    membershipsPart(db),
    messagesPart(db),
    statesPart(db),
    subjectsPart(db),
    mutesPart(db),
    scheduledPart(db),
    blocksPart(db),
    inboxPart(db),
    uploadsPart(db, files),
    reactionsPart(db),
    savedPart(db),
    pinsPart(db),
    emojiPart(db),
    applicationsPart(db),
    installationsPart(db),
    grantsPart(db),
    sessionsPart(db, clock),
    pushSettingsPart(db),
    auditPart(db),
  ];
}
