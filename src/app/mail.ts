import type { FastifyInstance } from 'fastify';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type OnAttempt, type Rounds, startRounds } from '#platform/jobs/index.ts';
import {
  accountMails,
  digest,
  invitationLimits,
  leaveOut,
  Mail,
  mailPreparation,
  mailRoutes,
  mailSender,
  mailService,
  mailsNoticed,
  notificationService,
  purgeMail,
  unsubscribeLinks,
  unsubscribeRoutes,
} from '../conversation/mails/index.ts';
import type { UserService } from '../people/users/index.ts';
import { type AppParts, type Background, seconds } from './parts.ts';

/** Mails: queued in the transaction of their cause, rendered and sent afterwards. */
export function joinMail(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'baseUrl' | 'mailTransport' | 'logger'>,
  deps: {
    onAttempt: OnAttempt;
    users: UserService;
    cipher: Cipher;
    background: Background;
  },
) {
  const { config, keys, db, clock, baseUrl, mailTransport, logger } = parts;
  const { onAttempt, users, cipher, background } = deps;
  const { intervalMs, keepLease, onError } = background;
  const sender: Rounds | undefined =
    mailTransport &&
    startRounds({
      work: mailSender({
        db,
        clock,
        cipher,
        transport: mailTransport,
        keepLease,
        onAttempt,
        onFailure: ({ id, kind }, reason) => logger.warn({ mail: id, kind, reason }, 'mail not sent'),
        onError,
      }),
      intervalMs,
      onError,
    });
  const mails = mailService({
    db,
    clock,
    cipher,
    baseUrl,
    canSend: sender !== undefined,
    wakeSender: () => sender?.wake(),
  });
  const links = unsubscribeLinks({ key: keys.cookie, baseUrl });
  const notifications = notificationService({
    clock,
    cipher,
    mails,
    links,
    baseUrl,
    enabled: config.MAIL_NOTIFICATIONS === 'on',
    canSend: sender !== undefined,
    mayInvite: invitationLimits({
      clock,
      // Without a mail server addresses cannot be proved, and nothing is sent.
      needsProof: sender !== undefined,
      limits: {
        perPerson: config.INVITATION_MAILS_PERSON,
        perTeam: config.INVITATION_MAILS_TEAM,
        perNewAccount: config.INVITATION_MAILS_NEW_ACCOUNT,
      },
    }),
  });

  return {
    notifications,
    noticed: mailsNoticed({
      clock,
      batchMs: seconds(config.MAIL_BATCH_SECONDS),
      enabled: config.MAIL_NOTIFICATIONS === 'on' && sender !== undefined,
    }),
    collect: digest({ clock, mails, links, baseUrl }),
    /** Leaves messages out of mails of which the person was told by a push. */
    leaveOut: (tx: Tx, told: { userId: string; messageIds: readonly string[] }) =>
      leaveOut.run(tx, { ...told, now: clock() }),
    accountMails: accountMails({ clock, mails, baseUrl, canSend: sender !== undefined }),
    schemas: [Mail],
    async routes(server: FastifyInstance) {
      mailRoutes(server, mails);
      await server.register(unsubscribeRoutes, { db, users, links });
    },
    housekeeping: [() => purgeMail(db, clock() - seconds(config.MAIL_RETENTION), clock())],
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
  deps: Pick<Preparation, 'collect' | 'issueReset' | 'onAttempt'> & { background: Background },
): Rounds {
  const { db, clock } = parts;
  const { background, ...given } = deps;
  const { intervalMs, rest, onError } = background;
  const work = mailPreparation({ db, clock, onError, ...given });
  return startRounds({ work, intervalMs, rest, onError });
}
