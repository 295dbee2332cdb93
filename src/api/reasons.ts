/**
 * Every `reason` of an error answer, by error code, with advice for the caller. An unlisted reason does not compile.
 * docs/errors.md is generated from this table.
 */
export const reasons = {
  4007: {
    not_found: 'Mention an object that the application itself made, in a team that the author is in.',
    several: 'Mention one object only.',
    type: 'Send `appobject` as the type of the mention.',
    no_placeholder: 'Write `{0}` into the text where the link belongs.',
  },
  4012: {
    access_denied:
      'Refresh the access token; where that fails, too, have the person open the application again.',
  },
  4030: {
    app_not_installed: 'Have an admin of the team install the application.',
    application_blocked: 'Write nothing more to this person, until they unblock the application.',
    application_suspended:
      'Have the owner of the application take it over with a new secret, or an administrator of the server wake it.',
    application_unconfirmed:
      'Have an admin of the team confirm what the application may do: it is in other hands than when they agreed.',
    backup_off: 'Have the operator set `ADMIN_BACKUP`, or back up on the machine with `parley backup`.',
    cross_site:
      'Send the header `Origin` with the server’s own address, or use an access token in place of the session cookie.',
    direct_not_granted: 'Have an admin of the team grant the application `direct:app`.',
    emoji_admins: 'Have an administrator of the server add the emoji.',
    emoji_of_another: 'Have the person who added the emoji, or an administrator of the server, delete it.',
    emoji_off: 'Have the operator set `CUSTOM_EMOJI`.',
    has_blocks: 'Have the application that posted it change it, by its own token.',
    no_home: 'Set `has_home` of the application, and publish its page for the person.',
    invitation_needed:
      'Open the link of an invitation to a team, or a join link, and sign up there, or use an address in a domain that the server lets in.',
    metrics: 'Have the operator set `METRICS_TOKEN`, and send it as a Bearer token.',
    no_listener:
      'Have the application read its stream, set an `interaction_url`, or subscribe to `interaction`; and have an admin of the ' +
      'team grant it `messages:read`, `messages:write` or `direct:app`.',
    not_admin: 'Have an admin of the team do it.',
    not_application: 'Use the application’s own access token (`client_credentials` with `team`).',
    not_author: 'Have the author do it; an admin of the team may delete a message, too.',
    not_superuser: 'Have an administrator of the server do it.',
    person_gone: 'Say nothing more to this person: they have left the team, or closed their account.',
    private_place: 'Press and choose in messages to teams, and in conversations with the application itself.',
    other_account: 'Sign in with the account that the link was mailed for.',
    other_domain: 'Use an account whose address is in a domain that the link is for.',
    other_address:
      'Sign in with the account that has the invited address, or have that account’s address invited.',
    password_needed:
      'Send the password to `POST /v1/sessions/current/confirmation`, keep the cookie of its answer, which replaces that ' +
      'of the session (with curl `-b me.txt -c me.txt`), then repeat the request.',
    push_off: 'Have the operator set `PUSH`.',
    registration_closed: 'Ask the operator for an account: `REGISTRATION` is `closed`.',
    removed_from_team: 'Have an admin of the team invite the person: they were removed from it.',
    setup_link_needed: 'Open the link that the server printed when it started, or run `parley user create`.',
    unconfirmed_address:
      'Follow the link that was mailed to the address of the account, then repeat the request.',
    upload_quota:
      'Delete uploads that are not needed: together they may be as large as `UPLOAD_QUOTA_BYTES`.',
  },
  4031: {
    person: 'Use the access token of a person: this one is the application’s own (`client_credentials`).',
    session: 'Sign in: the route takes a session, and no access token.',
  },
  4040: {
    client_id: 'Check the `client_id`: there is no application with it.',
  },
  4090: {
    active: 'Do nothing: the team was not deleted.',
    already_sent: 'Edit the message that it has become: it was sent meanwhile.',
    access_ended:
      'Delete it, and write the message yourself: the application that scheduled it may not act for you any more.',
    already_member: 'Do nothing: you are a member of the team.',
    asks_first: 'Show the person what `GET …/opening` answers, then send the `scopes` to which they agreed.',
    awaits_owner: 'Have the owner of the application take it over: they make a new secret.',
    being_sent: 'Wait some seconds, then look at the attempts of the delivery.',
    deleted: 'Leave the message: it was deleted.',
    domain_rule: 'The rule exists already; there is nothing to do.',
    email: 'Sign in with the account that has this address, or take another address.',
    emoji_name: 'Choose another name for the emoji.',
    erased: 'Make a new team: the contents of this one cannot come back.',
    events: 'Replay the events: POST …/subscriptions/{subscription}/replays.',
    group_name: 'Take another name: a group or a person has this one.',
    form_changed: 'Read the form again: its application changed it, or another window has submitted it.',
    form_closed: 'Open a form by an answer to a new click or command: this one is closed.',
    form_late: 'Answer with a form within 30 seconds of the click or command.',
    has_subscriptions: 'Delete the subscriptions of the application first.',
    idempotency_key:
      'Send a new `Idempotency-Key` with each new request; the same one repeats the same request.',
    in_progress: 'Repeat the request with the same `Idempotency-Key` in some seconds.',
    installed_again: 'Do nothing: the team has the application again, so the old call would be wrong.',
    installing: 'Let the running installation end, then look at it.',
    just_rotated: 'Look at the secret that was made a moment ago, or repeat the request in some seconds.',
    last_admin: 'Make another member an admin of the team first.',
    last_superuser: 'Make another account an administrator of the server first.',
    no_admin: 'Name a member of the team as `admin`.',
    no_blocks: 'Read the message again: its application changed it.',
    no_preinstall_url: 'Give the application a `preinstall_url` first: without one, nothing is called.',
    no_submit: 'Press one of the buttons in the form: it has none that submits it.',
    no_mail_server: 'Have the operator set `SMTP_URL`.',
    no_webhook: 'Give the subscription a webhook first.',
    not_opened_here:
      'Start the application itself: it is public or runs on a person’s own machine, and asks by itself. With `initiate_login_uri` it is opened from here.',
    other_owner: 'Read the installation again: the application has another owner than the request names.',
    own_subscription:
      'Leave out everything but `webhook`, `pause` and `resume`, or make another subscription.',
    not_of_team:
      'Pin a message that the whole team reads: none of a sidebar, another team or a direct conversation.',
    owns_applications:
      'Delete the applications that the message names, or have an administrator give them away.',
    public_mail_domain:
      'Name a domain in which only your own people have addresses, or invite people one by one.',
    public_client:
      'Do without it, or give the application a secret: `token_endpoint_auth_method` other than `none`.',
    read_since: 'Do nothing: you have marked messages of the team since, and what you marked last counts.',
    replaced: 'Send the later call, which carries the same change.',
    replaying: 'Wait until the range that is being replayed is through.',
    sidebar: 'Write into the sidebar that the message is in.',
    subject_name: 'Take another name: the team has a subject with this one.',
    subscription: 'Unsubscribe in the browser and subscribe again, which gives another endpoint.',
    too_many_at_once: 'Choose a time that is some minutes away from those of the others.',
    too_many_domain_rules: 'Delete a rule that is not needed.',
    too_many_emoji: 'Delete an emoji that is not needed.',
    too_many_own_emoji:
      'Delete one of your emoji that is not needed, or ask an administrator to add this one.',
    too_many_applications: 'Delete an application that is not needed.',
    too_many_groups: 'Delete a group that is not needed.',
    too_many_people_groups: 'Delete a group of people that is not needed.',
    too_many_join_links: 'Withdraw a join link that is not needed.',
    too_many_webhooks: 'Withdraw an incoming webhook that is not needed.',
    too_many_pins: 'Unpin a message that is not needed there any more.',
    too_many_saved: 'Remove a message that you do not need any more from those that you have saved.',
    too_many_reactions: 'React with an emoji that the message already has.',
    too_many_scheduled: 'Delete a scheduled message or a reminder that is not needed.',
    too_many_sidebars: 'Write in a sidebar that you have begun beside the message.',
    too_many_subjects: 'Close a subject that is not needed, or write without one.',
    too_many_own_subjects:
      'Close a subject that the same person named, ask an admin of the team, or write without one.',
    too_many_subscriptions: 'Change a subscription, or delete one.',
    uninstalled: 'Do nothing: the team does not have the application any more.',
    uninstalling:
      'Repeat the request in a minute: the application is still being notified of its uninstallation.',
    username: 'Take another user name.',
    verified: 'Do nothing: the address is confirmed.',
    wrong_address: 'Have the owner of the application enter its redirect address again.',
  },
  4240: {
    refused_address: 'Give the application a public address: the server does not call private ones.',
    dns: 'Check the host name in the address: it could not be resolved.',
    connection:
      'Check that the application’s server runs and can be reached; where it is on Parley’s own machine, also that it answers in time.',
    tls: 'Give the application’s server a certificate that is trusted and in date.',
    protocol: 'Make the application’s server answer in valid HTTP/1.1.',
    too_large: 'Make the application’s server answer with smaller headers.',
    timeout: 'Make the application’s server answer sooner: within `CALLBACK_TIMEOUT`.',
    closed: 'Repeat the request: Parley’s server was stopping.',
    busy: 'Repeat the request in a minute: many calls to the developer of the application are under way.',
    interrupted:
      'Install again: the server stopped, or the team, the application or your role changed meanwhile.',
    application_deleted: 'Do nothing: the application was deleted meanwhile.',
    address_removed: 'Give the application an address for this call: the former one was removed.',
  },
  4290: {
    address: 'Too many requests from one network address (`RATE_LIMIT_ADDRESS`).',
    strict: 'Too many requests to routes that guard accounts and tokens (`RATE_LIMIT_STRICT`).',
    sign_in: 'Too many sign-ins from one network address (`RATE_LIMIT_SIGN_IN`).',
    sign_up: 'Too many sign-ups from one network with addresses that have an account.',
    token: 'Too many requests of one user, or of one user by one application (`RATE_LIMIT_TOKEN`).',
    application: 'Too many requests of one application (`RATE_LIMIT_APPLICATION`).',
    conversations:
      'Too many conversations that one application begins with people (`RATE_LIMIT_CONVERSATIONS`).',
    status: 'Too many changes of one person’s status or visibility in a minute.',
    account: 'Too many passwords tried on one account from one network.',
    account_unknown: 'Too many passwords tried on one account from browsers that it does not know.',
    account_device: 'Too many passwords tried on one account from a browser that it knows.',
    account_session: 'Too many passwords tried in one session.',
    mail: 'Too many mails to one account.',
    passwords: 'Too many passwords from one network are being checked at the same time.',
    searches: 'Too many searches of one user, or of one application, wait for their turn.',
    lists:
      'Too many whole lists of one user, or of one application, wait for their turn; ask for pages (`limit`).',
    pictures: 'Too many pictures of one user, or of one application, wait for their turn.',
    calls:
      'Too many calls to applications (tests, redeliveries, installations) of one user wait for their turn.',
    backup: 'A backup is being made; one at a time.',
    export: 'An export of this account is being made; one at a time.',
  },
  5030: {
    disk_full: 'Have the operator make room on the server’s disk; reading works meanwhile.',
    stopping:
      'Repeat the request in some seconds: this server stops, and another one or the next start answers.',
    passwords: 'Repeat the request in some seconds: too many passwords are being checked.',
    searches: 'Repeat the request in some seconds: too many searches wait for their turn.',
    lists:
      'Repeat the request in some seconds, or ask for pages (`limit`): too many whole lists wait for their turn.',
    pictures: 'Repeat the request in some seconds: too many pictures wait for their turn.',
    calls: 'Repeat the request in some seconds: too many calls to applications wait for their turn.',
    answers: 'Read the answers that wait for you on other connections, then repeat the request.',
  },
} as const satisfies Readonly<Record<number, Readonly<Record<string, string>>>>;

