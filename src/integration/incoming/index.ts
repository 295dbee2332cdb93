export { hookRoutes } from './hook.routes.ts';
export { pictureRoutes } from './picture.routes.ts';
export { renewIncomingKeys } from './renew-keys.ts';
export { webhookRoutes } from './webhook.routes.ts';
export { IncomingWebhook, WebhookWithAddress } from './webhook.schema.ts';
export { type AuthorListener, webhookService } from './webhook.service.ts';
export { teamWebhooks } from './webhook.step.ts';
export { rewriteIncomingKeys } from './webhook.store.ts';
