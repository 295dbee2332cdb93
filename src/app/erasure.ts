import { forgetAnswersTo, forgetAnswersToTokens } from '#api';
import type { Clock } from '#platform/ids.ts';
import type { InSteps } from '#platform/jobs/index.ts';
import type { ErasureRow } from '#schema';
import { markRemovedOf } from '../conversation/attachments/index.ts';
import { deleteEntriesAbout, deleteEntriesOf } from '../conversation/inbox/index.ts';
import { eraseEvents, forgetPresence } from '../conversation/live/index.ts';
import {
  deleteInvitationMails,
  deleteTeamNotifications,
  forgetAddress,
  forgetRecipient,
} from '../conversation/mails/index.ts';
import {
  deleteMarks,
  deleteSubjectCursors,
  deleteSubjects,
  type ForgetMessages,
  forgetAnswers,
  forgetBlocks,
  forgetClicks,
  forgetForms,
  forgetHomes,
  forgetSaved,
  forgetStates,
  messageEraser,
  notesStep,
  teamMessagesSteps,
} from '../conversation/messages/index.ts';
import { deleteMutesOf, forgetMutes } from '../conversation/mutes/index.ts';
import { deleteJobsAbout } from '../conversation/notices/index.ts';
import { deleteJobsAbout as deletePreviewJobs } from '../conversation/previews/index.ts';
import { deleteSettings, forgetLevels } from '../conversation/pushes/index.ts';
import { deleteScheduledOf } from '../conversation/scheduled/index.ts';
import { personDeliveries, teamDeliveries } from '../integration/callbacks/index.ts';
import { teamWebhooks } from '../integration/incoming/index.ts';
import { eraseTokens } from '../integration/oauth/index.ts';
import { teamCursors } from '../integration/subscriptions/index.ts';
import { teamObjects } from '../objects/index.ts';
import { type DeletionDeps, deleteEveryToken } from '../people/accounts/index.ts';
import { forgetAddresses, type Recorder } from '../stewardship/audit/index.ts';
import { inOrder, LATECOMERS_MS, type Step } from '../stewardship/erasure/index.ts';
import {
  deleteInvitationsTo,
  eachMember,
  forgetRemovals,
  forgetWaitingJoins,
  membersStep,
  teamStep,
} from '../teams/index.ts';

/** Deletions in the transaction that deletes an account: rows that hold the person's address, or that let a caller in. */
export const forgetAtOnce: DeletionDeps['forget'] = [
  forgetAddress,
  (tx, { email_key }) => deleteInvitationsTo.run(tx, { emailKey: email_key }),
  (tx, { id }) => forgetWaitingJoins.run(tx, { userId: id }),
  (tx, { id }) => forgetRemovals.run(tx, { userId: id }),
  (tx, { id }) => deleteEveryToken.run(tx, { userId: id }),
  (tx, { id }) => forgetAddresses.run(tx, { userId: id }),
  (tx, { id }) => forgetAnswersTo.run(tx, { userId: id }),
  (tx, { id }) => forgetAnswersToTokens.run(tx, { userId: id }),
  (tx, { id }) => forgetStates.run(tx, { userId: id }),
];

/** Deletes rows of other domains that need only the person's id. */
const forget = inOrder<{ userId: string }>([
  forgetRecipient,
  deleteEntriesOf,
  forgetPresence,
  deleteSettings,
  deleteMutesOf,
  deleteScheduledOf,
  markRemovedOf,
  forgetClicks,
  forgetAnswers,
  forgetForms,
  forgetHomes,
  forgetSaved,
  forgetBlocks,
]);

const forgetRows: Step = {
  erase: async (tx, userId, place) => {
    for (const { run } of [deleteEveryToken, forgetAnswersTo, forgetAnswersToTokens])
      await run(tx, { userId });
    return (await forget(tx, { userId })) ? place : undefined;
  },
};

const stepOf = ({ some }: InSteps): Step => ({ erase: some });

/** The steps in which a deleted person and a deleted team are erased. New steps go to the end: rows count them. */
export function erasureSteps(deps: {
  clock: Clock;
  record: Recorder;
  detachFiles: ForgetMessages;
  /** Withdraws what the devices of some members show of their team. */
  withdrawTeam: Parameters<typeof eachMember>[0];
  /** Tells the applications of a person's teams how they are. */
  whereabouts: InSteps;
  /** Removes a deleted person from their teams. */
  leaving: InSteps;
  /** Uninstalls a deleted application from its teams, and tells its teams whether one sleeps. */
  installations: { uninstallation: InSteps; telling: InSteps };
}): Record<ErasureRow['kind'], readonly Step[]> {
  const { clock, record, detachFiles } = deps;
  const withdraw = eachMember(deps.withdrawTeam);
  const eraseMessages = messageEraser({
    clock,
    forget: [
      (tx, ids) => deleteJobsAbout.run(tx, { ids }),
      (tx, ids) => deletePreviewJobs.run(tx, { ids }),
      detachFiles,
    ],
    ofPeople: [deleteEntriesAbout],
  });
  const eraseNotes = notesStep(eraseMessages);
  return {
    // Twice: a call, or a mail, may have been under way when the person was deleted.
    person: [
      stepOf(deps.leaving),
      eraseNotes,
      forgetRows,
      eraseEvents,
      { ...personDeliveries, pauseMs: LATECOMERS_MS },
      personDeliveries,
      eraseNotes,
      forgetRows,
      // On a quiet server the person's leaving is the newest event, which the first pass keeps.
      eraseEvents,
      eraseTokens,
    ],
    withdrawal: [withdraw],
    whereabouts: [stepOf(deps.whereabouts)],
    uninstallation: [stepOf(deps.installations.uninstallation)],
    standing: [stepOf(deps.installations.telling)],
    team: [
      // Where the team is erased before its withdrawal has ended.
      withdraw,
      ...teamMessagesSteps(eraseMessages),
      membersStep([
        deleteMarks.run,
        deleteSubjectCursors.run,
        deleteTeamNotifications,
        forgetMutes.run,
        forgetLevels,
      ]),
      teamObjects(clock),
      teamDeliveries,
      teamStep({
        clock,
        record,
        forget: inOrder<{ teamId: string }>([deleteInvitationMails, deleteSubjects]),
      }),
      teamCursors,
      teamWebhooks(clock),
    ],
  };
}
