export { inboxPart } from './inbox.export.ts';
export { type InboxListener, inboxListener, type TellInbox } from './inbox.listener.ts';
export { inboxRoutes } from './inbox.routes.ts';
export { InboxEntry } from './inbox.schema.ts';
export { inboxService } from './inbox.service.ts';
export { deleteEntriesAbout, deleteEntriesOf, listAnswered } from './inbox.store.ts';
