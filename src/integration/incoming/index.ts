export { hookRoutes } from './hook.routes.ts';
export { webhookRoutes } from './webhook.routes.ts';
export { IncomingWebhook, WebhookWithAddress } from './webhook.schema.ts';
export { webhookService } from './webhook.service.ts';
export { teamWebhooks } from './webhook.step.ts';