type Reasons = typeof reasons;

/** The reasons of one code. */
export type ReasonOf<Code extends keyof Reasons> = keyof Reasons[Code];

/** The names of the rate limits. */
export type LimitName = ReasonOf<4290>;

/** Why a call to an application failed; includes the status if it answered. */
export type CallbackFailure = ReasonOf<4240> | `status_${number}`;

/** A reason that names a part of the request. Only the constructors of errors.ts make one. */
export type Named = string & { readonly isNamed: true };

export type Reason = { [Code in keyof Reasons]: ReasonOf<Code> }[keyof Reasons] | CallbackFailure | Named;

/** Reasons built from a part of the request or of an answer. */
export const reasonPatterns: readonly { code: number; reason: string; advice: string }[] = [
  {
    code: 4002,
    reason: 'the path of a field',
    advice: 'Correct the field, as in `mentions.0.id`, as the message says.',
  },
  {
    code: 4008,
    reason: 'an id, or the name given',
    advice: 'Leave out this addressee, or share a team with them.',
  },
  {
    code: 4031,
    reason: 'a scope',
    advice: 'Ask for the scope, and have an admin of the team and the person agree to it.',
  },
  {
    code: 4240,
    reason: '`status_` and a number, as `status_500`',
    advice: 'Make the application answer 200: it answered with this status. Its deliveries show the answer.',
  },
];
