/** Made from the schemas of the routes by `npm run documents`: do not edit by hand. */

export interface paths {
  "/v1/users/me": {
    /**
     * The user who is signed in, or on whose behalf the token acts
     * @description Access: a session, or any access token.
     */
    get: operations["getUsersMe"];
    /**
     * Change one’s own profile and preferences
     * @description A token changes the names, `title`, `location` and `company` alone (4031, `session`).
     *
     * Access: a session, or an access token with the scope `profile:write`.
     */
    patch: operations["patchUsersMe"];
  };
  "/v1/users/{user}": {
    /**
     * A user’s public profile
     * @description Access: a session, or any access token.
     */
    get: operations["getUser"];
  };
  "/v1/users/me/image": {
    /**
     * Upload one’s picture: multipart, one `file`
     * @description Access: a session, or an access token with the scope `profile:write`.
     */
    put: operations["putUsersMeImage"];
    /**
     * Go back to the picture with the initials
     * @description Access: a session, or an access token with the scope `profile:write`.
     */
    delete: operations["deleteUsersMeImage"];
  };
  "/v1/teams/{team}": {
    /**
     * A team of the caller
     * @description Access: a session, or an access token with the scope `members:read`; an application as itself with `members:read` or `members.email:read`.
     */
    get: operations["getTeam"];
    /**
     * Change a team
     * @description A token opens no team to everybody and closes none, and changes neither `programs_notify` nor `link_previews` (4031, `session`).
     *
     * Access: a session, or an access token with the scope `team:write`.
     */
    patch: operations["patchTeam"];
  };
  "/v1/teams/{team}/users": {
    /**
     * The members of a team
     * @description All of them, unless `limit` or `cursor` is given.
     *
     * Access: a session, or any access token; an application as itself with `members:read` or `members.email:read`.
     */
    get: operations["getTeamUsers"];
  };
  "/v1/teams/{team}/users/{user}": {
    /**
     * Remove a member, or leave
     * @description A token removes no admin, and not the person for whom it acts (4031, `session`).
     *
     * Access: a session, or an access token with the scope `members:write`.
     */
    delete: operations["deleteTeamUser"];
  };
  "/v1/teams/{team}/invitations": {
    /**
     * The invitations that are still open
     * @description Access: a session, or an access token with the scope `members:write`.
     */
    get: operations["getTeamInvitations"];
    /**
     * Invite people; each answer holds a link that works once
     * @description Inviting a person again renews the invitation and keeps its link. It ends when its inviter stops being an admin. A token invites no admins and nobody by name (4031, `session`), changes no invitation of an admin (4002), and its answer has no link: it is mailed.
     *
     * Access: a session, or an access token with the scope `members:write`. In a session, where somebody is invited as an admin, the password must have been shown a short while ago. It has a stricter rate limit.
     */
    post: operations["postTeamInvitations"];
  };
  "/v1/teams/{team}/invitations/{invitation}": {
    /**
     * Withdraw an invitation that is still open; its link works no more
     * @description A token withdraws no invitation as an admin (4031, `session`).
     *
     * Access: a session, or an access token with the scope `members:write`.
     */
    delete: operations["deleteTeamInvitation"];
  };
  "/v1/users/me/teams": {
    /**
     * The caller’s memberships; with `users`, the ids of the teams in common with them
     * @description Access: a session, or any access token.
     */
    get: operations["getUsersMeTeams"];
  };
  "/v1/users/me/connections": {
    /**
     * The members of all teams of the caller
     * @description All of them, unless `limit` or `cursor` is given.
     *
     * Access: a session, or any access token.
     */
    get: operations["getUsersMeConnections"];
  };
  "/v1/blocks/check": {
    /**
     * Check blocks, and read the text that is made of them
     * @description Stores nothing. Each problem has the path of its field in `reason`, as `blocks[3].elements[0].type`, and its JSON pointer in `pointer`.
     *
     * Access: an application, by its client id and secret, or a session; no access token.
     */
    post: operations["postBlocksCheck"];
  };
  "/v1/messages": {
    /**
     * Messages that the caller may see
     * @description Without `q`, what opens a conversation: replies and sidebars are listed by routes of their own. Each page has the cursors of both its neighbours, null where there is none. With `q` or `has` it is a search: everything that holds the words, and such a thing, the newest first, with a snippet of each in `meta.snippets`. `subject` goes with both. `author`, `after` and `before` go with a search, `order`, `around` and `at` without one; `with` goes without `team` and `tag`. `application` and `team` name the conversation with an application, `with` that of an application as itself with one person.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `direct:app`.
     */
    get: operations["getMessages"];
    /**
     * Post a message to a team, to users or to an application
     * @description With a token of its own and the scope `direct:app` an application writes to one member of the team in `addressed_users`.
     *
     * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
     */
    post: operations["postMessages"];
  };
  "/v1/messages/{message}": {
    /**
     * One message
     * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
     */
    get: operations["getMessage"];
    /**
     * Delete a message: its text is gone for good, its place stays
     * @description By its author, or by an admin of its team.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
     */
    delete: operations["deleteMessage"];
    /**
     * Edit one’s own message, or move a conversation to another subject
     * @description The earlier text is kept as a version. A file that is taken from the message is gone, as those of a deleted one, unless another message holds it. `subject` is for what opens a conversation in a team: its author moves it, or an admin of the team, and nobody is notified.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
     */
    patch: operations["patchMessage"];
  };
  "/v1/messages/{message}/replies": {
    /**
     * The replies to a message, the oldest first
     * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
     */
    get: operations["getMessageReplies"];
    /**
     * Answer a message; all who see it see the answer
     * @description An answer to a reply belongs to the message that the reply answers.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
     */
    post: operations["postMessageReplies"];
  };
  "/v1/users/me/conversations": {
    /**
     * Conversations of direct messages, one for each set of people
     * @description The one with the newest message or reply first. With `with`, only that of the caller with these people; an empty list before anything is said. Its messages: `GET /v1/messages?with=`. With `application` and `team`, that with an application.
     *
     * Access: a session, or an access token with the scope `direct:read`.
     */
    get: operations["getUsersMeConversations"];
  };
  "/v1/messages/{message}/read": {
    /**
     * Mark as read, with its replies
     * @description Access: a session, or an access token with the scope `inbox:write`.
     */
    put: operations["putMessageRead"];
    /**
     * Mark as unread
     * @description Access: a session, or an access token with the scope `inbox:write`.
     */
    delete: operations["deleteMessageRead"];
  };
  "/v1/teams/{team}/read": {
    /**
     * Mark a team’s messages as read up to one of them
     * @description Access: a session, or an access token with the scope `inbox:write`.
     */
    put: operations["putTeamRead"];
  };
  "/v1/teams/{team}/read/undo": {
    /**
     * Make a team’s messages as unread as before they were marked as read
     * @description As long as nothing else was marked up to there: else it answers 4090 `read_since` and changes nothing. Messages that came since stay unread.
     *
     * Access: a session, or an access token with the scope `inbox:write`.
     */
    post: operations["postTeamReadUndo"];
  };
  "/v1/teams/{team}/subjects": {
    /**
     * The subjects of a team, with what is unread in each
     * @description The open ones come first, by their last message, and then the closed ones.
     *
     * Access: a session, or an access token with the scope `messages:read`.
     */
    get: operations["getTeamSubjects"];
  };
  "/v1/teams/{team}/subjects/{subject}": {
    /**
     * Rename a subject, close it, or open it again
     * @description By who named it first, or by an admin of the team. Nobody is notified; its id stays.
     *
     * Access: a session, or an access token with the scope `messages:write`.
     */
    patch: operations["patchTeamSubject"];
  };
  "/v1/teams/{team}/subjects/{subject}/read": {
    /**
     * Mark the messages of a subject as read, and no others of the team
     * @description Access: a session, or an access token with the scope `inbox:write`.
     */
    put: operations["putTeamSubjectRead"];
  };
  "/v1/messages/{message}/versions": {
    /**
     * The texts of a message before its edits, the newest version first
     * @description For everybody who sees the message. A deleted message has none.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`.
     */
    get: operations["getMessageVersions"];
  };
  "/v1/teams/{team}/files": {
    /**
     * The files of a team that the caller sees
     * @description The newest first, each with the message that holds it. Files of sidebars are for the people in them, and those of deleted messages are gone. One page looks at 2000 files at the most: it may hold few, or none, while there is a next one.
     *
     * Access: a session, or an access token with the scope `messages:read`; an application as itself with `messages:read`.
     */
    get: operations["getTeamFiles"];
  };
  "/v1/users/me/conversations/{conversation}/files": {
    /**
     * The files of a direct conversation
     * @description The newest first, each with the message that holds it. Files of sidebars are for the people in them, and those of deleted messages are gone. One page looks at 2000 files at the most: it may hold few, or none, while there is a next one.
     *
     * Access: a session, or an access token with the scope `direct:read`.
     */
    get: operations["getUsersMeConversationFiles"];
  };
  "/v1/quotes": {
    /**
     * Messages that others refer to, as they are now and as the caller may read them
     * @description For addresses of messages in a text. In the order asked for; null stands for one that does not exist and for one that the caller may not read alike. Ask again rather than keep an answer: rights and texts change.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
     */
    get: operations["getQuotes"];
  };
  "/v1/teams/{team}/pins": {
    /**
     * The messages that a team has pinned, the newest pin first
     * @description Access: a session, or an access token with the scope `messages:read`; an application as itself with `messages:read`.
     */
    get: operations["getTeamPins"];
  };
  "/v1/teams/{team}/pins/{message}": {
    /**
     * Pin a message of a team
     * @description What all members read, replies too; at most 100.
     *
     * Access: a session, or an access token with the scope `messages:write`; an application as itself with `messages:write`.
     */
    put: operations["putTeamPinByMessage"];
    /**
     * Unpin a message of a team
     * @description Access: a session, or an access token with the scope `messages:write`; an application as itself with `messages:write`.
     */
    delete: operations["deleteTeamPinByMessage"];
  };
  "/v1/messages/{message}/reactions": {
    /**
     * The reactions to a message with their people, the newest first
     * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `reactions:read`; an application as itself with `reactions:read`.
     */
    get: operations["getMessageReactions"];
  };
  "/v1/messages/{message}/reactions/{emoji}": {
    /**
     * React to a message
     * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `reactions:write`; an application as itself with `reactions:write`.
     */
    put: operations["putMessageReactionByEmoji"];
    /**
     * Take a reaction back
     * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `reactions:write`; an application as itself with `reactions:write`.
     */
    delete: operations["deleteMessageReactionByEmoji"];
  };
  "/v1/messages/{message}/high_fives": {
    /**
     * The people who gave a message high fives, the newest first
     * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `high_fives:read`; an application as itself with `high_fives:read`.
     */
    get: operations["getMessageHighFives"];
  };
  "/v1/messages/{message}/high_five": {
    /**
     * Give a high five
     * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `high_fives:write`.
     */
    put: operations["putMessageHighFive"];
    /**
     * Take a high five back
     * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `high_fives:write`.
     */
    delete: operations["deleteMessageHighFive"];
  };
  "/v1/messages/{message}/unfurls": {
    /**
     * Show what links to the calling application lead to, in place of what it showed before
     * @description For an application as itself, with `messages:read` and `messages:write`: cards of links that stand in the text of the message and begin with its `link_prefixes`, where the team has granted them. A link whose card a member has removed gets none again.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
     */
    put: operations["putMessageUnfurls"];
    /**
     * Take away what the calling application shows of links to itself
     * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
     */
    delete: operations["deleteMessageUnfurls"];
  };
  "/v1/messages/{message}/unfurls/{unfurl}": {
    /**
     * Remove a preview for good
     * @description By the author of the message, or by an admin of its team.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`.
     */
    delete: operations["deleteMessageUnfurl"];
  };
  "/v1/applications/{application}/homes/{user}": {
    /**
     * Publish what one person sees on the page of the application in a team
     * @description In place of what was there. Their windows show it at once.
     *
     * Access: an application, by its client id and secret.
     */
    put: operations["putApplicationHomeByUser"];
  };
  "/v1/pictures/{reference}": {
    /**
     * A picture of foreign origin, as WebP, under the address that what shows it names
     * @description For everybody who sees what shows it, such as a message with the preview of a page. It is asked for each time.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`.
     */
    get: operations["getPictureByReference"];
  };
  "/v1/users/me/inbox": {
    /**
     * What is new to the caller, the newest first
     * @description One item for each conversation that concerns the caller, and in `new` one for each team with other unread messages. An item is unread while the messages in it are that concern the caller: reading them anywhere takes it out of `new`. A high five for a message of the caller is in `new`, but not unread. A token has what is said to the whole team from which it was opened.
     *
     * Access: a session, or an access token with the scope `inbox:read`.
     */
    get: operations["getUsersMeInbox"];
  };
  "/v1/users/me/inbox/counts": {
    /**
     * How much is new to the caller
     * @description Access: a session, or an access token with the scope `inbox:read`.
     */
    get: operations["getUsersMeInboxCounts"];
  };
  "/v1/messages/{message}/sidebars": {
    /**
     * The sidebars beside a message that the caller is in
     * @description Access: a session, or an access token with the scope `direct:read`.
     */
    get: operations["getMessageSidebars"];
    /**
     * Begin a private conversation beside a message
     * @description With users who see the message. Nobody else learns that it exists.
     *
     * Access: a session, or an access token with the scope `direct:write`.
     */
    post: operations["postMessageSidebars"];
  };
  "/v1/sidebars/{sidebar}": {
    /**
     * A sidebar that the caller is in, with the message that it stands at
     * @description Access: a session, or an access token with the scope `direct:read`.
     */
    get: operations["getSidebar"];
  };
  "/v1/sidebars/{sidebar}/messages": {
    /**
     * The messages of a sidebar, the oldest first
     * @description Access: a session, or an access token with the scope `direct:read`.
     */
    get: operations["getSidebarMessages"];
    /**
     * Write into a sidebar
     * @description Access: a session, or an access token with the scope `direct:write`.
     */
    post: operations["postSidebarMessages"];
  };
  "/v1/emoji": {
    /**
     * The server’s own emoji, by their names
     * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `reactions:read`; an application as itself with `reactions:read`.
     */
    get: operations["getEmoji"];
  };
  "/v1/attachments": {
    /**
     * Upload a file: multipart, one `file`; a message then names its `id` in `attachments.files`
     * @description What no message takes up is removed after `ORPHAN_LIFETIME`.
     *
     * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `files:write`; an application as itself with `files:write`.
     */
    post: operations["postAttachments"];
  };
  "/v1/attachments/{attachment}": {
    /**
     * A file’s bytes
     * @description For its uploader, and for everybody who sees a message that holds it.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `files:read`; an application as itself with `files:read` or `direct:app`.
     */
    get: operations["getAttachment"];
  };
  "/v1/attachments/{attachment}/thumbnail": {
    /**
     * A small picture of a picture, as WebP
     * @description For its uploader, and for everybody who sees a message that holds it.
     *
     * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `files:read`; an application as itself with `files:read` or `direct:app`.
     */
    get: operations["getAttachmentThumbnail"];
  };
  "/v1/oauth2/test/app": {
    /**
     * Whether the application’s credentials are right
     * @description Access: an application, by its client id and secret.
     */
    get: operations["getOauth2TestApp"];
  };
  "/v1/applications/{application}/objects": {
    /**
     * The application’s objects, the newest first
     * @description Leaves out a team that has not agreed to the owner of the application.
     *
     * Access: an application, by its client id and secret.
     */
    get: operations["getApplicationObjects"];
    /**
     * Register an object, so that messages can mention it
     * @description Access: an application, by its client id and secret.
     */
    post: operations["postApplicationObjects"];
  };
  "/v1/applications/{application}/objects/{object}": {
    /**
     * Delete an object
     * @description Access: an application, by its client id and secret.
     */
    delete: operations["deleteApplicationObject"];
    /**
     * Change an object, also in the messages that mention it
     * @description Messages that were posted before show the new name, whatever name they gave the object, and link to the new address.
     *
     * Access: an application, by its client id and secret.
     */
    patch: operations["patchApplicationObject"];
  };
  "/v1/teams/{team}/objects": {
    /**
     * What applications registered on a team, the newest first
     * @description Access: a session, or an access token with the scope `objects:read`; an application as itself with `objects:read`.
     */
    get: operations["getTeamObjects"];
  };
  "/v1/oauth2/test/app_as_user": {
    /**
     * Whether the access token is good
     * @description A session alone is refused: it would test nothing.
     *
     * Access: a session, or any access token.
     */
    get: operations["getOauth2TestAppAsUser"];
  };
  "/v1/applications/{application}/token_failures": {
    /**
     * Why an application got no tokens of late, the last kind of failure first
     * @description For its owner, and for a program with its secret. The token route answers the error alone, since anybody may ask it in the name of an application. Equal failures are one entry with a count.
     *
     * Access: an application, by its client id and secret, or a session; no access token.
     */
    get: operations["getApplicationTokenFailures"];
  };
  "/v1/oauth2/token": {
    /**
     * Get or refresh an access token
     * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
     */
    post: operations["postOauth2Token"];
  };
  "/v1/oauth2/revoke": {
    /**
     * End a token (RFC 7009)
     * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
     */
    post: operations["postOauth2Revoke"];
  };
  "/v1/oauth2/introspect": {
    /**
     * The state of a token (RFC 7662)
     * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
     */
    post: operations["postOauth2Introspect"];
  };
  "/v1/applications/{application}/subscriptions": {
    /**
     * The subscriptions of an application
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    get: operations["getApplicationSubscriptions"];
    /**
     * Subscribe to events of the teams that have the application installed
     * @description Whether the application may hear an event is decided when it is sent: the team has it installed, and has granted the scope of the kind. It hears nothing that happened before.
     *
     * Access: an application, by its client id and secret, or a session; no access token. In a session, where it has a webhook, the password must have been shown a short while ago.
     */
    post: operations["postApplicationSubscriptions"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}": {
    /**
     * One subscription, and how its webhook fares
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    get: operations["getApplicationSubscription"];
    /**
     * Delete a subscription with its cursors
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    delete: operations["deleteApplicationSubscription"];
    /**
     * Change a subscription; what is unread is read by the new filters
     * @description Access: an application, by its client id and secret, or a session; no access token. In a session, where the webhook gets an address, the password must have been shown a short while ago.
     */
    patch: operations["patchApplicationSubscription"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/replays": {
    /**
     * Send a range of events to the webhook once more, with the same ids
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    post: operations["postApplicationSubscriptionReplays"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/key": {
    /**
     * Make a new key for the webhook; calls are signed with the one before, too, for the overlap
     * @description Access: an application, by its client id and secret, or a session; no access token. In a session, the password must have been shown a short while ago.
     */
    post: operations["postApplicationSubscriptionKey"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/events": {
    /**
     * Events after a cursor, the oldest first
     * @description Without `after`, `since` and `consumer` it begins where the subscription was made. `meta.next_cursor` goes on after the page, also after an empty one.
     *
     * Access: an application, by its client id and secret.
     */
    get: operations["getApplicationSubscriptionEvents"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/consumers": {
    /**
     * The groups whose cursors the server keeps
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    get: operations["getApplicationSubscriptionConsumers"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/cursor": {
    /**
     * Set where a group goes on, in all teams; makes the group
     * @description Access: an application, by its client id and secret.
     */
    put: operations["putApplicationSubscriptionConsumerByNameCursor"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/acknowledgements": {
    /**
     * Acknowledge events of a stream: each, and what came before it in its team, is done
     * @description Access: an application, by its client id and secret.
     */
    post: operations["postApplicationSubscriptionConsumerByNameAcknowledgements"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/consumers/{name}": {
    /**
     * Delete a group; its streams end
     * @description Access: an application, by its client id and secret, or a session; no access token.
     */
    delete: operations["deleteApplicationSubscriptionConsumerByName"];
  };
  "/v1/applications/{application}/subscriptions/{subscription}/stream": {
    /**
     * Events as a stream of server-sent events, shared among the streams of a group
     * @description It begins with `ready`; with `reset` when the group was away for longer than events are kept. Each event has its `id`, its kind as `event`, and as `data` the JSON that a webhook gets. Each team’s events come in order, to one stream of the group at a time. Acknowledge what is done: the rest is sent again, to the next stream that has the team. `Last-Event-ID` acknowledges that event.
     *
     * Access: an application, by its client id and secret.
     */
    get: operations["getApplicationSubscriptionStream"];
  };
  "/v1/applications/{application}/stream": {
    /**
     * Clicks in the application’s messages as a stream, without a subscription
     * @description The stream of the application’s own subscription, which is made when it is first read. Where there is `own` in place of the id of a subscription, the other routes mean the same one: `…/subscriptions/own/consumers/default/acknowledgements`.
     *
     * Access: an application, by its client id and secret.
     */
    get: operations["getApplicationStream"];
  };
  "/v1/users/me/scheduled_messages": {
    /**
     * Scheduled messages of the caller, the next ones first
     * @description A token lists what it has scheduled where it may still write, and of other tokens of its application what it may read and write. What was sent is listed for a week, without its text.
     *
     * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
     */
    get: operations["getUsersMeScheduledMessages"];
    /**
     * Schedule a message, a reply, or a message into a sidebar
     * @description What posting refuses now is refused at once; every right is checked again when it is sent. More than an hour late it is not sent: its status is `late`.
     *
     * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
     */
    post: operations["postUsersMeScheduledMessages"];
  };
  "/v1/users/me/scheduled_messages/{scheduled}": {
    /**
     * Cancel a scheduled message
     * @description Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
     */
    delete: operations["deleteUsersMeScheduledMessageByScheduled"];
    /**
     * Change a scheduled message, give it another time, or send it now
     * @description Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
     */
    patch: operations["patchUsersMeScheduledMessageByScheduled"];
  };
  "/v1/users/me/reminders": {
    /**
     * Reminders of the caller, the next ones first
     * @description Access: a session, or an access token with the scope `direct:write`.
     */
    get: operations["getUsersMeReminders"];
    /**
     * Be reminded, of a message or by a text
     * @description It becomes a note of the person to themselves, with a link to the message where they may still read it, and never with its words.
     *
     * Access: a session, or an access token with the scope `direct:write`.
     */
    post: operations["postUsersMeReminders"];
  };
  "/v1/users/me/reminders/{scheduled}": {
    /**
     * Cancel a reminder
     * @description Access: a session, or an access token with the scope `direct:write`.
     */
    delete: operations["deleteUsersMeReminderByScheduled"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    SessionUser: {
      /** Format: uuid */
      id: string;
      username: string;
      first_name: string;
      last_name: string;
      title: string;
      location: string;
      company: string;
      origin: null;
      type: number;
      relationship: number;
      /** @description Administers the server */
      superuser: boolean;
      /** @description Owns at least one application */
      developer: boolean;
      active: boolean;
      online: boolean;
      is_mutual_connection: boolean;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
      /** @description Unix time in seconds, with fraction */
      updated_at: number;
      images: {
          default: string;
          original: string;
          fullwidth: string;
          square300: string;
          icon: string;
        }[];
      alternate_emails: unknown[];
      alternate_phone_numbers: unknown[];
      pending_domains: unknown[];
      companies: unknown[];
      primary_phone_number: Record<string, unknown>;
      primary_email: {
        /** Format: uuid */
        id: string;
        /** Format: uuid */
        user_id: string;
        address: string;
        verified: boolean;
        company: string | null;
      };
      facebook_id: null;
      online_info: null;
      password: null;
      unread_counts: {
        /** @description Unread messages by team id */
        teams: {
          [key: string]: number;
        };
        user: {
          total: number;
          direct: number;
        };
        tags: {
          _sent: number;
          _other: number;
          _inbox: number;
          _direct: number;
          _unread: number;
        };
      };
      prefs: {
        email_on_team_invite: boolean;
        email_on_team_removed: boolean;
        email_on_reply_to_your_direct_message: boolean;
        email_on_at_mention: boolean;
        email_on_shift_update: boolean;
        email_on_direct_message: boolean;
        email_on_sidebar_message: boolean;
        email_on_team_role_changed: boolean;
        email_on_team_message: boolean;
        email_on_reply_to_message_you_replied_to: boolean;
        email_on_reply_to_your_message: boolean;
        send_typing: boolean;
        show_typing: boolean;
      };
      /** @description Of mails: `en`, `de`, `ar` */
      language: string;
      /** @description As Europe/Berlin; null until a client has said it */
      time_zone: string | null;
      status: ({
        emoji: string | null;
        text: string;
        /** @description In seconds; null for good. Nobody is told when it has passed */
        until: number | null;
      }) | null;
      /** @description In seconds: until then one is told of nothing, which others see */
      do_not_disturb_until: number | null;
      /** @description Others see one offline */
      invisible: boolean;
      link_previews: {
        /** @description Whether the person’s clients show previews of links */
        shown: boolean;
        /** @description Whether this server looks at pages that they link to in direct messages and sidebars */
        in_direct: boolean;
      };
    };
    UserProfile: {
      /** Format: uuid */
      id: string;
      first_name: string;
      last_name: string;
      /** @description Mentions the user in a text, after an @ */
      username: string;
      title: string;
      /** @description Whether the account is open */
      active: boolean;
      online: boolean;
      email: string;
      /** @description Whether the person has proved the address by a mail to it */
      email_verified: boolean;
      /** @description Addresses of the picture in its sizes: the uploaded one, or one with the initials */
      image: {
        default: string;
        original: string;
        fullwidth: string;
        square300: string;
        icon: string;
      };
      /** @description The uploaded picture, if there is one */
      images: {
          default: string;
          original: string;
          fullwidth: string;
          square300: string;
          icon: string;
        }[];
      /** @description Where it is their time, as Europe/Berlin, if known */
      time_zone?: string;
      /** @description Set for an application, or an incoming webhook, that wrote as itself */
      is_application?: boolean;
      status?: {
        emoji: string | null;
        text: string;
        /** @description In seconds; null for good. Nobody is told when it has passed */
        until: number | null;
      };
      /** @description In seconds: until then they are told of nothing */
      do_not_disturb_until?: number;
    };
    Team: {
      /** Format: uuid */
      id: string;
      name: string;
      color: string;
      icon: string;
      /** @description What the team is for */
      description: string;
      /** @description Everybody on the server finds it and may join */
      open: boolean;
      /** @description Whether `@team` and groups in messages of applications and webhooks notify anybody */
      programs_notify: boolean;
      /**
       * @description Whose messages get previews of foreign pages: nobody’s, those of people, or also those of programs
       * @enum {string}
       */
      link_previews: "off" | "people" | "all";
      num_members: number;
      /** @description Unread messages of the caller */
      unread_count: number;
      active: boolean;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
      /** @description Unix time in seconds, with fraction */
      updated_at: number;
    };
    Membership: {
      /** @description 1 admin, 2 member */
      membership_type: number;
      is_muted: number;
      is_favorite: number;
      /** @description Unix time in seconds */
      created_at: number;
      /** @description Unix time in seconds */
      updated_at: number;
      /** Format: uuid */
      userid: string;
      user: components["schemas"]["UserSummary"];
      team: components["schemas"]["Team"];
      inviter: ({
        /** Format: uuid */
        id: string;
        first_name: string;
        last_name: string;
        /** @description Mentions the user in a text, after an @ */
        username: string;
        title: string;
        relationship: number;
        active: boolean;
        /** @description Has a stream of live events open */
        online: boolean;
        /** @description The uploaded picture, if there is one */
        images: {
            default: string;
            original: string;
            fullwidth: string;
            square300: string;
            icon: string;
          }[];
        email: string;
        /** @description Set for an application, or an incoming webhook, that wrote as itself */
        is_application?: boolean;
        status?: {
          emoji: string | null;
          text: string;
          /** @description In seconds; null for good. Nobody is told when it has passed */
          until: number | null;
        };
        /** @description In seconds: until then they are told of nothing */
        do_not_disturb_until?: number;
      }) | null;
    };
    UserSummary: {
      /** Format: uuid */
      id: string;
      first_name: string;
      last_name: string;
      /** @description Mentions the user in a text, after an @ */
      username: string;
      title: string;
      relationship: number;
      active: boolean;
      /** @description Has a stream of live events open */
      online: boolean;
      /** @description The uploaded picture, if there is one */
      images: {
          default: string;
          original: string;
          fullwidth: string;
          square300: string;
          icon: string;
        }[];
      email: string;
      /** @description Set for an application, or an incoming webhook, that wrote as itself */
      is_application?: boolean;
      status?: {
        emoji: string | null;
        text: string;
        /** @description In seconds; null for good. Nobody is told when it has passed */
        until: number | null;
      };
      /** @description In seconds: until then they are told of nothing */
      do_not_disturb_until?: number;
    };
    /** @description A block of a message, a form or a home, in the shapes of Block Kit. Blocks and elements that are not listed are refused */
    Block: components["schemas"]["SectionBlock"] | components["schemas"]["HeaderBlock"] | components["schemas"]["DividerBlock"] | components["schemas"]["ContextBlock"] | components["schemas"]["ImageBlock"] | components["schemas"]["ActionsBlock"] | components["schemas"]["ContextActionsBlock"] | components["schemas"]["InputBlock"] | components["schemas"]["MarkdownBlock"] | components["schemas"]["TableBlock"] | components["schemas"]["DataTableBlock"] | components["schemas"]["RichTextBlock"] | components["schemas"]["CardBlock"] | components["schemas"]["CarouselBlock"] | components["schemas"]["AlertBlock"] | components["schemas"]["ContainerBlock"];
    SectionBlock: {
      /** @enum {string} */
      type: "section";
      block_id?: string;
      text?: components["schemas"]["Text3000"];
      fields?: components["schemas"]["Text2000"][];
      accessory?: components["schemas"]["SectionAccessory"];
      expand?: boolean;
    };
    Text3000: components["schemas"]["PlainTextOf3000"] | components["schemas"]["Mrkdwn3000"];
    PlainTextOf3000: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn3000: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    Text2000: components["schemas"]["PlainTextOf2000"] | components["schemas"]["Mrkdwn2000"];
    PlainTextOf2000: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn2000: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    SectionAccessory: components["schemas"]["ButtonElement"] | components["schemas"]["ImageElement"] | components["schemas"]["OverflowElement"] | components["schemas"]["StaticSelectElement"] | components["schemas"]["ExternalSelectElement"] | components["schemas"]["UsersSelectElement"] | components["schemas"]["ConversationsSelectElement"] | components["schemas"]["ChannelsSelectElement"] | components["schemas"]["MultiStaticSelectElement"] | components["schemas"]["MultiExternalSelectElement"] | components["schemas"]["MultiUsersSelectElement"] | components["schemas"]["MultiConversationsSelectElement"] | components["schemas"]["MultiChannelsSelectElement"] | components["schemas"]["CheckboxesElement"] | components["schemas"]["RadioButtonsElement"] | components["schemas"]["DatepickerElement"] | components["schemas"]["TimepickerElement"];
    ButtonElement: {
      /** @enum {string} */
      type: "button";
      action_id?: string;
      text: components["schemas"]["PlainText75"];
      /** Format: https */
      url?: string;
      value?: string;
      /** @enum {unknown} */
      style?: "primary" | "danger";
      confirm?: components["schemas"]["Confirm"];
      accessibility_label?: string;
    };
    PlainText75: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Confirm: {
      title?: components["schemas"]["PlainText100"];
      text: components["schemas"]["Text300"];
      confirm?: components["schemas"]["PlainText30"];
      deny?: components["schemas"]["PlainText30"];
      /** @enum {unknown} */
      style?: "primary" | "danger";
    };
    PlainText100: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Text300: components["schemas"]["PlainTextOf300"] | components["schemas"]["Mrkdwn300"];
    PlainTextOf300: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn300: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    PlainText30: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    ImageElement: {
      /** @enum {string} */
      type: "image";
      /** Format: https */
      image_url: string;
      alt_text: string;
    };
    OverflowElement: {
      /** @enum {string} */
      type: "overflow";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      options: components["schemas"]["OverflowOption"][];
    };
    OverflowOption: {
      text: components["schemas"]["PlainText75"];
      value?: string;
      description?: components["schemas"]["PlainText75"];
      /** Format: https */
      url?: string;
    };
    StaticSelectElement: {
      /** @enum {string} */
      type: "static_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      options?: components["schemas"]["MenuOption"][];
      option_groups?: components["schemas"]["MenuOptionGroup"][];
      initial_option?: components["schemas"]["MenuOption"];
    };
    PlainText150: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    MenuOption: {
      text: components["schemas"]["PlainText75"];
      value: string;
      description?: components["schemas"]["PlainText75"];
    };
    MenuOptionGroup: {
      label: components["schemas"]["PlainText75"];
      options: components["schemas"]["MenuOption"][];
    };
    ExternalSelectElement: {
      /** @enum {string} */
      type: "external_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_option?: components["schemas"]["MenuOption"];
      min_query_length?: number;
    };
    UsersSelectElement: {
      /** @enum {string} */
      type: "users_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_user?: string;
    };
    ConversationsSelectElement: {
      /** @enum {string} */
      type: "conversations_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      default_to_current_conversation?: boolean;
      filter?: components["schemas"]["ConversationFilter"];
      response_url_enabled?: boolean;
      initial_conversation?: string;
    };
    ConversationFilter: {
      include?: ("im" | "mpim" | "private" | "public")[];
      exclude_external_shared_channels?: boolean;
      exclude_bot_users?: boolean;
    };
    ChannelsSelectElement: {
      /** @enum {string} */
      type: "channels_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      response_url_enabled?: boolean;
      initial_channel?: string;
    };
    MultiStaticSelectElement: {
      /** @enum {string} */
      type: "multi_static_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      max_selected_items?: number;
      options?: components["schemas"]["MenuOption"][];
      option_groups?: components["schemas"]["MenuOptionGroup"][];
      initial_options?: components["schemas"]["MenuOption"][];
    };
    MultiExternalSelectElement: {
      /** @enum {string} */
      type: "multi_external_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      max_selected_items?: number;
      initial_options?: components["schemas"]["MenuOption"][];
      min_query_length?: number;
    };
    MultiUsersSelectElement: {
      /** @enum {string} */
      type: "multi_users_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      max_selected_items?: number;
      initial_users?: string[];
    };
    MultiConversationsSelectElement: {
      /** @enum {string} */
      type: "multi_conversations_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      max_selected_items?: number;
      default_to_current_conversation?: boolean;
      filter?: components["schemas"]["ConversationFilter"];
      initial_conversations?: string[];
    };
    MultiChannelsSelectElement: {
      /** @enum {string} */
      type: "multi_channels_select";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      max_selected_items?: number;
      initial_channels?: string[];
    };
    CheckboxesElement: {
      /** @enum {string} */
      type: "checkboxes";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      options: components["schemas"]["BlockOption"][];
      initial_options?: components["schemas"]["BlockOption"][];
    };
    BlockOption: {
      text: components["schemas"]["Text75"];
      value: string;
      description?: components["schemas"]["Text75"];
    };
    Text75: components["schemas"]["PlainTextOf75"] | components["schemas"]["Mrkdwn75"];
    PlainTextOf75: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn75: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    RadioButtonsElement: {
      /** @enum {string} */
      type: "radio_buttons";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      options: components["schemas"]["BlockOption"][];
      initial_option?: components["schemas"]["BlockOption"];
    };
    DatepickerElement: {
      /** @enum {string} */
      type: "datepicker";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      /** Format: date */
      initial_date?: string;
    };
    TimepickerElement: {
      /** @enum {string} */
      type: "timepicker";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      /** Format: minute */
      initial_time?: string;
      timezone?: string;
    };
    HeaderBlock: {
      /** @enum {string} */
      type: "header";
      block_id?: string;
      text: components["schemas"]["PlainText150"];
    };
    DividerBlock: {
      /** @enum {string} */
      type: "divider";
      block_id?: string;
    };
    ContextBlock: {
      /** @enum {string} */
      type: "context";
      block_id?: string;
      elements: components["schemas"]["ContextElement"][];
    };
    ContextElement: components["schemas"]["ContextPlainText"] | components["schemas"]["ContextMrkdwn"] | components["schemas"]["ImageElement"];
    ContextPlainText: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    ContextMrkdwn: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    ImageBlock: {
      /** @enum {string} */
      type: "image";
      block_id?: string;
      /** Format: https */
      image_url: string;
      alt_text: string;
      title?: components["schemas"]["PlainText2000"];
    };
    PlainText2000: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    ActionsBlock: {
      /** @enum {string} */
      type: "actions";
      block_id?: string;
      elements: components["schemas"]["ActionsElement"][];
    };
    ActionsElement: components["schemas"]["ButtonElement"] | components["schemas"]["OverflowElement"] | components["schemas"]["StaticSelectElement"] | components["schemas"]["ExternalSelectElement"] | components["schemas"]["UsersSelectElement"] | components["schemas"]["ConversationsSelectElement"] | components["schemas"]["ChannelsSelectElement"] | components["schemas"]["MultiStaticSelectElement"] | components["schemas"]["MultiExternalSelectElement"] | components["schemas"]["MultiUsersSelectElement"] | components["schemas"]["MultiConversationsSelectElement"] | components["schemas"]["MultiChannelsSelectElement"] | components["schemas"]["CheckboxesElement"] | components["schemas"]["RadioButtonsElement"] | components["schemas"]["DatepickerElement"] | components["schemas"]["TimepickerElement"] | components["schemas"]["DatetimepickerElement"] | components["schemas"]["RichTextInputElement"];
    DatetimepickerElement: {
      /** @enum {string} */
      type: "datetimepicker";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      focus_on_load?: boolean;
      initial_date_time?: number;
    };
    RichTextInputElement: {
      /** @enum {string} */
      type: "rich_text_input";
      action_id?: string;
      dispatch_action_config?: components["schemas"]["DispatchActionConfig"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_value?: components["schemas"]["RichTextBlock"];
      min_lines?: number;
      max_lines?: number;
    };
    DispatchActionConfig: {
      trigger_actions_on: ("on_enter_pressed" | "on_character_entered")[];
    };
    RichTextBlock: {
      /** @enum {string} */
      type: "rich_text";
      block_id?: string;
      elements: components["schemas"]["RichTextPart"][];
    };
    RichTextPart: components["schemas"]["RichTextSection"] | components["schemas"]["RichTextList"] | components["schemas"]["RichTextQuote"] | components["schemas"]["RichTextPreformatted"];
    RichTextSection: {
      /** @enum {string} */
      type: "rich_text_section";
      elements: components["schemas"]["RichTextPiece"][];
    };
    /** @description A piece of a line of a `rich_text` block */
    RichTextPiece: components["schemas"]["RichTextWords"] | components["schemas"]["RichTextLink"] | components["schemas"]["RichTextEmoji"] | components["schemas"]["RichTextUser"] | components["schemas"]["RichTextGroup"] | components["schemas"]["RichTextChannel"] | components["schemas"]["RichTextTeam"] | components["schemas"]["RichTextBroadcast"] | components["schemas"]["RichTextColor"] | components["schemas"]["RichTextDate"];
    RichTextWords: {
      /** @enum {string} */
      type: "text";
      text: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextStyle: {
      bold?: boolean;
      italic?: boolean;
      strike?: boolean;
      code?: boolean;
      underline?: boolean;
    };
    RichTextLink: {
      /** @enum {string} */
      type: "link";
      /** Format: link */
      url: string;
      text?: string;
      unsafe?: boolean;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextEmoji: {
      /** @enum {string} */
      type: "emoji";
      name: string;
      unicode?: string;
      skin_tone?: number;
      /** Format: https */
      url?: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextUser: {
      /** @enum {string} */
      type: "user";
      user_id: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextGroup: {
      /** @enum {string} */
      type: "usergroup";
      usergroup_id: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextChannel: {
      /** @enum {string} */
      type: "channel";
      channel_id: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextTeam: {
      /** @enum {string} */
      type: "team";
      team_id: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextBroadcast: {
      /** @enum {string} */
      type: "broadcast";
      /** @enum {unknown} */
      range: "here" | "channel" | "everyone";
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextColor: {
      /** @enum {string} */
      type: "color";
      value: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextDate: {
      /** @enum {string} */
      type: "date";
      timestamp: number;
      format: string;
      /** Format: https */
      url?: string;
      fallback?: string;
      style?: components["schemas"]["RichTextStyle"];
    };
    RichTextList: {
      /** @enum {string} */
      type: "rich_text_list";
      /** @enum {unknown} */
      style: "bullet" | "ordered";
      elements: components["schemas"]["RichTextSection"][];
      indent?: number;
      offset?: number;
      /** @enum {unknown} */
      border?: "" | 1;
    };
    RichTextQuote: {
      /** @enum {string} */
      type: "rich_text_quote";
      elements: components["schemas"]["RichTextPiece"][];
      /** @enum {unknown} */
      border?: "" | 1;
    };
    RichTextPreformatted: {
      /** @enum {string} */
      type: "rich_text_preformatted";
      elements: components["schemas"]["RichTextCode"][];
      language?: string;
      /** @enum {unknown} */
      border?: "" | 1;
    };
    RichTextCode: components["schemas"]["RichTextWords"] | components["schemas"]["RichTextLink"];
    ContextActionsBlock: {
      /** @enum {string} */
      type: "context_actions";
      block_id?: string;
      elements: components["schemas"]["ContextActionsElement"][];
    };
    ContextActionsElement: components["schemas"]["FeedbackButtonsElement"] | components["schemas"]["IconButtonElement"];
    FeedbackButtonsElement: {
      /** @enum {string} */
      type: "feedback_buttons";
      action_id?: string;
      positive_button: components["schemas"]["FeedbackButton"];
      negative_button: components["schemas"]["FeedbackButton"];
    };
    FeedbackButton: {
      text: components["schemas"]["PlainText75"];
      value: string;
      accessibility_label?: string;
    };
    IconButtonElement: {
      /** @enum {string} */
      type: "icon_button";
      action_id?: string;
      confirm?: components["schemas"]["Confirm"];
      accessibility_label?: string;
      /** @enum {unknown} */
      icon: "trash";
      text: components["schemas"]["PlainText75"];
      value?: string;
      visible_to_user_ids?: string[];
    };
    InputBlock: {
      /** @enum {string} */
      type: "input";
      block_id?: string;
      label: components["schemas"]["PlainText2000"];
      element: components["schemas"]["InputElement"];
      hint?: components["schemas"]["PlainText2000"];
      optional?: boolean;
      dispatch_action?: boolean;
    };
    InputElement: components["schemas"]["StaticSelectElement"] | components["schemas"]["ExternalSelectElement"] | components["schemas"]["UsersSelectElement"] | components["schemas"]["ConversationsSelectElement"] | components["schemas"]["ChannelsSelectElement"] | components["schemas"]["MultiStaticSelectElement"] | components["schemas"]["MultiExternalSelectElement"] | components["schemas"]["MultiUsersSelectElement"] | components["schemas"]["MultiConversationsSelectElement"] | components["schemas"]["MultiChannelsSelectElement"] | components["schemas"]["CheckboxesElement"] | components["schemas"]["RadioButtonsElement"] | components["schemas"]["DatepickerElement"] | components["schemas"]["TimepickerElement"] | components["schemas"]["DatetimepickerElement"] | components["schemas"]["PlainTextInputElement"] | components["schemas"]["NumberInputElement"] | components["schemas"]["EmailInputElement"] | components["schemas"]["UrlInputElement"] | components["schemas"]["RichTextInputElement"] | components["schemas"]["FileInputElement"];
    PlainTextInputElement: {
      /** @enum {string} */
      type: "plain_text_input";
      action_id?: string;
      dispatch_action_config?: components["schemas"]["DispatchActionConfig"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_value?: string;
      multiline?: boolean;
      min_length?: number;
      max_length?: number;
    };
    NumberInputElement: {
      /** @enum {string} */
      type: "number_input";
      action_id?: string;
      dispatch_action_config?: components["schemas"]["DispatchActionConfig"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      is_decimal_allowed: boolean;
      /** Format: decimal */
      initial_value?: string;
      /** Format: decimal */
      min_value?: string;
      /** Format: decimal */
      max_value?: string;
    };
    EmailInputElement: {
      /** @enum {string} */
      type: "email_text_input";
      action_id?: string;
      dispatch_action_config?: components["schemas"]["DispatchActionConfig"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_value?: string;
    };
    UrlInputElement: {
      /** @enum {string} */
      type: "url_text_input";
      action_id?: string;
      dispatch_action_config?: components["schemas"]["DispatchActionConfig"];
      focus_on_load?: boolean;
      placeholder?: components["schemas"]["PlainText150"];
      initial_value?: string;
    };
    FileInputElement: {
      /** @enum {string} */
      type: "file_input";
      action_id?: string;
      filetypes?: string[];
      max_files?: number;
    };
    MarkdownBlock: {
      /** @enum {string} */
      type: "markdown";
      block_id?: string;
      text: string;
    };
    TableBlock: {
      /** @enum {string} */
      type: "table";
      block_id?: string;
      rows: components["schemas"]["TableCell"][][];
      column_settings?: (components["schemas"]["TableColumn"] | null)[];
    };
    TableCell: components["schemas"]["RawText"] | components["schemas"]["RawNumber"] | components["schemas"]["RichTextBlock"];
    RawText: {
      /** @enum {string} */
      type: "raw_text";
      text: string;
    };
    RawNumber: {
      /** @enum {string} */
      type: "raw_number";
      value: number;
      text?: string;
    };
    TableColumn: {
      /** @enum {unknown} */
      align?: "left" | "center" | "right";
      is_wrapped?: boolean;
    };
    DataTableBlock: {
      /** @enum {string} */
      type: "data_table";
      block_id?: string;
      caption: string;
      rows: components["schemas"]["TableCell"][][];
      page_size?: number;
      row_header_column_index?: number;
    };
    CardBlock: {
      /** @enum {string} */
      type: "card";
      block_id?: string;
      hero_image?: components["schemas"]["ImageElement"];
      icon?: components["schemas"]["ImageElement"];
      title?: components["schemas"]["Text150"];
      subtitle?: components["schemas"]["Text150"];
      body?: components["schemas"]["Text200"];
      actions?: components["schemas"]["ButtonElement"][];
    };
    Text150: components["schemas"]["PlainTextOf150"] | components["schemas"]["Mrkdwn150"];
    PlainTextOf150: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn150: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    Text200: components["schemas"]["PlainTextOf200"] | components["schemas"]["Mrkdwn200"];
    PlainTextOf200: {
      /** @enum {string} */
      type: "plain_text";
      text: string;
      emoji?: boolean;
    };
    Mrkdwn200: {
      /** @enum {string} */
      type: "mrkdwn";
      text: string;
      verbatim?: boolean;
    };
    CarouselBlock: {
      /** @enum {string} */
      type: "carousel";
      block_id?: string;
      elements: components["schemas"]["CardBlock"][];
    };
    AlertBlock: {
      /** @enum {string} */
      type: "alert";
      block_id?: string;
      text: components["schemas"]["Text200"];
      /** @enum {unknown} */
      level?: "default" | "info" | "warning" | "error" | "success";
    };
    ContainerBlock: {
      /** @enum {string} */
      type: "container";
      block_id?: string;
      /**
       * Format: edge
       * @description Of the edge, which is Parley’s own: `good`, `warning`, `danger` or `#rrggbb`, as Slack’s attachments have it. With it, a container needs no title
       */
      color?: string;
      title?: components["schemas"]["PlainText150"];
      rich_text_title?: components["schemas"]["RichTextBlock"];
      subtitle?: components["schemas"]["Text150"];
      icon?: components["schemas"]["ImageElement"];
      child_blocks: components["schemas"]["ContainedBlock"][];
      /** @enum {unknown} */
      width?: "narrow" | "standard" | "wide" | "full";
      is_collapsible?: boolean;
      default_collapsed?: boolean;
      has_header_divider?: boolean;
    };
    ContainedBlock: components["schemas"]["SectionBlock"] | components["schemas"]["HeaderBlock"] | components["schemas"]["DividerBlock"] | components["schemas"]["ContextBlock"] | components["schemas"]["ImageBlock"] | components["schemas"]["ActionsBlock"] | components["schemas"]["ContextActionsBlock"] | components["schemas"]["InputBlock"] | components["schemas"]["MarkdownBlock"] | components["schemas"]["TableBlock"] | components["schemas"]["DataTableBlock"] | components["schemas"]["RichTextBlock"] | components["schemas"]["CardBlock"] | components["schemas"]["CarouselBlock"] | components["schemas"]["AlertBlock"];
    Message: {
      /** Format: uuid */
      id: string;
      /** @description `{0}` stands where the mentioned object’s link belongs */
      text: string;
      /** @description The name of what the conversation in the team is about; null without one */
      subject: string | null;
      author: components["schemas"]["UserSummary"];
      /** @description `user`; `application` where an application, or an incoming webhook, wrote it as itself */
      author_type: string;
      addressed_users: string[];
      addressed_teams: string[];
      attachments: unknown[];
      mentions: ({
          type: string;
          /** Format: uuid */
          id: string;
          name: string;
          /** @description The object’s absolute address; null once it is deleted */
          url: string | null;
        })[];
      /** @description Those that the caller is in */
      sidebars: components["schemas"]["Sidebar"][];
      /** @description The latest edits, the newest last, or the deletion */
      events: ({
          type: "edited" | "deleted";
          /** Format: uuid */
          user: string;
          /** @description Unix time in seconds, with fraction */
          created_at: number;
        })[];
      tags: string[];
      via_app: {
        /** Format: uuid */
        id: string;
        name: string;
        icon: string;
        url: string;
      } | null;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
      /** @description Unix time in seconds, with fraction */
      updated_at: number;
      num_replies: number;
      num_high_fives: number;
      read: boolean;
      muted: boolean;
      is_muted: boolean;
      subscribed_to: boolean;
      resurface_html: boolean;
      unread_sidebar: boolean;
      unread_reply: boolean;
      user_high_fived: boolean;
      user_replied: boolean;
      user_replied_to_sidebar: boolean;
      /** @description Unix time in seconds, with fraction */
      unread_since: number | null;
      /**
       * Format: uuid
       * @description Of the subject, which keeps it when it is renamed
       */
      subject_id?: string;
      /**
       * @description Where the text is shown exactly as it was written; missing where it has formatting
       * @enum {string}
       */
      format?: "plain";
      /** @description As they were sent; their shapes are those of `Block` */
      blocks?: unknown[];
      /**
       * Format: uuid
       * @description Of a reply: the message that it answers
       */
      reply_to?: string;
      /**
       * Format: uuid
       * @description Of what a person and an application write to each other, both ways: the application
       */
      addressed_application?: string;
      /**
       * Format: uuid
       * @description Of these: the team in which it is installed
       */
      team?: string;
      /**
       * Format: uuid
       * @description Of a message in a sidebar
       */
      sidebar?: string;
      /** @description In the order of the first of each; missing where there are none */
      reactions?: {
          emoji: string;
          /** @description How many people reacted with it, in any skin tone */
          num: number;
          /** @description Whether the caller did; missing in what is for all */
          mine?: boolean;
        }[];
      /** @description True where its team has pinned it; else missing */
      pinned?: boolean;
      /** @description True where the caller has saved it; else missing, and for applications */
      saved?: boolean;
      /** @description What links in the text lead to, as their applications show it, or as foreign pages say of themselves; missing where there is nothing */
      unfurls?: components["schemas"]["Unfurl"][];
      /** @description Pictures of the blocks, by their `image_url`, as this server has fetched them; missing while it has none */
      pictures?: {
        [key: string]: {
          /** @description On this server, for those who see the message */
          url: string;
          width: number;
          height: number;
        };
      };
    };
    Sidebar: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      message: string;
      users: string[];
      num_messages: number;
      /** @description How many of its messages the caller has not read */
      unread: number;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
    };
    Unfurl: {
      /** Format: uuid */
      id: string;
      /** @description The link, as it stands in the text */
      url: string;
      title: string;
      text: string;
      fields: {
          name: string;
          value: string;
        }[];
      application: {
        /** Format: uuid */
        id: string;
        name: string;
        icon: string;
        url: string;
      } | null;
      /** @description Of a foreign page: where the link led when it was posted */
      host?: string;
      /** @description Of a foreign page: what it calls its site; may be empty */
      site?: string;
      picture?: {
        /** @description On this server, for those who see the message */
        url: string;
        width: number;
        height: number;
      };
      /** @description As they were sent; their shapes are those of `Block` */
      blocks?: unknown[];
    };
    DirectConversation: {
      /** Format: uuid */
      id: string;
      /** @description Everyone in it but the caller; the caller alone for notes to oneself */
      users: components["schemas"]["UserSummary"][];
      /** @description Those whom the caller cannot write to: deactivated, or in no team of the caller */
      unreachable: string[];
      /** @description How many of its messages the caller has not read; replies are not counted */
      unread: number;
      /** @description Whether a reply in it that concerns the caller is unread: one of its rows in the inbox is new */
      unread_reply: boolean;
      /** @description Of a conversation with an application */
      application?: {
        /** Format: uuid */
        id: string;
        name: string;
        icon: string;
        /**
         * Format: uuid
         * @description The team in which it is installed
         */
        team: string;
        /**
         * @description Why nothing can be written any more: the team has uninstalled it, it sleeps, no admin has granted it `direct:app`, the caller has blocked it, or has left the team
         * @enum {string}
         */
        obstacle?: "not_installed" | "suspended" | "not_granted" | "blocked" | "left_team";
      };
      /**
       * Format: uuid
       * @description The newest message or reply
       */
      newest_id: string;
      last?: components["schemas"]["Message"];
    };
    Subject: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @description A new message in it opens it */
      closed: boolean;
      /** @description Messages that the caller has not read, at most 1000 */
      num_unread: number;
      /** @description Unix time in seconds, with fraction */
      last_message_at: number | null;
      /**
       * Format: uuid
       * @description Who named it first
       */
      created_by: string;
    };
    PostedFile: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @description By its content, whatever the sender said */
      type: string;
      /** @description In bytes */
      size: number;
      url: string;
      /** @description Of a picture: a small one, as WebP */
      thumbnail_url: string | null;
      /** @description In pixels; null for what is no picture */
      width: number | null;
      height: number | null;
      /**
       * Format: uuid
       * @description That holds it
       */
      message: string;
      /**
       * Format: uuid
       * @description What that message answers
       */
      reply_to?: string;
      /**
       * Format: uuid
       * @description In which that message is
       */
      sidebar?: string;
      author: components["schemas"]["UserSummary"];
      /** @description Unix time in seconds, with fraction */
      posted_at: number;
    };
    PinnedMessage: {
      message: components["schemas"]["Message"];
      user: components["schemas"]["UserSummary"];
      /** @description Unix time in seconds, with fraction */
      pinned_at: number;
    };
    ShownHome: {
      application: {
        /** Format: uuid */
        id: string;
        name: string;
        icon: string;
      };
      /** Format: uuid */
      team: string;
      /** @description Null until the application has published one for this person */
      blocks: unknown[] | null;
      /**
       * Format: uuid
       * @description Another one after each change
       */
      hash: string | null;
    };
    InboxEntry: {
      /**
       * Format: uuid
       * @description The id of the message that opened it, of the sidebar, or of the team
       */
      conversation: string;
      /** @description `team` stands for all unread messages of a team that were not addressed to the caller */
      kind: "conversation" | "sidebar" | "team";
      /**
       * Format: uuid
       * @description The message that opened it, or at which the sidebar stands; null for `team`
       */
      message: string | null;
      /** Format: uuid */
      sidebar: string | null;
      /** Format: uuid */
      team: string | null;
      /** @description Up to 8 others in it: of a direct message and a sidebar those who take part, else who wrote last and who began; who gave a high five, if that is all that is new */
      people: components["schemas"]["UserSummary"][];
      last: components["schemas"]["Message"];
      /** @description The message that the row is about, if `last` is another one: that which it answers, beside which a sidebar stands, or which was given a high five; null if it is deleted or has no text */
      about: {
        /** Format: uuid */
        id: string;
        author: components["schemas"]["UserSummary"];
        /** @description The beginning of its text, without formatting */
        text: string;
      } | null;
      /** @description Why the last message concerns the caller: `mention`, `direct`, `reply` (to a message of theirs), `followed` (to one that they answered), `sidebar`, `reaction`, `high_five` (🙌), `reminder` (a note of their own, for this time), `team`, `unread` (they marked it so) */
      reasons: string[];
      unread: boolean;
      /** @description An unread message in it mentions the caller */
      mentioned: boolean;
      /** @description It, or its team: it is counted only while `mentioned` */
      muted: boolean;
      num_unread: number;
      /** @description Replies to the message so far, or messages in the sidebar, for `done`; 0 for a team */
      num_replies: number;
      /** @description Unix time in seconds, with fraction */
      active_at: number;
    };
    CustomEmoji: {
      /** @description Without colons */
      name: string;
      /** @description The picture, as WebP. It may move */
      url: string;
      /** @description Its first frame, for people who prefer less motion; `url` where it does not move */
      still_url: string;
      animated: boolean;
      /**
       * Format: uuid
       * @description The user who added it
       */
      creator: string;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
    };
    Attachment: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @description By its content, whatever the sender said */
      type: string;
      /** @description In bytes */
      size: number;
      url: string;
      /** @description WebP, at most 480 pixels wide and high */
      thumbnail_url: string | null;
      /** @description In pixels; null for what is no picture */
      width: number | null;
      height: number | null;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
    };
    ApplicationObject: {
      /** Format: uuid */
      id: string;
      name: string;
      /** Format: uuid */
      team: string;
      type: string;
      url: string;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
    };
    SubscriptionWithKey: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      application: string;
      kinds: string[];
      teams: string[] | null;
      mentions_only: boolean;
      own_messages: boolean;
      object_type: string | null;
      /** @description Whether it is the application’s own, for clicks, which `/stream` and `interaction_url` read; `own` names it in addresses */
      own: boolean;
      webhook: ({
        url: string;
        batch: number;
        /** @description Why it is not called: it answered 410 (`gone`), all attempts failed (`failed`), or you paused it (`paused`) */
        ended: string | null;
        /** @description Since when every call failed, in seconds */
        failing_since: number | null;
        /** @description Until when it is not called, in seconds */
        paused_until: number | null;
      }) | null;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
      /** @description Unix time in seconds, with fraction */
      updated_at: number;
      /** @description Signs the calls of the webhook (Standard Webhooks); shown this once */
      key?: string;
    };
    Subscription: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      application: string;
      kinds: string[];
      teams: string[] | null;
      mentions_only: boolean;
      own_messages: boolean;
      object_type: string | null;
      /** @description Whether it is the application’s own, for clicks, which `/stream` and `interaction_url` read; `own` names it in addresses */
      own: boolean;
      webhook: ({
        url: string;
        batch: number;
        /** @description Why it is not called: it answered 410 (`gone`), all attempts failed (`failed`), or you paused it (`paused`) */
        ended: string | null;
        /** @description Since when every call failed, in seconds */
        failing_since: number | null;
        /** @description Until when it is not called, in seconds */
        paused_until: number | null;
      }) | null;
      /** @description Unix time in seconds, with fraction */
      created_at: number;
      /** @description Unix time in seconds, with fraction */
      updated_at: number;
    };
    Event: {
      /** Format: uuid */
      id: string;
      type: string;
      /** @description When it happened, ISO 8601 */
      timestamp: string;
      /** @description As the kind says */
      data: unknown;
    };
    ScheduledMessage: {
      /** Format: uuid */
      id: string;
      /** @description The instant that the time means */
      at: number;
      /** @enum {string} */
      status: "pending" | "sent" | "failed" | "late";
      /** @description Why it was not sent: `late` (by more than an hour, its author decides), `unreachable` (the author may not write there any more), `message_gone`, `file_gone`, `account` (it is suspended), `access_ended` (of the application), `refused`, `error` */
      reason: string | null;
      send_at: components["schemas"]["WallTime"];
      /** @description As it was given; null once it is sent */
      message: {
        [key: string]: unknown;
      } | null;
      /** Format: uuid */
      message_id: string | null;
      /**
       * Format: uuid
       * @description Whose token scheduled it
       */
      application: string | null;
    };
    WallTime: {
      /** @description The time on a wall, as `2026-12-01T09:00` */
      local: string;
      /** @description The zone of that wall, as `Europe/Berlin` */
      zone: string;
    };
    Reminder: {
      /** Format: uuid */
      id: string;
      /** @description The instant that the time means */
      at: number;
      /** @enum {string} */
      status: "pending" | "sent" | "failed" | "late";
      /** @description Why it was not sent: `late` (by more than an hour, its author decides), `unreachable` (the author may not write there any more), `message_gone`, `file_gone`, `account` (it is suspended), `access_ended` (of the application), `refused`, `error` */
      reason: string | null;
      send_at: components["schemas"]["WallTime"];
      /**
       * Format: uuid
       * @description The message that it is about
       */
      message: string | null;
      text: string | null;
      /**
       * Format: uuid
       * @description The note that it became
       */
      message_id: string | null;
    };
    MessageReference: {
      /** Format: uuid */
      id: string;
    };
    /** @description A message at the version that the event tells of */
    HeardMessage: {
      /** Format: uuid */
      id: string;
      /** @description 1 as it was posted; each edit counts one more */
      version: number;
      /** @description Of this version; `{0}` stands where the mentioned object’s link belongs. Null when it is not kept any more */
      text: string | null;
      /** @description Of this version; their shapes are those of `Block` in openapi.json */
      blocks?: unknown[];
      /** Format: uuid */
      author: string;
      /** @description `user`; `application` where an application, or an incoming webhook, wrote it as itself */
      author_type: string;
      /**
       * Format: uuid
       * @description The application that posted it for the author
       */
      via_app: string | null;
      /**
       * Format: uuid
       * @description The message that it answers
       */
      reply_to: string | null;
      /** @description The object of an application that it links to */
      mentions: {
          type: string;
          /** Format: uuid */
          id: string;
          name: string;
        }[];
      attachments: unknown[];
      /** @description Unix time in seconds, with fraction */
      created_at: number;
    };
    /** @description The same; of a message that was deleted since, the id alone */
    MaybeDeletedMessage: {
      /** Format: uuid */
      id: string;
      /** @description 1 as it was posted; each edit counts one more */
      version?: number;
      /** @description Of this version; `{0}` stands where the mentioned object’s link belongs. Null when it is not kept any more */
      text?: string | null;
      /** @description Of this version; their shapes are those of `Block` in openapi.json */
      blocks?: unknown[];
      /** Format: uuid */
      author?: string;
      /** @description `user`; `application` where an application, or an incoming webhook, wrote it as itself */
      author_type?: string;
      /**
       * Format: uuid
       * @description The application that posted it for the author
       */
      via_app?: string | null;
      /**
       * Format: uuid
       * @description The message that it answers
       */
      reply_to?: string | null;
      /** @description The object of an application that it links to */
      mentions?: {
          type: string;
          /** Format: uuid */
          id: string;
          name: string;
        }[];
      attachments?: unknown[];
      /** @description Unix time in seconds, with fraction */
      created_at?: number;
    };
    /** @description a message to a team, which answers no other */
    MessagePostedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "message.posted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MaybeDeletedMessage"];
      };
    };
    /** @description an answer to a message to a team */
    ReplyPostedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "reply.posted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MaybeDeletedMessage"];
      };
    };
    /** @description a message or an answer that mentions the application, in place of `message.posted` or `reply.posted` */
    MentionEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "mention";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["HeardMessage"];
        /** @description Those to the application, each once, when `link.posted` is asked for */
        links?: {
            /** @description As it stands in the text */
            url: string;
          }[];
      };
    };
    /** @description a message or an answer with links to the application’s `link_prefixes`, in place of `message.posted` or `reply.posted`; in a `mention` the links are, too */
    LinkPostedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "link.posted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["HeardMessage"];
        /** @description Those to the application, each once, when `link.posted` is asked for */
        links: {
            /** @description As it stands in the text */
            url: string;
          }[];
      };
    };
    /** @description a message or an answer has another text, or other attachments */
    MessageEditedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "message.edited";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MaybeDeletedMessage"];
      };
    };
    /** @description a message or an answer was deleted */
    MessageDeletedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "message.deleted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
      };
    };
    /** @description a user reacted to a message */
    ReactionAddedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "reaction.added";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        emoji: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user took it back */
    ReactionRemovedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "reaction.removed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        emoji: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user reacted with 🙌; in place of `reaction.added`, where both are heard */
    HighFiveGivenEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "high_five.given";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user took it back; in place of `reaction.removed` */
    HighFiveWithdrawnEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "high_five.withdrawn";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user pinned a message to its team */
    MessagePinnedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "message.pinned";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user unpinned it; the deletion of a message does so without this event */
    MessageUnpinnedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "message.unpinned";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a message began a subject in a team */
    SubjectCreatedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "subject.created";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        subject: {
          /** Format: uuid */
          id: string;
          name: string;
        };
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a subject has another name; its id stays */
    SubjectRenamedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "subject.renamed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        subject: {
          /** Format: uuid */
          id: string;
          name: string;
        };
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a subject was closed */
    SubjectClosedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "subject.closed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        subject: {
          /** Format: uuid */
          id: string;
          name: string;
        };
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a subject was opened again, by hand or by a message in it */
    SubjectReopenedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "subject.reopened";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        subject: {
          /** Format: uuid */
          id: string;
          name: string;
        };
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user joined a team */
    MemberJoinedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "member.joined";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user left a team, or was removed */
    MemberLeftEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "member.left";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a member became an admin, or an admin a member */
    MemberRoleChangedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "member.role_changed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a member changed their status, or `do_not_disturb_until`; both are as they are when the event is sent, and null without one. No event is sent when either ends */
    PersonChangedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "person.changed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        user: string;
        status: ({
          emoji: string | null;
          text: string;
          /** @description Unix time in seconds, with fraction */
          until: number | null;
        }) | null;
        /** @description Unix time in seconds, with fraction */
        do_not_disturb_until: number | null;
      };
    };
    /** @description a user followed a link to an object of the application */
    ObjectOpenedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "object.opened";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        object: string;
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user pressed or chose something in the blocks of a message of the application, types to find an option, gave it a command, chose one of its shortcuts, or submitted or closed one of its forms */
    InteractionEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "interaction";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /**
         * @description `action`: pressed or chosen. `options`: asks for the options of an `external_select` that fit `value`. `command`: written in the composer. `shortcut`, `message_action`: chosen by its name, in a team or for a message. `form`, `form_closed`: a form was submitted, or closed without that
         * @enum {string}
         */
        kind: "action" | "options" | "command" | "shortcut" | "message_action" | "form" | "form_closed";
        /**
         * Format: uuid
         * @description Of the click, which is told once
         */
        id: string;
        /** @description Where it is answered; a secret of the application */
        response_url: string;
        message?: components["schemas"]["MessageReference"];
        /** @description Of what happens in a form */
        form?: {
          /** Format: uuid */
          id: string;
          hash: string;
          title: string;
          callback_id?: string;
          metadata?: string;
        };
        /** Format: uuid */
        user: string;
        /** @description Its name, without the slash */
        command?: string;
        /** @description The arguments of a command, as they were written */
        text?: string;
        block_id?: string;
        /** @description Missing of a command */
        action_id?: string;
        /** @description Of a button: what its application gave it */
        value?: string;
        values?: string[];
        /** @description What the elements of the message, the form or the home hold: `{block_id: {action_id: value or values}}` */
        state?: {
          [key: string]: unknown;
        };
      };
    };
    /** @description a user looks at the page of the application, which it publishes by `PUT /v1/applications/:application/homes/:user` */
    ApplicationOpenedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "application.opened";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        user: string;
        /**
         * Format: uuid
         * @description Of the visit, which is told once
         */
        id: string;
        /** @description Where it is answered; a secret of the application */
        response_url: string;
      };
    };
    /** @description a user wrote to the application in a direct conversation: a message, or an answer (it has `reply_to`) */
    DirectPostedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "direct.posted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MaybeDeletedMessage"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user edited such a message */
    DirectEditedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "direct.edited";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MaybeDeletedMessage"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a user deleted such a message */
    DirectDeletedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "direct.deleted";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        message: components["schemas"]["MessageReference"];
        /** Format: uuid */
        user: string;
      };
    };
    /** @description a team installed the application */
    InstallationCreatedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "installation.created";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        installation: string;
      };
    };
    /** @description an admin granted other scopes */
    InstallationScopesChangedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "installation.scopes_changed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        installation: string;
      };
    };
    /** @description a team uninstalled the application */
    InstallationRemovedEvent: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "installation.removed";
      /**
       * Format: date-time
       * @description When it happened
       */
      timestamp: string;
      data: {
        /** Format: uuid */
        team: string;
        /** Format: uuid */
        installation: string;
      };
    };
    /** @description Any event */
    HeardEvent: components["schemas"]["MessagePostedEvent"] | components["schemas"]["ReplyPostedEvent"] | components["schemas"]["MentionEvent"] | components["schemas"]["LinkPostedEvent"] | components["schemas"]["MessageEditedEvent"] | components["schemas"]["MessageDeletedEvent"] | components["schemas"]["ReactionAddedEvent"] | components["schemas"]["ReactionRemovedEvent"] | components["schemas"]["HighFiveGivenEvent"] | components["schemas"]["HighFiveWithdrawnEvent"] | components["schemas"]["MessagePinnedEvent"] | components["schemas"]["MessageUnpinnedEvent"] | components["schemas"]["SubjectCreatedEvent"] | components["schemas"]["SubjectRenamedEvent"] | components["schemas"]["SubjectClosedEvent"] | components["schemas"]["SubjectReopenedEvent"] | components["schemas"]["MemberJoinedEvent"] | components["schemas"]["MemberLeftEvent"] | components["schemas"]["MemberRoleChangedEvent"] | components["schemas"]["PersonChangedEvent"] | components["schemas"]["ObjectOpenedEvent"] | components["schemas"]["InteractionEvent"] | components["schemas"]["ApplicationOpenedEvent"] | components["schemas"]["DirectPostedEvent"] | components["schemas"]["DirectEditedEvent"] | components["schemas"]["DirectDeletedEvent"] | components["schemas"]["InstallationCreatedEvent"] | components["schemas"]["InstallationScopesChangedEvent"] | components["schemas"]["InstallationRemovedEvent"];
  };
  responses: {
    /** @description Success */
    SessionUser: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["SessionUser"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    UserProfile: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["UserProfile"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Team: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["Team"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Nothing: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: Record<string, unknown>[];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Message: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["Message"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    MessagePage: {
      content: {
        "application/json": {
          meta: {
            next_cursor?: string | null;
          };
          data: components["schemas"]["Message"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Subject: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["Subject"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    PostedFilePage: {
      content: {
        "application/json": {
          meta: {
            next_cursor?: string | null;
          };
          data: components["schemas"]["PostedFile"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    ShownHome: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["ShownHome"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Sidebar: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["Sidebar"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    SubscriptionWithKey: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["SubscriptionWithKey"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    Subscription: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["Subscription"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
    /** @description Success */
    ScheduledMessage: {
      content: {
        "application/json": {
          meta: Record<string, unknown>;
          data: components["schemas"]["ScheduledMessage"][];
          /** @description Processing time in seconds */
          time: number;
        };
      };
    };
  };
  parameters: {
    PathUser: string;
    PathTeam: string;
    /** @description Items on a page, at most */
    QueryLimit?: number;
    /** @description `meta.next_cursor` of the page before */
    QueryCursor?: string;
    /** @description A request with the same key and content is done once; the answer is given again */
    HeaderIdempotencyKey?: string;
    PathInvitation: string;
    /** @description User ids; commas separate too */
    QueryUsers?: string[];
    /** @description Direct messages between exactly the caller and these people: their ids, separated by commas, at most 50; the caller’s own alone for notes to oneself */
    QueryWith?: string;
    /** @description Direct messages between the caller and this application in `team` */
    QueryApplication?: string;
    PathMessage: string;
    PathSubject: string;
    /** @description A part of the name, without regard to case and accents */
    QueryQ?: string;
    QueryKind?: "picture" | "video" | "audio" | "document";
    /** @description Posted by this user */
    QueryUser?: string;
    PathConversation: string;
    /** @description An emoji, in any skin tone; percent-encoded in an address. Or the name of a custom emoji */
    PathEmoji: string;
    QueryTeam: string;
    PathApplication: string;
    PathSidebar: string;
    PathAttachment: string;
    QueryType?: string;
    PathObject: string;
    PathSubscription: string;
    QueryConsumer?: string;
    PathName: string;
    /** @description The id of the last event that is done */
    HeaderLastEventId?: string;
    PathScheduled: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  /**
   * The user who is signed in, or on whose behalf the token acts
   * @description Access: a session, or any access token.
   */
  getUsersMe: {
    responses: {
      200: components["responses"]["SessionUser"];
    };
  };
  /**
   * Change one’s own profile and preferences
   * @description A token changes the names, `title`, `location` and `company` alone (4031, `session`).
   *
   * Access: a session, or an access token with the scope `profile:write`.
   */
  patchUsersMe: {
    requestBody: {
      content: {
        "application/json": {
          first_name?: string;
          last_name?: string;
          title?: string;
          location?: string;
          company?: string;
          username?: string;
          prefs?: {
            email_on_team_invite?: boolean;
            email_on_team_removed?: boolean;
            email_on_reply_to_your_direct_message?: boolean;
            email_on_at_mention?: boolean;
            email_on_shift_update?: boolean;
            email_on_direct_message?: boolean;
            email_on_sidebar_message?: boolean;
            email_on_team_role_changed?: boolean;
            email_on_team_message?: boolean;
            email_on_reply_to_message_you_replied_to?: boolean;
            email_on_reply_to_your_message?: boolean;
            send_typing?: boolean;
            show_typing?: boolean;
          };
          /** @enum {string} */
          language?: "en" | "de" | "ar";
          /** @description Where the person is, as Europe/Berlin */
          time_zone?: string | null;
          /** @description What others see beside one’s name; null for none */
          status?: ({
            /** @description One emoji */
            emoji?: string | null;
            text?: string;
            /** @description In seconds; null for good */
            until?: number | null;
          }) | null;
          /** @description In seconds: nothing is pushed to one’s devices until then, and others see it; null for not any more */
          do_not_disturb_until?: number | null;
          /** @description Lets others see one offline */
          invisible?: boolean;
          link_previews?: {
            /** @description Shows previews of links; true at first */
            shown?: boolean;
            /** @description Lets this server look at pages that one’s own direct messages and sidebars link to; false at first */
            in_direct?: boolean;
          };
        };
      };
    };
    responses: {
      200: components["responses"]["SessionUser"];
    };
  };
  /**
   * A user’s public profile
   * @description Access: a session, or any access token.
   */
  getUser: {
    parameters: {
      path: {
        user: components["parameters"]["PathUser"];
      };
    };
    responses: {
      200: components["responses"]["UserProfile"];
    };
  };
  /**
   * Upload one’s picture: multipart, one `file`
   * @description Access: a session, or an access token with the scope `profile:write`.
   */
  putUsersMeImage: {
    requestBody: {
      content: {
        "multipart/form-data": {
          /** Format: binary */
          file: string;
        };
      };
    };
    responses: {
      200: components["responses"]["UserProfile"];
    };
  };
  /**
   * Go back to the picture with the initials
   * @description Access: a session, or an access token with the scope `profile:write`.
   */
  deleteUsersMeImage: {
    responses: {
      200: components["responses"]["UserProfile"];
    };
  };
  /**
   * A team of the caller
   * @description Access: a session, or an access token with the scope `members:read`; an application as itself with `members:read` or `members.email:read`.
   */
  getTeam: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      200: components["responses"]["Team"];
    };
  };
  /**
   * Change a team
   * @description A token opens no team to everybody and closes none, and changes neither `programs_notify` nor `link_previews` (4031, `session`).
   *
   * Access: a session, or an access token with the scope `team:write`.
   */
  patchTeam: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name?: string;
          /**
           * Format: color
           * @description As #1f6feb, or a CSS name as teal or hot-pink; kept as it is given
           */
          color?: string;
          /** @description A short text or an emoji */
          icon?: string;
          /** @description What the team is for */
          description?: string;
          /** @description Everybody on the server finds it and may join */
          open?: boolean;
          /** @description Lets `@team` and groups in messages of applications and webhooks notify people; false at first */
          programs_notify?: boolean;
          /**
           * @description Whether this server looks at foreign pages that messages link to: `off`, for `people`, or for `all`, programs too; `people` at first
           * @enum {string}
           */
          link_previews?: "off" | "people" | "all";
        };
      };
    };
    responses: {
      200: components["responses"]["Team"];
    };
  };
  /**
   * The members of a team
   * @description All of them, unless `limit` or `cursor` is given.
   *
   * Access: a session, or any access token; an application as itself with `members:read` or `members.email:read`.
   */
  getTeamUsers: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["Membership"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Remove a member, or leave
   * @description A token removes no admin, and not the person for whom it acts (4031, `session`).
   *
   * Access: a session, or an access token with the scope `members:write`.
   */
  deleteTeamUser: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
        user: components["parameters"]["PathUser"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * The invitations that are still open
   * @description Access: a session, or an access token with the scope `members:write`.
   */
  getTeamInvitations: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: ({
                /** Format: uuid */
                id: string;
                email: string;
                /** @description In the answer that makes it; null in lists */
                token: string | null;
                url: string | null;
                /** @description Whether a mail with the link was written when it was made; if not, send the link yourself */
                mailed: boolean | null;
                membership_type: number;
                /** @description Unix time in seconds, with fraction */
                expires_at: number;
              })[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Invite people; each answer holds a link that works once
   * @description Inviting a person again renews the invitation and keeps its link. It ends when its inviter stops being an admin. A token invites no admins and nobody by name (4031, `session`), changes no invitation of an admin (4002), and its answer has no link: it is mailed.
   *
   * Access: a session, or an access token with the scope `members:write`. In a session, where somebody is invited as an admin, the password must have been shown a short while ago. It has a stricter rate limit.
   */
  postTeamInvitations: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          emails?: string[];
          /** @description Ids of people whose profile the caller may see. They accept in Parley, and their invitations have no link */
          users?: string[];
          /**
           * @description 1 admin, 2 member
           * @enum {integer}
           */
          membership_type?: 1 | 2;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: ({
                /** Format: uuid */
                id: string;
                email: string;
                /** @description In the answer that makes it; null in lists */
                token: string | null;
                url: string | null;
                /** @description Whether a mail with the link was written when it was made; if not, send the link yourself */
                mailed: boolean | null;
                membership_type: number;
                /** @description Unix time in seconds, with fraction */
                expires_at: number;
              })[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Withdraw an invitation that is still open; its link works no more
   * @description A token withdraws no invitation as an admin (4031, `session`).
   *
   * Access: a session, or an access token with the scope `members:write`.
   */
  deleteTeamInvitation: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
        invitation: components["parameters"]["PathInvitation"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * The caller’s memberships; with `users`, the ids of the teams in common with them
   * @description Access: a session, or any access token.
   */
  getUsersMeTeams: {
    parameters: {
      query?: {
        users?: components["parameters"]["QueryUsers"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: (string | components["schemas"]["Membership"])[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * The members of all teams of the caller
   * @description All of them, unless `limit` or `cursor` is given.
   *
   * Access: a session, or any access token.
   */
  getUsersMeConnections: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
        /** @description Part of a name */
        query?: string;
        /** @description Only people with one of these user names */
        usernames?: string[];
        users?: components["parameters"]["QueryUsers"];
        /** @description Only the members of this team of the caller */
        team?: string;
        /** @description Only people whose account is open, or closed */
        active?: boolean;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
              num_connections?: number;
            };
            data: components["schemas"]["UserSummary"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Check blocks, and read the text that is made of them
   * @description Stores nothing. Each problem has the path of its field in `reason`, as `blocks[3].elements[0].type`, and its JSON pointer in `pointer`.
   *
   * Access: an application, by its client id and secret, or a session; no access token.
   */
  postBlocksCheck: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON */
          blocks: components["schemas"]["Block"][];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** @description As they were sent; their shapes are those of `Block` */
                blocks: unknown[];
                /** @description What a message with these blocks says where it has no text */
                text: string;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Messages that the caller may see
   * @description Without `q`, what opens a conversation: replies and sidebars are listed by routes of their own. Each page has the cursors of both its neighbours, null where there is none. With `q` or `has` it is a search: everything that holds the words, and such a thing, the newest first, with a snippet of each in `meta.snippets`. `subject` goes with both. `author`, `after` and `before` go with a search, `order`, `around` and `at` without one; `with` goes without `team` and `tag`. `application` and `team` name the conversation with an application, `with` that of an application as itself with one person.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `direct:app`.
   */
  getMessages: {
    parameters: {
      query?: {
        /** @description Of this team */
        team?: string;
        /** @description About this subject of a team; goes without `with` */
        subject?: string;
        tag?: "_inbox" | "_sent" | "_direct" | "_unread";
        with?: components["parameters"]["QueryWith"];
        application?: components["parameters"]["QueryApplication"];
        /** @description What comes first. Default: newest */
        order?: "newest" | "oldest";
        /** @description The id of a message of this list: answers the page that has it in its middle */
        around?: string;
        /** @description Unix time in seconds: answers the page that has the first message from then on in its middle; the newest page where there is none */
        at?: number;
        /** @description Words, or beginnings of words, that all stand in the message */
        q?: string;
        /** @description Of a search: written by this user */
        author?: string;
        /** @description Of a search: written at this time or later, in Unix seconds */
        after?: number;
        /** @description Of a search: written before this time, in Unix seconds */
        before?: number;
        /** @description A search, also without `q`: holds an upload, a link, or mentions an object */
        has?: "file" | "link" | "object";
        /** @description Default: 50 */
        limit?: number;
        /** @description `meta.next_cursor` or `meta.previous_cursor` of an answer to the same list */
        cursor?: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
              /** @description Of a list: the cursor of the page before this one; null at the beginning */
              previous_cursor?: string | null;
              /** @description Of a search: for each message’s id the part of its text around what was found, in pieces */
              snippets?: {
                [key: string]: {
                    text: string;
                    match: boolean;
                  }[];
              };
            };
            data: components["schemas"]["Message"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Post a message to a team, to users or to an application
   * @description With a token of its own and the scope `direct:app` an application writes to one member of the team in `addressed_users`.
   *
   * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
   */
  postMessages: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text, or a list of texts that are joined by newlines */
          text?: string | string[];
          /** @description `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever */
          format?: "plain" | null;
          /** @description At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON */
          blocks?: components["schemas"]["Block"][];
          /** @description At most one team */
          addressed_teams?: string[];
          /** @description Of a message to a team: what it is about, by its name. A name that the team does not have yet begins a subject. Replies are about what their message is about */
          subject?: string | null;
          /** @description Users by their ids, or also by their addresses */
          addressed_users?: string[] | {
            ids?: string[];
            emails?: string[];
          };
          /**
           * Format: uuid
           * @description An application that `team` has installed: the message goes to it alone
           */
          addressed_application?: string;
          /**
           * Format: uuid
           * @description Of `addressed_application`; elsewhere it says nothing
           */
          team?: string;
          /** @description At most one object of the calling application */
          mentions?: {
              /** @enum {string} */
              type: "appobject";
              /** Format: uuid */
              id: string;
              /** @description What the link says; default: the object’s own name */
              name?: string;
            }[] | {
            /** @enum {string} */
            type: "appobject";
            /** Format: uuid */
            id: string;
            /** @description What the link says; default: the object’s own name */
            name?: string;
          };
          /** @description Uploads and links, or anything of your own */
          attachments?: {
            /** @description Ids of uploads */
            files?: string[];
            links?: {
                url: string;
                title?: string;
              }[];
          } | unknown[] | {
            [key: string]: unknown;
          };
          /** @description Refused: an answer is posted at `POST /v1/messages/{message}/replies` */
          reply_to?: null;
        };
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * One message
   * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
   */
  getMessage: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Delete a message: its text is gone for good, its place stays
   * @description By its author, or by an admin of its team.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
   */
  deleteMessage: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Edit one’s own message, or move a conversation to another subject
   * @description The earlier text is kept as a version. A file that is taken from the message is gone, as those of a deleted one, unless another message holds it. `subject` is for what opens a conversation in a team: its author moves it, or an admin of the team, and nobody is notified.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
   */
  patchMessage: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text, or a list of texts that are joined by newlines */
          text?: string | string[];
          /** @description `plain`, or null for a text with formatting. Without it, what the message had stays */
          format?: "plain" | null;
          /** @description In the place of those that it has; null: none. A text that was made of blocks is made again */
          blocks?: components["schemas"]["Block"][];
          /** @description `{files, links}` replaces those that it names, `links` also items of your own; what it does not name stays. A list, or an item of your own, replaces them all: `[]` leaves none. Without it, or with null, nothing changes */
          attachments?: {
            /** @description Ids of uploads */
            files?: string[];
            links?: {
                url: string;
                title?: string;
              }[];
          } | unknown[] | {
            [key: string]: unknown;
          };
          /** @description Moves a conversation of a team to another subject, by its name; null: to none */
          subject?: string | null;
        };
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * The replies to a message, the oldest first
   * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
   */
  getMessageReplies: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["MessagePage"];
    };
  };
  /**
   * Answer a message; all who see it see the answer
   * @description An answer to a reply belongs to the message that the reply answers.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
   */
  postMessageReplies: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text, or a list of texts that are joined by newlines */
          text?: string | string[];
          /** @description `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever */
          format?: "plain" | null;
          /** @description At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON */
          blocks?: components["schemas"]["Block"][];
          /** @description At most one object of the calling application */
          mentions?: {
              /** @enum {string} */
              type: "appobject";
              /** Format: uuid */
              id: string;
              /** @description What the link says; default: the object’s own name */
              name?: string;
            }[] | {
            /** @enum {string} */
            type: "appobject";
            /** Format: uuid */
            id: string;
            /** @description What the link says; default: the object’s own name */
            name?: string;
          };
          /** @description Uploads and links, or anything of your own */
          attachments?: {
            /** @description Ids of uploads */
            files?: string[];
            links?: {
                url: string;
                title?: string;
              }[];
          } | unknown[] | {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Conversations of direct messages, one for each set of people
   * @description The one with the newest message or reply first. With `with`, only that of the caller with these people; an empty list before anything is said. Its messages: `GET /v1/messages?with=`. With `application` and `team`, that with an application.
   *
   * Access: a session, or an access token with the scope `direct:read`.
   */
  getUsersMeConversations: {
    parameters: {
      query?: {
        with?: components["parameters"]["QueryWith"];
        application?: components["parameters"]["QueryApplication"];
        team?: string;
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["DirectConversation"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Mark as read, with its replies
   * @description Access: a session, or an access token with the scope `inbox:write`.
   */
  putMessageRead: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Mark as unread
   * @description Access: a session, or an access token with the scope `inbox:write`.
   */
  deleteMessageRead: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Mark a team’s messages as read up to one of them
   * @description Access: a session, or an access token with the scope `inbox:write`.
   */
  putTeamRead: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The id of a message of the team */
          up_to: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              /** @description For `POST /v1/teams/{team}/read/undo`; null where nothing changed, or where too many messages had been marked one by one */
              undo: string | null;
            };
            data: components["schemas"]["Team"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Make a team’s messages as unread as before they were marked as read
   * @description As long as nothing else was marked up to there: else it answers 4090 `read_since` and changes nothing. Messages that came since stay unread.
   *
   * Access: a session, or an access token with the scope `inbox:write`.
   */
  postTeamReadUndo: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description `meta.undo` of the answer that is undone */
          undo: string;
        };
      };
    };
    responses: {
      200: components["responses"]["Team"];
    };
  };
  /**
   * The subjects of a team, with what is unread in each
   * @description The open ones come first, by their last message, and then the closed ones.
   *
   * Access: a session, or an access token with the scope `messages:read`.
   */
  getTeamSubjects: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["Subject"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Rename a subject, close it, or open it again
   * @description By who named it first, or by an admin of the team. Nobody is notified; its id stays.
   *
   * Access: a session, or an access token with the scope `messages:write`.
   */
  patchTeamSubject: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
        subject: components["parameters"]["PathSubject"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description No two in a team are the same but for capitals and accents */
          name?: string;
          closed?: boolean;
        };
      };
    };
    responses: {
      200: components["responses"]["Subject"];
    };
  };
  /**
   * Mark the messages of a subject as read, and no others of the team
   * @description Access: a session, or an access token with the scope `inbox:write`.
   */
  putTeamSubjectRead: {
    parameters: {
      path: {
        team: components["parameters"]["PathTeam"];
        subject: components["parameters"]["PathSubject"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The id of a message of the team, up to which it is read. Default: all of it */
          up_to?: string;
        };
      };
    };
    responses: {
      200: components["responses"]["Subject"];
    };
  };
  /**
   * The texts of a message before its edits, the newest version first
   * @description For everybody who sees the message. A deleted message has none.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`.
   */
  getMessageVersions: {
    parameters: {
      query?: {
        /** @description Default: 10 */
        limit?: number;
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: {
                text: string;
                /**
                 * @description Where the text is shown exactly as it was written; missing where it has formatting
                 * @enum {string}
                 */
                format?: "plain";
                /** @description As they were sent; their shapes are those of `Block` */
                blocks?: unknown[];
                /**
                 * Format: uuid
                 * @description Who wrote it
                 */
                user: string;
                /** @description When the edit replaced it */
                replaced_at: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * The files of a team that the caller sees
   * @description The newest first, each with the message that holds it. Files of sidebars are for the people in them, and those of deleted messages are gone. One page looks at 2000 files at the most: it may hold few, or none, while there is a next one.
   *
   * Access: a session, or an access token with the scope `messages:read`; an application as itself with `messages:read`.
   */
  getTeamFiles: {
    parameters: {
      query?: {
        q?: components["parameters"]["QueryQ"];
        kind?: components["parameters"]["QueryKind"];
        user?: components["parameters"]["QueryUser"];
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      200: components["responses"]["PostedFilePage"];
    };
  };
  /**
   * The files of a direct conversation
   * @description The newest first, each with the message that holds it. Files of sidebars are for the people in them, and those of deleted messages are gone. One page looks at 2000 files at the most: it may hold few, or none, while there is a next one.
   *
   * Access: a session, or an access token with the scope `direct:read`.
   */
  getUsersMeConversationFiles: {
    parameters: {
      query?: {
        q?: components["parameters"]["QueryQ"];
        kind?: components["parameters"]["QueryKind"];
        user?: components["parameters"]["QueryUser"];
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        conversation: components["parameters"]["PathConversation"];
      };
    };
    responses: {
      200: components["responses"]["PostedFilePage"];
    };
  };
  /**
   * Messages that others refer to, as they are now and as the caller may read them
   * @description For addresses of messages in a text. In the order asked for; null stands for one that does not exist and for one that the caller may not read alike. Ask again rather than keep an answer: rights and texts change.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`; an application as itself with `messages:read` or `direct:app`.
   */
  getQuotes: {
    parameters: {
      query: {
        /** @description Ids of messages, separated by commas, at most 20 */
        messages: string;
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: (components["schemas"]["Message"] | null)[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * The messages that a team has pinned, the newest pin first
   * @description Access: a session, or an access token with the scope `messages:read`; an application as itself with `messages:read`.
   */
  getTeamPins: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["PinnedMessage"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Pin a message of a team
   * @description What all members read, replies too; at most 100.
   *
   * Access: a session, or an access token with the scope `messages:write`; an application as itself with `messages:write`.
   */
  putTeamPinByMessage: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Unpin a message of a team
   * @description Access: a session, or an access token with the scope `messages:write`; an application as itself with `messages:write`.
   */
  deleteTeamPinByMessage: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * The reactions to a message with their people, the newest first
   * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `reactions:read`; an application as itself with `reactions:read`.
   */
  getMessageReactions: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
        /** @description An emoji, in any skin tone; percent-encoded in an address. Or the name of a custom emoji */
        emoji?: string;
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: {
                /** @description In no skin tone, as messages count it; or the name of a custom emoji */
                emoji: string;
                /** @description In the skin tone that the person chose */
                given: string;
                user: components["schemas"]["UserSummary"];
                /** @description Unix time in seconds, with fraction */
                created_at: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * React to a message
   * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `reactions:write`; an application as itself with `reactions:write`.
   */
  putMessageReactionByEmoji: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
        emoji: components["parameters"]["PathEmoji"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Take a reaction back
   * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `reactions:write`; an application as itself with `reactions:write`.
   */
  deleteMessageReactionByEmoji: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
        emoji: components["parameters"]["PathEmoji"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * The people who gave a message high fives, the newest first
   * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `high_fives:read`; an application as itself with `high_fives:read`.
   */
  getMessageHighFives: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["UserSummary"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Give a high five
   * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `high_fives:write`.
   */
  putMessageHighFive: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Take a high five back
   * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `high_fives:write`.
   */
  deleteMessageHighFive: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Show what links to the calling application lead to, in place of what it showed before
   * @description For an application as itself, with `messages:read` and `messages:write`: cards of links that stand in the text of the message and begin with its `link_prefixes`, where the team has granted them. A link whose card a member has removed gets none again.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
   */
  putMessageUnfurls: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          unfurls: {
              /** @description A link to the application, as it stands in the message’s text */
              url: string;
              /** @description Leads to the link */
              title: string;
              text?: string;
              /** @description Facts beside each other, such as a state */
              fields?: {
                  name: string;
                  value: string;
                }[];
              /** @description Shown in place of the text and the fields: at most 10 blocks and 8192 bytes of JSON, in which only links can be pressed. Without a text, the card says what they say */
              blocks?: components["schemas"]["Block"][];
            }[];
        };
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Take away what the calling application shows of links to itself
   * @description Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`; an application as itself with `messages:write` or `direct:app`.
   */
  deleteMessageUnfurls: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Remove a preview for good
   * @description By the author of the message, or by an admin of its team.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`.
   */
  deleteMessageUnfurl: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
        unfurl: string;
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * Publish what one person sees on the page of the application in a team
   * @description In place of what was there. Their windows show it at once.
   *
   * Access: an application, by its client id and secret.
   */
  putApplicationHomeByUser: {
    parameters: {
      query: {
        team: components["parameters"]["QueryTeam"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
        user: components["parameters"]["PathUser"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description At most 100 blocks, 400 blocks and elements together, 65536 bytes of JSON */
          blocks: components["schemas"]["Block"][];
        };
      };
    };
    responses: {
      200: components["responses"]["ShownHome"];
    };
  };
  /**
   * A picture of foreign origin, as WebP, under the address that what shows it names
   * @description For everybody who sees what shows it, such as a message with the preview of a page. It is asked for each time.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`.
   */
  getPictureByReference: {
    parameters: {
      path: {
        reference: string;
      };
    };
    responses: {
      /** @description The picture */
      200: {
        content: {
          "image/webp": string;
        };
      };
    };
  };
  /**
   * What is new to the caller, the newest first
   * @description One item for each conversation that concerns the caller, and in `new` one for each team with other unread messages. An item is unread while the messages in it are that concern the caller: reading them anywhere takes it out of `new`. A high five for a message of the caller is in `new`, but not unread. A token has what is said to the whole team from which it was opened.
   *
   * Access: a session, or an access token with the scope `inbox:read`.
   */
  getUsersMeInbox: {
    parameters: {
      query?: {
        /** @description `new` (the default) is what is unread, `mentions` all that mention the caller, `threads` all whose replies concern the caller, who began or answered them */
        filter?: "new" | "all" | "mentions" | "threads";
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["InboxEntry"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * How much is new to the caller
   * @description Access: a session, or an access token with the scope `inbox:read`.
   */
  getUsersMeInboxCounts: {
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** @description Conversations with something new for the caller; direct messages between the same people are one */
                total: number;
                /** @description Those among them that mention the caller */
                mentions: number;
                /** @description Those among them that are direct messages or sidebars */
                direct: number;
                /** @description How many of them stand in a team, sidebars included, by the ids of the teams that have any */
                in_teams: {
                  [key: string]: number;
                };
                /** @description Teams, none of them muted, with other unread messages */
                teams: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * The sidebars beside a message that the caller is in
   * @description Access: a session, or an access token with the scope `direct:read`.
   */
  getMessageSidebars: {
    parameters: {
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    responses: {
      200: components["responses"]["Sidebar"];
    };
  };
  /**
   * Begin a private conversation beside a message
   * @description With users who see the message. Nobody else learns that it exists.
   *
   * Access: a session, or an access token with the scope `direct:write`.
   */
  postMessageSidebars: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        message: components["parameters"]["PathMessage"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Ids of users who see the message */
          users: string[];
          /** @description A text, or a list of texts that are joined by newlines */
          text?: string | string[];
          /** @description `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever */
          format?: "plain" | null;
        };
      };
    };
    responses: {
      200: components["responses"]["Sidebar"];
    };
  };
  /**
   * A sidebar that the caller is in, with the message that it stands at
   * @description Access: a session, or an access token with the scope `direct:read`.
   */
  getSidebar: {
    parameters: {
      path: {
        sidebar: components["parameters"]["PathSidebar"];
      };
    };
    responses: {
      200: components["responses"]["Sidebar"];
    };
  };
  /**
   * The messages of a sidebar, the oldest first
   * @description Access: a session, or an access token with the scope `direct:read`.
   */
  getSidebarMessages: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
      path: {
        sidebar: components["parameters"]["PathSidebar"];
      };
    };
    responses: {
      200: components["responses"]["MessagePage"];
    };
  };
  /**
   * Write into a sidebar
   * @description Access: a session, or an access token with the scope `direct:write`.
   */
  postSidebarMessages: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        sidebar: components["parameters"]["PathSidebar"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text, or a list of texts that are joined by newlines */
          text?: string | string[];
          /** @description `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever */
          format?: "plain" | null;
          /** @description At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON */
          blocks?: components["schemas"]["Block"][];
          /** @description At most one object of the calling application */
          mentions?: {
              /** @enum {string} */
              type: "appobject";
              /** Format: uuid */
              id: string;
              /** @description What the link says; default: the object’s own name */
              name?: string;
            }[] | {
            /** @enum {string} */
            type: "appobject";
            /** Format: uuid */
            id: string;
            /** @description What the link says; default: the object’s own name */
            name?: string;
          };
          /** @description Uploads and links, or anything of your own */
          attachments?: {
            /** @description Ids of uploads */
            files?: string[];
            links?: {
                url: string;
                title?: string;
              }[];
          } | unknown[] | {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      200: components["responses"]["Message"];
    };
  };
  /**
   * The server’s own emoji, by their names
   * @description Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `reactions:read`; an application as itself with `reactions:read`.
   */
  getEmoji: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["CustomEmoji"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Upload a file: multipart, one `file`; a message then names its `id` in `attachments.files`
   * @description What no message takes up is removed after `ORPHAN_LIFETIME`.
   *
   * Access: a session, or an access token with one of the scopes `messages:write`, `direct:write`, `files:write`; an application as itself with `files:write`.
   */
  postAttachments: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /** Format: binary */
          file: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: components["schemas"]["Attachment"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * A file’s bytes
   * @description For its uploader, and for everybody who sees a message that holds it.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `files:read`; an application as itself with `files:read` or `direct:app`.
   */
  getAttachment: {
    parameters: {
      path: {
        attachment: components["parameters"]["PathAttachment"];
      };
    };
    responses: {
      /** @description The whole */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
    };
  };
  /**
   * A small picture of a picture, as WebP
   * @description For its uploader, and for everybody who sees a message that holds it.
   *
   * Access: a session, or an access token with one of the scopes `messages:read`, `direct:read`, `files:read`; an application as itself with `files:read` or `direct:app`.
   */
  getAttachmentThumbnail: {
    parameters: {
      path: {
        attachment: components["parameters"]["PathAttachment"];
      };
    };
    responses: {
      /** @description The whole */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
    };
  };
  /**
   * Whether the application’s credentials are right
   * @description Access: an application, by its client id and secret.
   */
  getOauth2TestApp: {
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * The application’s objects, the newest first
   * @description Leaves out a team that has not agreed to the owner of the application.
   *
   * Access: an application, by its client id and secret.
   */
  getApplicationObjects: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
        team?: string;
        type?: components["parameters"]["QueryType"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["ApplicationObject"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Register an object, so that messages can mention it
   * @description Access: an application, by its client id and secret.
   */
  postApplicationObjects: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string;
          /** @description The id of a team that has the application installed */
          team: string;
          /** @description A category of the application’s own */
          type: string;
          /** @description Relative to the application’s base_url */
          url: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** Format: uuid */
                id: string;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Delete an object
   * @description Access: an application, by its client id and secret.
   */
  deleteApplicationObject: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        object: components["parameters"]["PathObject"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Change an object, also in the messages that mention it
   * @description Messages that were posted before show the new name, whatever name they gave the object, and link to the new address.
   *
   * Access: an application, by its client id and secret.
   */
  patchApplicationObject: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        object: components["parameters"]["PathObject"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name?: string;
          /** @description A category of the application’s own */
          type?: string;
          /** @description Relative to the application’s base_url */
          url?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: components["schemas"]["ApplicationObject"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * What applications registered on a team, the newest first
   * @description Access: a session, or an access token with the scope `objects:read`; an application as itself with `objects:read`.
   */
  getTeamObjects: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
        type?: components["parameters"]["QueryType"];
      };
      path: {
        team: components["parameters"]["PathTeam"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: {
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: uuid */
                team: string;
                type: string;
                /** @description The whole address */
                url: string;
                /** @description Unix time in seconds, with fraction */
                created_at: number;
                /** Format: uuid */
                application: string;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Whether the access token is good
   * @description A session alone is refused: it would test nothing.
   *
   * Access: a session, or any access token.
   */
  getOauth2TestAppAsUser: {
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Why an application got no tokens of late, the last kind of failure first
   * @description For its owner, and for a program with its secret. The token route answers the error alone, since anybody may ask it in the name of an application. Equal failures are one entry with a count.
   *
   * Access: an application, by its client id and secret, or a session; no access token.
   */
  getApplicationTokenFailures: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** @description As the token route answered it */
                error: string;
                /** @description Of the request; `other` for one that there is not, `none` without one */
                grant_type: string;
                reason: string;
                /** @description The reason in words */
                message: string;
                /** @description How often it happened */
                count: number;
                /** @description Unix time in seconds, with fraction */
                first_at: number;
                /** @description Unix time in seconds, with fraction */
                last_at: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Get or refresh an access token
   * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
   */
  postOauth2Token: {
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          /** @description `authorization_code`, `refresh_token` or `client_credentials` */
          grant_type: string;
          code?: string;
          redirect_uri?: string;
          code_verifier?: string;
          refresh_token?: string;
          scope?: string;
          /** @description With `client_credentials`: the team on which the application acts as itself */
          team?: string;
          /** @description The same as an address (RFC 8707): `{base_url}/v1/teams/{team}` */
          resource?: string;
          client_id?: string;
          client_secret?: string;
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        content: {
          "application/json": {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
            /** @description Not with `client_credentials` */
            refresh_token?: string;
            scope?: string;
          };
        };
      };
    };
  };
  /**
   * End a token (RFC 7009)
   * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
   */
  postOauth2Revoke: {
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          token: string;
          token_type_hint?: string;
          client_id?: string;
          client_secret?: string;
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        content: {
          "application/json": Record<string, unknown>;
        };
      };
    };
  };
  /**
   * The state of a token (RFC 7662)
   * @description Access: an application, by HTTP Basic or by `client_id` and `client_secret` in the form. It has a stricter rate limit.
   */
  postOauth2Introspect: {
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          token: string;
          token_type_hint?: string;
          client_id?: string;
          client_secret?: string;
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        content: {
          "application/json": {
            /** @description false also for tokens of other applications; then there is nothing else */
            active: boolean;
            /** Format: uuid */
            client_id?: string;
            /**
             * Format: uuid
             * @description The user; of an own token, the author
             */
            sub?: string;
            /**
             * Format: uuid
             * @description From which team it was given
             */
            team?: string;
            /** @description `Bearer` or `refresh_token` */
            token_type?: string;
            /** @description When it ends, Unix time in seconds */
            exp?: number;
            /** @description Since when it acts, Unix time in seconds */
            iat?: number;
            /** @description What it may do now, separated by spaces */
            scope?: string;
          };
        };
      };
    };
  };
  /**
   * The subscriptions of an application
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  getApplicationSubscriptions: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    responses: {
      200: components["responses"]["Subscription"];
    };
  };
  /**
   * Subscribe to events of the teams that have the application installed
   * @description Whether the application may hear an event is decided when it is sent: the team has it installed, and has granted the scope of the kind. It hears nothing that happened before.
   *
   * Access: an application, by its client id and secret, or a session; no access token. In a session, where it has a webhook, the password must have been shown a short while ago.
   */
  postApplicationSubscriptions: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The events that it asks for:
           *
           * - `message.posted` `{team, message}`: a message to a team, which answers no other (scope `messages:read`)
           * - `reply.posted` `{team, message}`: an answer to a message to a team (scope `messages:read`)
           * - `mention` `{team, message}`: a message or an answer that mentions the application, in place of `message.posted` or `reply.posted` (scope `messages:read`)
           * - `link.posted` `{team, message, links: [{url}]}`: a message or an answer with links to the application’s `link_prefixes`, in place of `message.posted` or `reply.posted`; in a `mention` the links are, too (scope `messages:read`)
           * - `message.edited` `{team, message}`: a message or an answer has another text, or other attachments (scope `messages:read`)
           * - `message.deleted` `{team, message: {id}}`: a message or an answer was deleted (scope `messages:read`)
           * - `reaction.added` `{team, message: {id}, emoji, user}`: a user reacted to a message (scope `messages:read` or `reactions:read`)
           * - `reaction.removed` `{team, message: {id}, emoji, user}`: a user took it back (scope `messages:read` or `reactions:read`)
           * - `high_five.given` `{team, message: {id}, user}`: a user reacted with 🙌; in place of `reaction.added`, where both are heard (scope `messages:read` or `high_fives:read`)
           * - `high_five.withdrawn` `{team, message: {id}, user}`: a user took it back; in place of `reaction.removed` (scope `messages:read` or `high_fives:read`)
           * - `message.pinned` `{team, message: {id}, user}`: a user pinned a message to its team (scope `messages:read`)
           * - `message.unpinned` `{team, message: {id}, user}`: a user unpinned it; the deletion of a message does so without this event (scope `messages:read`)
           * - `subject.created` `{team, subject: {id, name}, user}`: a message began a subject in a team (scope `messages:read`)
           * - `subject.renamed` `{team, subject: {id, name}, user}`: a subject has another name; its id stays (scope `messages:read`)
           * - `subject.closed` `{team, subject: {id, name}, user}`: a subject was closed (scope `messages:read`)
           * - `subject.reopened` `{team, subject: {id, name}, user}`: a subject was opened again, by hand or by a message in it (scope `messages:read`)
           * - `member.joined` `{team, user}`: a user joined a team
           * - `member.left` `{team, user}`: a user left a team, or was removed
           * - `member.role_changed` `{team, user}`: a member became an admin, or an admin a member
           * - `person.changed` `{team, user, status, do_not_disturb_until}`: a member changed their status, or `do_not_disturb_until`; both are as they are when the event is sent, and null without one. No event is sent when either ends (scope `members:read` or `members.email:read`)
           * - `object.opened` `{team, object, user}`: a user followed a link to an object of the application
           * - `interaction` `{kind, team, user, id, response_url}`; of a click (`action`) and a question (`options`) `{message: {id}, block_id, action_id, value or values, state}`, of a `command` `{command, text}`, of a `shortcut` or `message_action` `{action_id, message?}`, of a `form` or `form_closed` `{form, state, message?}`: a user pressed or chose something in the blocks of a message of the application, types to find an option, gave it a command, chose one of its shortcuts, or submitted or closed one of its forms (scope `messages:read` or `messages:write` or `direct:app`)
           * - `application.opened` `{team, user, id, response_url}`: a user looks at the page of the application, which it publishes by `PUT /v1/applications/:application/homes/:user`
           * - `direct.posted` `{team, message, user}`: a user wrote to the application in a direct conversation: a message, or an answer (it has `reply_to`) (scope `direct:app`)
           * - `direct.edited` `{team, message, user}`: a user edited such a message (scope `direct:app`)
           * - `direct.deleted` `{team, message: {id}, user}`: a user deleted such a message (scope `direct:app`)
           * - `installation.created` `{team, installation}`: a team installed the application
           * - `installation.scopes_changed` `{team, installation}`: an admin granted other scopes
           * - `installation.removed` `{team, installation}`: a team uninstalled the application
           */
          kinds: ("message.posted" | "reply.posted" | "mention" | "link.posted" | "message.edited" | "message.deleted" | "reaction.added" | "reaction.removed" | "high_five.given" | "high_five.withdrawn" | "message.pinned" | "message.unpinned" | "subject.created" | "subject.renamed" | "subject.closed" | "subject.reopened" | "member.joined" | "member.left" | "member.role_changed" | "person.changed" | "object.opened" | "interaction" | "application.opened" | "direct.posted" | "direct.edited" | "direct.deleted" | "installation.created" | "installation.scopes_changed" | "installation.removed")[];
          /** @description Only events of these teams; null for all that have the application installed */
          teams?: string[] | null;
          /** @description Of messages, only those that mention the application; default false */
          mentions_only?: boolean;
          /** @description Also the posts, edits and reactions of the application itself, with its own token; default false */
          own_messages?: boolean;
          /** @description Of messages, only those that mention an object of the application of this type; of openings, only those of such an object */
          object_type?: string | null;
          /** @description Where events are sent; without it, the application reads them itself */
          webhook?: {
            /** @description An absolute https:// address */
            url: string;
            /** @description The most events in one call. At 1, the default, the body is an event; above, a list of them */
            batch?: number;
          } | null;
        };
      };
    };
    responses: {
      200: components["responses"]["SubscriptionWithKey"];
    };
  };
  /**
   * One subscription, and how its webhook fares
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  getApplicationSubscription: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    responses: {
      200: components["responses"]["Subscription"];
    };
  };
  /**
   * Delete a subscription with its cursors
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  deleteApplicationSubscription: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Change a subscription; what is unread is read by the new filters
   * @description Access: an application, by its client id and secret, or a session; no access token. In a session, where the webhook gets an address, the password must have been shown a short while ago.
   */
  patchApplicationSubscription: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The events that it asks for:
           *
           * - `message.posted` `{team, message}`: a message to a team, which answers no other (scope `messages:read`)
           * - `reply.posted` `{team, message}`: an answer to a message to a team (scope `messages:read`)
           * - `mention` `{team, message}`: a message or an answer that mentions the application, in place of `message.posted` or `reply.posted` (scope `messages:read`)
           * - `link.posted` `{team, message, links: [{url}]}`: a message or an answer with links to the application’s `link_prefixes`, in place of `message.posted` or `reply.posted`; in a `mention` the links are, too (scope `messages:read`)
           * - `message.edited` `{team, message}`: a message or an answer has another text, or other attachments (scope `messages:read`)
           * - `message.deleted` `{team, message: {id}}`: a message or an answer was deleted (scope `messages:read`)
           * - `reaction.added` `{team, message: {id}, emoji, user}`: a user reacted to a message (scope `messages:read` or `reactions:read`)
           * - `reaction.removed` `{team, message: {id}, emoji, user}`: a user took it back (scope `messages:read` or `reactions:read`)
           * - `high_five.given` `{team, message: {id}, user}`: a user reacted with 🙌; in place of `reaction.added`, where both are heard (scope `messages:read` or `high_fives:read`)
           * - `high_five.withdrawn` `{team, message: {id}, user}`: a user took it back; in place of `reaction.removed` (scope `messages:read` or `high_fives:read`)
           * - `message.pinned` `{team, message: {id}, user}`: a user pinned a message to its team (scope `messages:read`)
           * - `message.unpinned` `{team, message: {id}, user}`: a user unpinned it; the deletion of a message does so without this event (scope `messages:read`)
           * - `subject.created` `{team, subject: {id, name}, user}`: a message began a subject in a team (scope `messages:read`)
           * - `subject.renamed` `{team, subject: {id, name}, user}`: a subject has another name; its id stays (scope `messages:read`)
           * - `subject.closed` `{team, subject: {id, name}, user}`: a subject was closed (scope `messages:read`)
           * - `subject.reopened` `{team, subject: {id, name}, user}`: a subject was opened again, by hand or by a message in it (scope `messages:read`)
           * - `member.joined` `{team, user}`: a user joined a team
           * - `member.left` `{team, user}`: a user left a team, or was removed
           * - `member.role_changed` `{team, user}`: a member became an admin, or an admin a member
           * - `person.changed` `{team, user, status, do_not_disturb_until}`: a member changed their status, or `do_not_disturb_until`; both are as they are when the event is sent, and null without one. No event is sent when either ends (scope `members:read` or `members.email:read`)
           * - `object.opened` `{team, object, user}`: a user followed a link to an object of the application
           * - `interaction` `{kind, team, user, id, response_url}`; of a click (`action`) and a question (`options`) `{message: {id}, block_id, action_id, value or values, state}`, of a `command` `{command, text}`, of a `shortcut` or `message_action` `{action_id, message?}`, of a `form` or `form_closed` `{form, state, message?}`: a user pressed or chose something in the blocks of a message of the application, types to find an option, gave it a command, chose one of its shortcuts, or submitted or closed one of its forms (scope `messages:read` or `messages:write` or `direct:app`)
           * - `application.opened` `{team, user, id, response_url}`: a user looks at the page of the application, which it publishes by `PUT /v1/applications/:application/homes/:user`
           * - `direct.posted` `{team, message, user}`: a user wrote to the application in a direct conversation: a message, or an answer (it has `reply_to`) (scope `direct:app`)
           * - `direct.edited` `{team, message, user}`: a user edited such a message (scope `direct:app`)
           * - `direct.deleted` `{team, message: {id}, user}`: a user deleted such a message (scope `direct:app`)
           * - `installation.created` `{team, installation}`: a team installed the application
           * - `installation.scopes_changed` `{team, installation}`: an admin granted other scopes
           * - `installation.removed` `{team, installation}`: a team uninstalled the application
           */
          kinds?: ("message.posted" | "reply.posted" | "mention" | "link.posted" | "message.edited" | "message.deleted" | "reaction.added" | "reaction.removed" | "high_five.given" | "high_five.withdrawn" | "message.pinned" | "message.unpinned" | "subject.created" | "subject.renamed" | "subject.closed" | "subject.reopened" | "member.joined" | "member.left" | "member.role_changed" | "person.changed" | "object.opened" | "interaction" | "application.opened" | "direct.posted" | "direct.edited" | "direct.deleted" | "installation.created" | "installation.scopes_changed" | "installation.removed")[];
          /** @description Only events of these teams; null for all that have the application installed */
          teams?: string[] | null;
          /** @description Of messages, only those that mention the application; default false */
          mentions_only?: boolean;
          /** @description Also the posts, edits and reactions of the application itself, with its own token; default false */
          own_messages?: boolean;
          /** @description Of messages, only those that mention an object of the application of this type; of openings, only those of such an object */
          object_type?: string | null;
          /** @description Where events are sent; without it, the application reads them itself */
          webhook?: {
            /** @description An absolute https:// address */
            url: string;
            /** @description The most events in one call. At 1, the default, the body is an event; above, a list of them */
            batch?: number;
          } | null;
          /** @description true keeps the webhook from being called until it is resumed */
          pause?: boolean;
          /** @description true calls a webhook that ended or is paused again, from where it stopped */
          resume?: boolean;
        };
      };
    };
    responses: {
      200: components["responses"]["SubscriptionWithKey"];
    };
  };
  /**
   * Send a range of events to the webhook once more, with the same ids
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  postApplicationSubscriptionReplays: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Everything since a time in seconds, or after the event with this id */
          since: string;
          /** @description Up to a time in seconds, or to the event with this id; default: now */
          until?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** Format: uuid */
                id: string;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Make a new key for the webhook; calls are signed with the one before, too, for the overlap
   * @description Access: an application, by its client id and secret, or a session; no access token. In a session, the password must have been shown a short while ago.
   */
  postApplicationSubscriptionKey: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Default: 86400 */
          overlap_seconds?: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** @description Shown this once */
                key: string;
                /** @description Unix time in seconds, with fraction */
                previous_expires_at: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Events after a cursor, the oldest first
   * @description Without `after`, `since` and `consumer` it begins where the subscription was made. `meta.next_cursor` goes on after the page, also after an empty one.
   *
   * Access: an application, by its client id and secret.
   */
  getApplicationSubscriptionEvents: {
    parameters: {
      query?: {
        /** @description `meta.next_cursor` of the page before */
        after?: string;
        /** @description Everything since a time, as seconds since 1970, or after the event with this id */
        since?: string;
        consumer?: components["parameters"]["QueryConsumer"];
        /** @description Events at most; default 50 */
        limit?: number;
        /** @description Seconds to wait for an event when there is none; default 0 */
        wait?: number;
      };
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string;
              /** @description Whether to ask for more at once */
              more?: boolean;
              /** @description Whether events after the cursor are not kept any more */
              missed?: boolean;
            };
            data: components["schemas"]["Event"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * The groups whose cursors the server keeps
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  getApplicationSubscriptionConsumers: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                name: string;
                /** @description Unix time in seconds, with fraction */
                used_at: number;
                /** @description Streams that share its work now */
                copies: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Set where a group goes on, in all teams; makes the group
   * @description Access: an application, by its client id and secret.
   */
  putApplicationSubscriptionConsumerByNameCursor: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
        name: components["parameters"]["PathName"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description `meta.next_cursor` of a page: it is done */
          cursor?: string;
          /** @description Everything since a time, as seconds since 1970, or after the event with this id */
          since?: string;
        };
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Acknowledge events of a stream: each, and what came before it in its team, is done
   * @description Access: an application, by its client id and secret.
   */
  postApplicationSubscriptionConsumerByNameAcknowledgements: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
        name: components["parameters"]["PathName"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Their ids */
          events: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: {
                /** @description How many of them are known */
                acknowledged: number;
              }[];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Delete a group; its streams end
   * @description Access: an application, by its client id and secret, or a session; no access token.
   */
  deleteApplicationSubscriptionConsumerByName: {
    parameters: {
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
        name: components["parameters"]["PathName"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Events as a stream of server-sent events, shared among the streams of a group
   * @description It begins with `ready`; with `reset` when the group was away for longer than events are kept. Each event has its `id`, its kind as `event`, and as `data` the JSON that a webhook gets. Each team’s events come in order, to one stream of the group at a time. Acknowledge what is done: the rest is sent again, to the next stream that has the team. `Last-Event-ID` acknowledges that event.
   *
   * Access: an application, by its client id and secret.
   */
  getApplicationSubscriptionStream: {
    parameters: {
      query?: {
        consumer?: components["parameters"]["QueryConsumer"];
      };
      header?: {
        "last-event-id"?: components["parameters"]["HeaderLastEventId"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
        subscription: components["parameters"]["PathSubscription"];
      };
    };
    responses: {
      /** @description The stream */
      200: {
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  /**
   * Clicks in the application’s messages as a stream, without a subscription
   * @description The stream of the application’s own subscription, which is made when it is first read. Where there is `own` in place of the id of a subscription, the other routes mean the same one: `…/subscriptions/own/consumers/default/acknowledgements`.
   *
   * Access: an application, by its client id and secret.
   */
  getApplicationStream: {
    parameters: {
      query?: {
        consumer?: components["parameters"]["QueryConsumer"];
      };
      header?: {
        "last-event-id"?: components["parameters"]["HeaderLastEventId"];
      };
      path: {
        application: components["parameters"]["PathApplication"];
      };
    };
    responses: {
      /** @description The stream */
      200: {
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  /**
   * Scheduled messages of the caller, the next ones first
   * @description A token lists what it has scheduled where it may still write, and of other tokens of its application what it may read and write. What was sent is listed for a week, without its text.
   *
   * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
   */
  getUsersMeScheduledMessages: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["ScheduledMessage"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Schedule a message, a reply, or a message into a sidebar
   * @description What posting refuses now is refused at once; every right is checked again when it is sent. More than an hour late it is not sent: its status is `late`.
   *
   * Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
   */
  postUsersMeScheduledMessages: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          send_at: {
            /** @description The time on a wall, as `2026-12-01T09:00` */
            local: string;
            /** @description The zone of that wall, as `Europe/Berlin` */
            zone: string;
          };
          /** @description As the body of `POST /v1/messages`; or, with `reply_to`, the id of a message, as that of its replies; or, with `sidebar`, the id of one, as that of its messages */
          message: Record<string, unknown>;
        };
      };
    };
    responses: {
      200: components["responses"]["ScheduledMessage"];
    };
  };
  /**
   * Cancel a scheduled message
   * @description Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
   */
  deleteUsersMeScheduledMessageByScheduled: {
    parameters: {
      path: {
        scheduled: components["parameters"]["PathScheduled"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
  /**
   * Change a scheduled message, give it another time, or send it now
   * @description Access: a session, or any access token; an application as itself with `messages:write` or `direct:app`.
   */
  patchUsersMeScheduledMessageByScheduled: {
    parameters: {
      path: {
        scheduled: components["parameters"]["PathScheduled"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          send_at?: {
            /** @description The time on a wall, as `2026-12-01T09:00` */
            local: string;
            /** @description The zone of that wall, as `Europe/Berlin` */
            zone: string;
          };
          /** @description As the body of `POST /v1/messages`; or, with `reply_to`, the id of a message, as that of its replies; or, with `sidebar`, the id of one, as that of its messages */
          message?: Record<string, unknown>;
          /** @description Sends it at once; goes without `send_at` */
          send_now?: boolean;
        };
      };
    };
    responses: {
      200: components["responses"]["ScheduledMessage"];
    };
  };
  /**
   * Reminders of the caller, the next ones first
   * @description Access: a session, or an access token with the scope `direct:write`.
   */
  getUsersMeReminders: {
    parameters: {
      query?: {
        limit?: components["parameters"]["QueryLimit"];
        cursor?: components["parameters"]["QueryCursor"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: {
              next_cursor?: string | null;
            };
            data: components["schemas"]["Reminder"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Be reminded, of a message or by a text
   * @description It becomes a note of the person to themselves, with a link to the message where they may still read it, and never with its words.
   *
   * Access: a session, or an access token with the scope `direct:write`.
   */
  postUsersMeReminders: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["HeaderIdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          at: {
            /** @description The time on a wall, as `2026-12-01T09:00` */
            local: string;
            /** @description The zone of that wall, as `Europe/Berlin` */
            zone: string;
          };
          /** @description The id of a message to be reminded of */
          message?: string | null;
          text?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          "application/json": {
            meta: Record<string, unknown>;
            data: components["schemas"]["Reminder"][];
            /** @description Processing time in seconds */
            time: number;
          };
        };
      };
    };
  };
  /**
   * Cancel a reminder
   * @description Access: a session, or an access token with the scope `direct:write`.
   */
  deleteUsersMeReminderByScheduled: {
    parameters: {
      path: {
        scheduled: components["parameters"]["PathScheduled"];
      };
    };
    responses: {
      200: components["responses"]["Nothing"];
    };
  };
}
