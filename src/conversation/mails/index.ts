export { catalogue as mailCatalogue } from './catalogue.ts';
export { MAIL_SHOWS } from './compose.messages.ts';
export { composer } from './compose.ts';
export { digest } from './digest.ts';
export { deleteInvitationMails, deleteTeamNotifications } from './erasing.store.ts';
export { forgetAddress, forgetRecipient } from './forget.ts';
export {
  INVITATION_MAILS_PER_MS,
  invitationLimits,
  MAX_TO_ADDRESS,
  SAME_TEAM_EVERY_MS,
} from './invitation-limits.ts';
export { jobQueue } from './job.store.ts';
export { mailQueue } from './mail.queue.ts';
export { mailRoutes } from './mail.routes.ts';
export { Mail } from './mail.schema.ts';
export { mailService } from './mail.service.ts';
export { forgetMails, mailsState, rewriteMails } from './mail.store.ts';
export { MEMBERSHIP_EVERY_MS, MEMBERSHIP_MAILS_A_DAY } from './membership.ts';
export { mailsNoticed } from './noticed.ts';
export { accountMails, type NotificationService, notificationService } from './notification.service.ts';
export { leaveOut } from './notification.store.ts';
export { mailCleaning } from './purge.ts';
export { MAIL_BACKOFF_MS, startMailSender } from './sender.ts';
export { streamQueue } from './stream.store.ts';
export { mailStreams } from './streams.ts';
export { unsubscribeRoutes } from './unsubscribe.routes.ts';
export { unsubscribeLinks } from './unsubscribe.ts';
export { mailPreparation } from './worker.ts';
