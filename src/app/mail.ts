import type { FastifyInstance } from 'fastify';
import { type Cipher, hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type OnAttempt, type Rounds, startRounds } from '#platform/jobs/index.ts';
import {
  accountMails,
  composer,
  digest,
  invitationLimits,
  leaveOut,
  Mail,
  mailCleaning,
  mailPreparation,
  mailQueue,
  mailRoutes,
  mailService,
  mailStreams,
  mailsNoticed,
  notificationService,
  startMailSender,
  unsubscribeLinks,
  unsubscribeRoutes,
} from '../conversation/mails/index.ts';
import { findAccountLink } from '../people/accounts/index.ts';
import type { UserService } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { type AppParts, type Background, seconds } from './parts.ts';

/** Mails: queued in the transaction of their cause, composed and sent afterwards. */
export function joinMail(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'baseUrl' | 'mailTransport' | 'logger'>,
  deps: {
    onAttempt: OnAttempt;
    users: UserService;
    cipher: Cipher;
    background: Background;
    record: Recorder;
  },
) {
  const { config, keys, db, clock, baseUrl, mailTransport, logger } = parts;
  const { onAttempt, users, cipher, background, record } = deps;
  const { intervalMs, keepLease, onError } = background;
  const enabled = config.MAIL_NOTIFICATIONS === 'on';
  const links = unsubscribeLinks({ key: keys.cookie, baseUrl });
  const compose = composer({
    clock,
    cipher,
    links,
    baseUrl,
    enabled,
    findLink: async (reader, kind, token) =>
      (await findAccountLink.first(reader, { tokenHash: hashToken(token), kind, now: clock() }))?.user_id,
  });
  const sender: Rounds | undefined =
    mailTransport &&
    startMailSender({
      db,
      clock,
      compose,
      transport: mailTransport,
      keepLease,
      onAttempt,
      onFailure: ({ id, kind }, reason) => logger.warn({ mail: id, kind, reason }, 'mail not sent'),
      intervalMs,
      onError,
    });
  const canSend = sender !== undefined;
  const wakeSender = () => sender?.wake();
  const queue = mailQueue({ clock, cipher, baseUrl, canSend, wakeSender });
  const mails = mailService({ db, clock, compose, canSend, wakeSender, record });
  const notifications = notificationService({
    clock,
    cipher,
    mails: queue,
    enabled,
    canSend,
    mayInvite: invitationLimits({
      clock,
      // Without a mail server addresses cannot be proved, and nothing is sent.
      needsProof: canSend,
      limits: {
        perPerson: config.INVITATION_MAILS_PERSON,
        perTeam: config.INVITATION_MAILS_TEAM,
        perNewAccount: config.INVITATION_MAILS_NEW_ACCOUNT,
      },
    }),
  });

  const batching = { clock, batchMs: seconds(config.MAIL_BATCH_SECONDS), enabled: enabled && canSend };

  return {
    notifications,
    noticed: mailsNoticed(batching),
    streams: mailStreams(batching),
    digest: digest({ ...batching, db, mails: queue }),
    /** Leaves messages out of mails of which the person was told by a push. */
    leaveOut: async (tx: Tx, told: { userId: string; messageIds: readonly string[] }) => {
      if (batching.enabled) await leaveOut(tx, { ...told, now: clock() });
    },
    accountMails: accountMails({ clock, mails: queue, canSend }),
    schemas: [Mail],
    async routes(server: FastifyInstance) {
      mailRoutes(server, mails);
      await server.register(unsubscribeRoutes, { db, users, links });
    },
    housekeeping: mailCleaning(db, clock, seconds(config.MAIL_RETENTION)),
    start: () => sender?.wake(),
    /** Waits for mails in progress, but not for a mail server that does not answer. */
    async stop() {
      const stopped = sender?.stop();
      mailTransport?.close();
      await stopped;
    },
  };
}

type Preparation = Parameters<typeof mailPreparation>[0];

/** The jobs that write mails: what waits for one person, and links for a new password. */
export function joinMailJobs(
  parts: Pick<AppParts, 'db' | 'clock'>,
  deps: Pick<Preparation, 'walk' | 'digest' | 'issueReset' | 'onAttempt'> & { background: Background },
): Rounds {
  const { db, clock } = parts;
  const { background, ...given } = deps;
  const { intervalMs, rest, onError } = background;
  const work = mailPreparation({ db, clock, onError, ...given });
  return startRounds({ work, intervalMs, rest, onError });
}
