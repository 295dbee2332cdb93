import { forgetAnswersTo, forgetAnswersToTokens } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
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
  pageOfTeamsOf,
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

/** Teams whose applications are told of a person in one transaction. */
export const TOLD_AT_ONCE = 50;

/** Tells the applications of a few teams how a person is. */
export type TellTeams = (tx: Tx, userId: string, teamIds: readonly string[]) => Promise<void>;

const tellingStep = (tell: TellTeams): Step => ({
  erase: async (tx, userId, after) => {
    const page = await pageOfTeamsOf.all(tx, { userId, after, limit: TOLD_AT_ONCE });
    const teamIds = page.map(({ team_id }) => team_id);
    if (teamIds.length > 0) await tell(tx, userId, teamIds);
    return page.length < TOLD_AT_ONCE ? undefined : teamIds.at(-1);
  },
});

/** The steps in which a deleted person and a deleted team are erased. New steps go to the end: rows count them. */
export function erasureSteps(deps: {
  clock: Clock;
  record: Recorder;
  detachFiles: ForgetMessages;
  /** Withdraws what the devices of some members show of their team. */
  withdrawTeam: Parameters<typeof eachMember>[0];
  tellTeams: TellTeams;
  /** Removes a deleted person from a few teams. @returns the last one, while there are more */
  leaveTeams: Step['erase'];
  /** Uninstalls a deleted application from a few teams, and tells a few teams whether one sleeps. */
  installations: { endSome: Step['erase']; tellSome: Step['erase'] };
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
      { erase: deps.leaveTeams },
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
    whereabouts: [tellingStep(deps.tellTeams)],
    uninstallation: [{ erase: deps.installations.endSome }],
    standing: [{ erase: deps.installations.tellSome }],
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
