import type { FastifyInstance } from 'fastify';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type OnAttempt, Turns } from '#platform/jobs/index.ts';
import type { ApplicationService } from '../integration/applications/index.ts';
import { deliveryLog, type PauseListener } from '../integration/callbacks/index.ts';
import {
  type Clicks,
  eventRoutes,
  eventsDocument,
  groupService,
  HeardEvent,
  logReader,
  newsOf,
  recoverAtStart,
  replayService,
  Subscription,
  SubscriptionWithKey,
  startFeeds,
  startWebhooks,
  subscriptionRoutes,
  subscriptionService,
  webhookSender,
} from '../integration/subscriptions/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** The events that applications hear: subscriptions, and the ways to read the log. */
export function joinSubscriptions(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'outbound' | 'baseUrl' | 'version'>,
  deps: {
    cipher: Cipher;
    applications: ApplicationService;
    record: Recorder;
    /** Tells all nodes that streams of an application may have ended. */
    tellEnd: (tx: Tx, applicationId: string) => Promise<void>;
    /** Calls back when the log has new events. */
    onPlaced: (listener: () => void) => () => void;
    /** A message's attachment as it is sent. */
    presentAttachment: (stored: unknown) => unknown;
    /** Notifies the owner that calls to a webhook are paused. */
    onCallsPaused: PauseListener;
    onAttempt: OnAttempt;
    clicks: Clicks;
    responseUrl: (interactionId: string) => string;
    background: Background;
  },
) {
  const { config, db, clock, outbound, baseUrl } = parts;
  const { background, clicks, responseUrl } = deps;
  const keptMs = days(config.EVENTS_KEPT);
  const news = newsOf(deps.onPlaced);
  const reader = logReader({ db, clock, keptMs, attachment: deps.presentAttachment, responseUrl });
  // Of the owners of applications: what waits for events reads them when there are some.
  const turns = new Turns({ atOnce: 8, ofSource: 2 });
  const subscriptions = subscriptionService({
    db,
    clock,
    cipher: deps.cipher,
    allowLoopback: config.loopbackApps,
    baseUrl,
    applications: deps.applications,
    record: deps.record,
    wakeWorker,
    tellEnd: deps.tellEnd,
    clicks,
  });
  const groups = groupService({
    ...{ db, clock, subscriptions, reader, news, turns, clicks },
    tellEnd: deps.tellEnd,
  });
  const replays = replayService({ clock, subscriptions, groups, wakeWorker });
  const carryOut = webhookSender({
    db,
    clock,
    cipher: deps.cipher,
    outbound,
    applications: deps.applications,
    reader,
    deliveries: deliveryLog(clock),
    keepLease: background.keepLease,
    onPause: deps.onCallsPaused,
    onAttempt: deps.onAttempt,
    clicks,
  });
  const webhooks = startWebhooks({ db, clock, keptMs, carryOut, ...background });
  function wakeWorker(): void {
    webhooks.lookAtAll();
    news.wake();
  }
  const stopWaking = news.onNews(webhooks.wake);
  const feeds = startFeeds({ db, clock, keptMs, reader, groups, news, turns, ...background });

  return {
    onApplicationDelete: subscriptions.onApplicationDelete,
    onStandingChange: subscriptions.onStandingChange,
    teamsHearing: subscriptions.teamsHearing,
    renewKeys: subscriptions.renewKeys,
    setOwnAddress: subscriptions.setOwnAddress,
    refuseSubscribed: subscriptions.refuseSubscribed,
    hears: subscriptions.hears,
    schemas: [Subscription, SubscriptionWithKey, HeardEvent],
    /** The events as AsyncAPI. */
    document: eventsDocument(parts.version),
    routes(server: FastifyInstance) {
      subscriptionRoutes(server, { subscriptions, replays });
      eventRoutes(server, { db, subscriptions, groups, feeds });
    },
    housekeeping: [feeds.purge, webhooks.purge],
    async start() {
      await recoverAtStart(db);
      webhooks.wake();
    },
    async stop() {
      stopWaking();
      await webhooks.stop();
    },
    /** Open-ended answers, which a stop must close. */
    streams: {
      stop: async () => {
        groups.stop();
        await feeds.stop();
        news.stop();
      },
    },
  };
}
