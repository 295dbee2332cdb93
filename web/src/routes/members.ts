/*
 * The frame of a session and the views that people open first: one file, since each file costs a request, and which of
 * these views comes first is known only from the address.
 */

export { DirectStream } from '../members/views/direct-stream.tsx';
export { Inbox } from '../members/views/inbox-page.tsx';
export { TeamStream } from '../members/views/team-stream.tsx';
export { SignedIn } from './signed-in.tsx';
