import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UserPrincipal } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { PostService } from '../conversation/messages/index.ts';
import {
  type AuthorListener,
  hookRoutes,
  IncomingWebhook,
  pictureRoutes,
  WebhookWithAddress,
  webhookRoutes,
  webhookService,
} from '../integration/incoming/index.ts';
import type { ReadPicture, UserPresenter } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import type { AppParts } from './parts.ts';

/** Addresses at which other programs post to a team. */
export function joinIncoming(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'baseUrl'>,
  deps: {
    present: UserPresenter;
    cipher: Cipher;
    posts: PostService;
    readPicture: ReadPicture;
    record: Recorder;
    onAuthorChange: AuthorListener;
  },
) {
  const { config, db, clock, baseUrl } = parts;
  const { present, cipher, posts, readPicture, record, onAuthorChange } = deps;
  const webhooks = webhookService({ db, clock, cipher, present, record, onAuthorChange, baseUrl });

  /** The author of a webhook acts as itself in its team. @throws NotFound */
  async function authenticate({ params }: FastifyRequest): Promise<UserPrincipal> {
    const { secret } = params as { secret: string };
    const { author_id, team_id } = await webhooks.bySecret(secret);
    return { userId: author_id, itself: { teamId: team_id } };
  }

  return {
    authenticate,
    schemas: [IncomingWebhook, WebhookWithAddress],
    async routes(server: FastifyInstance) {
      webhookRoutes(server, webhooks);
      await server.register(pictureRoutes, { webhooks, readPicture });
      await server.register(hookRoutes, {
        webhooks,
        posts,
        maxText: config.MAX_TEXT_LENGTH,
        maxBody: config.WEBHOOK_MAX_BODY_BYTES,
      });
    },
  };
}
