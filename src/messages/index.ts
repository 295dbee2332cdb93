export type { MessageChange, MessageListener } from './message.listener.ts';
export { messageRoutes } from './message.routes.ts';
export { Message } from './message.schema.ts';
export { messageService, unreadCounts } from './message.service.ts';
export { findMessage } from './message.store.ts';
