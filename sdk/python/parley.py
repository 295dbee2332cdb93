# Made from the schemas of the routes by `npm run documents`: do not edit by hand.
"""A client of Parley for applications, for Python 3.9 or later and without dependencies: copy this file.

An application acts with its own credentials (``Application``), on behalf of a person (``Application.on_behalf``), or as
itself in a team that has it installed (``Application.in_team``). docs/developers.md tells how an application lives.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import queue
import re
import threading
import time
import traceback
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, Literal, TypedDict, Union, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

_TIMEOUT = 15.0
_FILE_TIMEOUT = 300.0
# The server sends a comment at least every 25 seconds. Without a byte for this long the connection is dead.
_SILENCE = 60.0
# Seconds before further attempts, unless the answer sets its own.
_PAUSES = (0.2, 1.0)
# With a longer pause the answer is returned instead.
_LONGEST_PAUSE = 5.0
# The first and the longest pause between connections of a stream that fail.
_RETRY = 2.0
_LONGEST_RETRY = 30.0
_TEMPORARY = {429, 502, 503, 504}
_EXPIRED = 4012
_NOT_AUTHORIZED = 4010
# A field is missing or wrong: the reason is its path.
_WRONG_FIELD = 4002
_NOT_FOUND = 4040
# Tolerance between the sender's clock and ours: older calls may be replays.
_TOLERANCE = 300
# Clicks that are remembered: one that comes again is not handled again.
_REMEMBERED = 10_000
# Kinds of events behind which a person waits for the application.
_OF_PEOPLE = {"interaction", "application.opened", "direct.posted", "direct.edited", "direct.deleted"}
# Handlers that run at once.
_AT_ONCE = 8
# Seconds before further attempts at a click whose handler raised; all within the minute that the server waits.
_RETRY_AFTER = (0.2, 1.0, 5.0, 15.0)


class ParleyError(Exception):
    """The platform refused. ``code`` is the first error's, such as 4010; docs/errors.md says what to do."""

    def __init__(self, status: int, errors: list[dict[str, Any]], message: str | None = None) -> None:
        self.status = status
        self.errors = errors
        first = errors[0] if errors else {}
        self.code: int | None = first.get("code")
        self.reason: str | None = first.get("reason")
        super().__init__(_message_of(status, errors) if message is None else message)


class TokenError(ParleyError):
    """The token route or one of its relatives refused (RFC 6749 §5.2): ``error`` says how, and the message what to check."""

    def __init__(self, error: str, status: int, advice: str | None = None) -> None:
        super().__init__(status, [], f"OAuth: {error}" + (f": {advice}" if advice else ""))
        self.error = error
        self.reason = error


def _message_of(status: int, errors: list[dict[str, Any]]) -> str:
    if not errors:
        return f"the answer, with HTTP status {status}, did not come from the platform"
    first = errors[0]
    message, code, reason = first.get("message"), first.get("code"), first.get("reason")
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    if code == _WRONG_FIELD and reason is not None:
        return f"{reason}: {message} ({code}){more}"
    return f"{message} ({code})" + more if reason is None else f"{message} ({code}, {reason}){more}"


def _is_refusal(error: Exception) -> bool:
    """Whether the platform refused what it would refuse again. An intermediary's answer may be another one later."""
    if not isinstance(error, ParleyError) or not 400 <= error.status < 500 or error.status in (408, 429):
        return False
    if isinstance(error, TokenError):
        return not error.error.startswith("status_")
    return len(error.errors) > 0 and error.reason != "in_progress"


class SignatureError(Exception):
    """A call that the platform did not sign."""


class SessionUser(TypedDict):
    id: str
    username: str
    first_name: str
    last_name: str
    title: str
    location: str
    company: str
    origin: None
    type: int
    relationship: int
    # Administers the server
    superuser: bool
    # Owns at least one application
    developer: bool
    active: bool
    online: bool
    is_mutual_connection: bool
    # Unix time in seconds, with fraction
    created_at: float
    # Unix time in seconds, with fraction
    updated_at: float
    images: list[SessionUserImages]
    alternate_emails: list[Any]
    alternate_phone_numbers: list[Any]
    pending_domains: list[Any]
    companies: list[Any]
    primary_phone_number: dict[str, Any]
    primary_email: SessionUserPrimaryEmail
    facebook_id: None
    online_info: None
    password: None
    unread_counts: SessionUserUnreadCounts
    prefs: SessionUserPrefs
    # Of mails: `en`, `de`, `ar`
    language: str
    # As Europe/Berlin; null until a client has said it
    time_zone: str | None
    status: SessionUserStatus
    # In seconds: until then one is told of nothing, which others see
    do_not_disturb_until: float | None
    # Others see one offline
    invisible: bool
    link_previews: SessionUserLinkPreviews


class SessionUserImages(TypedDict):
    """Addresses of the picture in its sizes: the uploaded one, or one with the initials."""

    default: str
    original: str
    fullwidth: str
    square300: str
    icon: str


class SessionUserPrimaryEmail(TypedDict):
    id: str
    user_id: str
    address: str
    verified: bool
    company: str | None


class SessionUserUnreadCounts(TypedDict):
    # Unread messages by team id
    teams: dict[str, Any]
    user: SessionUserUnreadCountsUser
    tags: SessionUserUnreadCountsTags


class SessionUserUnreadCountsUser(TypedDict):
    total: int
    direct: int


class SessionUserUnreadCountsTags(TypedDict):
    _sent: int
    _other: int
    _inbox: int
    _direct: int
    _unread: int


class SessionUserPrefs(TypedDict):
    email_on_team_invite: bool
    email_on_team_removed: bool
    email_on_reply_to_your_direct_message: bool
    email_on_at_mention: bool
    email_on_shift_update: bool
    email_on_direct_message: bool
    email_on_sidebar_message: bool
    email_on_team_role_changed: bool
    email_on_team_message: bool
    email_on_reply_to_message_you_replied_to: bool
    email_on_reply_to_your_message: bool
    send_typing: bool
    show_typing: bool


class SessionUserStatus(TypedDict):
    emoji: str | None
    text: str
    # In seconds; null for good. Nobody is told when it has passed
    until: float | None


class SessionUserLinkPreviews(TypedDict):
    # Whether the person’s clients show previews of links
    shown: bool
    # Whether this server looks at pages that they link to in direct messages and sidebars
    in_direct: bool


class PatchUsersMeBody(TypedDict, total=False):
    first_name: str
    last_name: str
    title: str
    location: str
    company: str
    username: str
    prefs: PatchUsersMeBodyPrefs
    language: Literal["en", "de", "ar"]
    # Where the person is, as Europe/Berlin
    time_zone: str | None
    # What others see beside one’s name; null for none
    status: PatchUsersMeBodyStatus
    # In seconds: nothing is pushed to one’s devices until then, and others see it; null for not any more
    do_not_disturb_until: float | None
    # Lets others see one offline
    invisible: bool
    link_previews: PatchUsersMeBodyLinkPreviews


class PatchUsersMeBodyPrefs(TypedDict, total=False):
    email_on_team_invite: bool
    email_on_team_removed: bool
    email_on_reply_to_your_direct_message: bool
    email_on_at_mention: bool
    email_on_shift_update: bool
    email_on_direct_message: bool
    email_on_sidebar_message: bool
    email_on_team_role_changed: bool
    email_on_team_message: bool
    email_on_reply_to_message_you_replied_to: bool
    email_on_reply_to_your_message: bool
    send_typing: bool
    show_typing: bool


class PatchUsersMeBodyStatus(TypedDict, total=False):
    """What others see beside one’s name; null for none."""

    # One emoji
    emoji: str | None
    text: str
    # In seconds; null for good
    until: float | None


class PatchUsersMeBodyLinkPreviews(TypedDict, total=False):
    # Shows previews of links; true at first
    shown: bool
    # Lets this server look at pages that one’s own direct messages and sidebars link to; false at first
    in_direct: bool


class _UserProfile(TypedDict):
    id: str
    first_name: str
    last_name: str
    # Mentions the user in a text, after an @
    username: str
    title: str
    # Whether the account is open
    active: bool
    online: bool
    email: str
    # Whether the person has proved the address by a mail to it
    email_verified: bool
    # Addresses of the picture in its sizes: the uploaded one, or one with the initials
    image: SessionUserImages
    # The uploaded picture, if there is one
    images: list[SessionUserImages]


class UserProfile(_UserProfile, total=False):
    # Where it is their time, as Europe/Berlin, if known
    time_zone: str
    # Set for an application, or an incoming webhook, that wrote as itself
    is_application: bool
    status: SessionUserStatus
    # In seconds: until then they are told of nothing
    do_not_disturb_until: float


class Team(TypedDict):
    id: str
    name: str
    color: str
    icon: str
    # What the team is for
    description: str
    # Everybody on the server finds it and may join
    open: bool
    # Whether `@team` and groups in messages of applications and webhooks notify anybody
    programs_notify: bool
    # Whose messages get previews of foreign pages: nobody’s, those of people, or also those of programs
    link_previews: Literal["off", "people", "all"]
    num_members: int
    # Unread messages of the caller
    unread_count: int
    active: bool
    # Unix time in seconds, with fraction
    created_at: float
    # Unix time in seconds, with fraction
    updated_at: float


class PatchTeamBody(TypedDict, total=False):
    name: str
    # As #1f6feb, or a CSS name as teal or hot-pink; kept as it is given
    color: str
    # A short text or an emoji
    icon: str
    # What the team is for
    description: str
    # Everybody on the server finds it and may join
    open: bool
    # Lets `@team` and groups in messages of applications and webhooks notify people; false at first
    programs_notify: bool
    # Whether this server looks at foreign pages that messages link to: `off`, for `people`, or for `all`, programs
    # too; `people` at first
    link_previews: Literal["off", "people", "all"]


class Membership(TypedDict):
    # 1 admin, 2 member
    membership_type: int
    is_muted: int
    is_favorite: int
    # Unix time in seconds
    created_at: int
    # Unix time in seconds
    updated_at: int
    userid: str
    user: UserSummary
    team: Team
    inviter: UserSummary


class _UserSummary(TypedDict):
    id: str
    first_name: str
    last_name: str
    # Mentions the user in a text, after an @
    username: str
    title: str
    relationship: int
    active: bool
    # Has a stream of live events open
    online: bool
    # The uploaded picture, if there is one
    images: list[SessionUserImages]
    email: str


class UserSummary(_UserSummary, total=False):
    # Set for an application, or an incoming webhook, that wrote as itself
    is_application: bool
    status: SessionUserStatus
    # In seconds: until then they are told of nothing
    do_not_disturb_until: float


class PostTeamInvitationsBody(TypedDict, total=False):
    emails: list[str]
    # Ids of people whose profile the caller may see. They accept in Parley, and their invitations have no link
    users: list[str]
    # 1 admin, 2 member
    membership_type: Literal[1, 2]


class PostTeamInvitationsItem(TypedDict):
    id: str
    email: str
    # In the answer that makes it; null in lists
    token: str | None
    url: str | None
    # Whether a mail with the link was written when it was made; if not, send the link yourself
    mailed: bool | None
    membership_type: int
    # Unix time in seconds, with fraction
    expires_at: float


class PostMessagesBody(TypedDict, total=False):
    # A text, or a list of texts that are joined by newlines
    text: str | list[str]
    # `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever
    format: Literal["plain"] | None
    # At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]
    # At most one team
    addressed_teams: list[str]
    # Of a message to a team: what it is about, by its name. A name that the team does not have yet begins a
    # subject. Replies are about what their message is about
    subject: str | None
    # Users by their ids, or also by their addresses
    addressed_users: list[str] | PostMessagesBodyAddressedUsers
    # An application that `team` has installed: the message goes to it alone
    addressed_application: str
    # Of `addressed_application`; elsewhere it says nothing
    team: str
    # At most one object of the calling application
    mentions: list[PostMessagesBodyMentions] | PostMessagesBodyMentions
    # Uploads and links, or anything of your own
    attachments: PostMessagesBodyAttachments | list[Any] | dict[str, Any]
    # Refused: an answer is posted at `POST /v1/messages/{message}/replies`
    reply_to: None


class _SectionBlock(TypedDict):
    type: Literal["section"]


class SectionBlock(_SectionBlock, total=False):
    block_id: str
    text: PlainTextOf3000 | Mrkdwn3000
    fields: list[PlainTextOf2000 | Mrkdwn2000]
    accessory: ButtonElement | ImageElement | OverflowElement | StaticSelectElement | ExternalSelectElement | UsersSelectElement | ConversationsSelectElement | ChannelsSelectElement | MultiStaticSelectElement | MultiExternalSelectElement | MultiUsersSelectElement | MultiConversationsSelectElement | MultiChannelsSelectElement | CheckboxesElement | RadioButtonsElement | DatepickerElement | TimepickerElement
    expand: bool


class _PlainTextOf3000(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainTextOf3000(_PlainTextOf3000, total=False):
    emoji: bool


class _Mrkdwn3000(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn3000(_Mrkdwn3000, total=False):
    verbatim: bool


class _PlainTextOf2000(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainTextOf2000(_PlainTextOf2000, total=False):
    emoji: bool


class _Mrkdwn2000(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn2000(_Mrkdwn2000, total=False):
    verbatim: bool


class _ButtonElement(TypedDict):
    type: Literal["button"]
    text: PlainText75


class ButtonElement(_ButtonElement, total=False):
    action_id: str
    url: str
    value: str
    style: Literal["primary", "danger"]
    confirm: Confirm
    accessibility_label: str


class _PlainText75(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainText75(_PlainText75, total=False):
    emoji: bool


class _Confirm(TypedDict):
    text: PlainTextOf300 | Mrkdwn300


class Confirm(_Confirm, total=False):
    title: PlainText100
    confirm: PlainText30
    deny: PlainText30
    style: Literal["primary", "danger"]


class _PlainTextOf300(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainTextOf300(_PlainTextOf300, total=False):
    emoji: bool


class _Mrkdwn300(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn300(_Mrkdwn300, total=False):
    verbatim: bool


class _PlainText100(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainText100(_PlainText100, total=False):
    emoji: bool


class _PlainText30(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainText30(_PlainText30, total=False):
    emoji: bool


class ImageElement(TypedDict):
    type: Literal["image"]
    image_url: str
    alt_text: str


class _OverflowElement(TypedDict):
    type: Literal["overflow"]
    options: list[OverflowOption]


class OverflowElement(_OverflowElement, total=False):
    action_id: str
    confirm: Confirm


class _OverflowOption(TypedDict):
    text: PlainText75


class OverflowOption(_OverflowOption, total=False):
    value: str
    description: PlainText75
    url: str


class _StaticSelectElement(TypedDict):
    type: Literal["static_select"]


class StaticSelectElement(_StaticSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    options: list[MenuOption]
    option_groups: list[MenuOptionGroup]
    initial_option: MenuOption


class _PlainText150(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainText150(_PlainText150, total=False):
    emoji: bool


class _MenuOption(TypedDict):
    text: PlainText75
    value: str


class MenuOption(_MenuOption, total=False):
    description: PlainText75


class MenuOptionGroup(TypedDict):
    label: PlainText75
    options: list[MenuOption]


class _ExternalSelectElement(TypedDict):
    type: Literal["external_select"]


class ExternalSelectElement(_ExternalSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    initial_option: MenuOption
    min_query_length: int


class _UsersSelectElement(TypedDict):
    type: Literal["users_select"]


class UsersSelectElement(_UsersSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    initial_user: str


class _ConversationsSelectElement(TypedDict):
    type: Literal["conversations_select"]


class ConversationsSelectElement(_ConversationsSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    default_to_current_conversation: bool
    filter: ConversationFilter
    response_url_enabled: bool
    initial_conversation: str


class ConversationFilter(TypedDict, total=False):
    include: list[Literal["im", "mpim", "private", "public"]]
    exclude_external_shared_channels: bool
    exclude_bot_users: bool


class _ChannelsSelectElement(TypedDict):
    type: Literal["channels_select"]


class ChannelsSelectElement(_ChannelsSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    response_url_enabled: bool
    initial_channel: str


class _MultiStaticSelectElement(TypedDict):
    type: Literal["multi_static_select"]


class MultiStaticSelectElement(_MultiStaticSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    max_selected_items: int
    options: list[MenuOption]
    option_groups: list[MenuOptionGroup]
    initial_options: list[MenuOption]


class _MultiExternalSelectElement(TypedDict):
    type: Literal["multi_external_select"]


class MultiExternalSelectElement(_MultiExternalSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    max_selected_items: int
    initial_options: list[MenuOption]
    min_query_length: int


class _MultiUsersSelectElement(TypedDict):
    type: Literal["multi_users_select"]


class MultiUsersSelectElement(_MultiUsersSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    max_selected_items: int
    initial_users: list[str]


class _MultiConversationsSelectElement(TypedDict):
    type: Literal["multi_conversations_select"]


class MultiConversationsSelectElement(_MultiConversationsSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    max_selected_items: int
    default_to_current_conversation: bool
    filter: ConversationFilter
    initial_conversations: list[str]


class _MultiChannelsSelectElement(TypedDict):
    type: Literal["multi_channels_select"]


class MultiChannelsSelectElement(_MultiChannelsSelectElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    max_selected_items: int
    initial_channels: list[str]


class _CheckboxesElement(TypedDict):
    type: Literal["checkboxes"]
    options: list[BlockOption]


class CheckboxesElement(_CheckboxesElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    initial_options: list[BlockOption]


class _BlockOption(TypedDict):
    text: PlainText75 | Mrkdwn75
    value: str


class BlockOption(_BlockOption, total=False):
    description: PlainText75 | Mrkdwn75


class _Mrkdwn75(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn75(_Mrkdwn75, total=False):
    verbatim: bool


class _RadioButtonsElement(TypedDict):
    type: Literal["radio_buttons"]
    options: list[BlockOption]


class RadioButtonsElement(_RadioButtonsElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    initial_option: BlockOption


class _DatepickerElement(TypedDict):
    type: Literal["datepicker"]


class DatepickerElement(_DatepickerElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    initial_date: str


class _TimepickerElement(TypedDict):
    type: Literal["timepicker"]


class TimepickerElement(_TimepickerElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    placeholder: PlainText150
    initial_time: str
    timezone: str


class _HeaderBlock(TypedDict):
    type: Literal["header"]
    text: PlainText150


class HeaderBlock(_HeaderBlock, total=False):
    block_id: str


class _DividerBlock(TypedDict):
    type: Literal["divider"]


class DividerBlock(_DividerBlock, total=False):
    block_id: str


class _ContextBlock(TypedDict):
    type: Literal["context"]
    elements: list[PlainTextOf3000 | Mrkdwn3000 | ImageElement]


class ContextBlock(_ContextBlock, total=False):
    block_id: str


class _ImageBlock(TypedDict):
    type: Literal["image"]
    image_url: str
    alt_text: str


class ImageBlock(_ImageBlock, total=False):
    block_id: str
    title: PlainTextOf2000


class _ActionsBlock(TypedDict):
    type: Literal["actions"]
    elements: list[ButtonElement | OverflowElement | StaticSelectElement | ExternalSelectElement | UsersSelectElement | ConversationsSelectElement | ChannelsSelectElement | MultiStaticSelectElement | MultiExternalSelectElement | MultiUsersSelectElement | MultiConversationsSelectElement | MultiChannelsSelectElement | CheckboxesElement | RadioButtonsElement | DatepickerElement | TimepickerElement | DatetimepickerElement | RichTextInputElement]


class ActionsBlock(_ActionsBlock, total=False):
    block_id: str


class _DatetimepickerElement(TypedDict):
    type: Literal["datetimepicker"]


class DatetimepickerElement(_DatetimepickerElement, total=False):
    action_id: str
    confirm: Confirm
    focus_on_load: bool
    initial_date_time: int


class _RichTextInputElement(TypedDict):
    type: Literal["rich_text_input"]


class RichTextInputElement(_RichTextInputElement, total=False):
    action_id: str
    dispatch_action_config: DispatchActionConfig
    focus_on_load: bool
    placeholder: PlainText150
    initial_value: RichTextBlock
    min_lines: int
    max_lines: int


class DispatchActionConfig(TypedDict):
    trigger_actions_on: list[Literal["on_enter_pressed", "on_character_entered"]]


class _RichTextBlock(TypedDict):
    type: Literal["rich_text"]
    elements: list[RichTextSection | RichTextList | RichTextQuote | RichTextPreformatted]


class RichTextBlock(_RichTextBlock, total=False):
    block_id: str


class RichTextSection(TypedDict):
    type: Literal["rich_text_section"]
    elements: list[RichTextWords | RichTextLink | RichTextEmoji | RichTextUser | RichTextGroup | RichTextChannel | RichTextTeam | RichTextBroadcast | RichTextColor | RichTextDate]


class _RichTextWords(TypedDict):
    type: Literal["text"]
    text: str


class RichTextWords(_RichTextWords, total=False):
    style: RichTextStyle


class RichTextStyle(TypedDict, total=False):
    bold: bool
    italic: bool
    strike: bool
    code: bool
    underline: bool


class _RichTextLink(TypedDict):
    type: Literal["link"]
    url: str


class RichTextLink(_RichTextLink, total=False):
    text: str
    unsafe: bool
    style: RichTextStyle


class _RichTextEmoji(TypedDict):
    type: Literal["emoji"]
    name: str


class RichTextEmoji(_RichTextEmoji, total=False):
    unicode: str
    skin_tone: int
    url: str
    style: RichTextStyle


class _RichTextUser(TypedDict):
    type: Literal["user"]
    user_id: str


class RichTextUser(_RichTextUser, total=False):
    style: RichTextStyle


class _RichTextGroup(TypedDict):
    type: Literal["usergroup"]
    usergroup_id: str


class RichTextGroup(_RichTextGroup, total=False):
    style: RichTextStyle


class _RichTextChannel(TypedDict):
    type: Literal["channel"]
    channel_id: str


class RichTextChannel(_RichTextChannel, total=False):
    style: RichTextStyle


class _RichTextTeam(TypedDict):
    type: Literal["team"]
    team_id: str


class RichTextTeam(_RichTextTeam, total=False):
    style: RichTextStyle


class _RichTextBroadcast(TypedDict):
    type: Literal["broadcast"]
    range: Literal["here", "channel", "everyone"]


class RichTextBroadcast(_RichTextBroadcast, total=False):
    style: RichTextStyle


class _RichTextColor(TypedDict):
    type: Literal["color"]
    value: str


class RichTextColor(_RichTextColor, total=False):
    style: RichTextStyle


class _RichTextDate(TypedDict):
    type: Literal["date"]
    timestamp: int
    format: str


class RichTextDate(_RichTextDate, total=False):
    url: str
    fallback: str
    style: RichTextStyle


class _RichTextList(TypedDict):
    type: Literal["rich_text_list"]
    style: Literal["bullet", "ordered"]
    elements: list[RichTextSection]


class RichTextList(_RichTextList, total=False):
    indent: int
    offset: int
    border: Literal[0, 1]


class _RichTextQuote(TypedDict):
    type: Literal["rich_text_quote"]
    elements: list[RichTextWords | RichTextLink | RichTextEmoji | RichTextUser | RichTextGroup | RichTextChannel | RichTextTeam | RichTextBroadcast | RichTextColor | RichTextDate]


class RichTextQuote(_RichTextQuote, total=False):
    border: Literal[0, 1]


class _RichTextPreformatted(TypedDict):
    type: Literal["rich_text_preformatted"]
    elements: list[RichTextWords | RichTextLink]


class RichTextPreformatted(_RichTextPreformatted, total=False):
    language: str
    border: Literal[0, 1]


class _ContextActionsBlock(TypedDict):
    type: Literal["context_actions"]
    elements: list[FeedbackButtonsElement | IconButtonElement]


class ContextActionsBlock(_ContextActionsBlock, total=False):
    block_id: str


class _FeedbackButtonsElement(TypedDict):
    type: Literal["feedback_buttons"]
    positive_button: FeedbackButton
    negative_button: FeedbackButton


class FeedbackButtonsElement(_FeedbackButtonsElement, total=False):
    action_id: str


class _FeedbackButton(TypedDict):
    text: PlainText75
    value: str


class FeedbackButton(_FeedbackButton, total=False):
    accessibility_label: str


class _IconButtonElement(TypedDict):
    type: Literal["icon_button"]
    icon: Literal["trash"]
    text: PlainText75


class IconButtonElement(_IconButtonElement, total=False):
    action_id: str
    confirm: Confirm
    accessibility_label: str
    value: str
    visible_to_user_ids: list[str]


class _InputBlock(TypedDict):
    type: Literal["input"]
    label: PlainTextOf2000
    element: StaticSelectElement | ExternalSelectElement | UsersSelectElement | ConversationsSelectElement | ChannelsSelectElement | MultiStaticSelectElement | MultiExternalSelectElement | MultiUsersSelectElement | MultiConversationsSelectElement | MultiChannelsSelectElement | CheckboxesElement | RadioButtonsElement | DatepickerElement | TimepickerElement | DatetimepickerElement | PlainTextInputElement | NumberInputElement | EmailInputElement | UrlInputElement | RichTextInputElement | FileInputElement


class InputBlock(_InputBlock, total=False):
    block_id: str
    hint: PlainTextOf2000
    optional: bool
    dispatch_action: bool


class _PlainTextInputElement(TypedDict):
    type: Literal["plain_text_input"]


class PlainTextInputElement(_PlainTextInputElement, total=False):
    action_id: str
    dispatch_action_config: DispatchActionConfig
    focus_on_load: bool
    placeholder: PlainText150
    initial_value: str
    multiline: bool
    min_length: int
    max_length: int


class _NumberInputElement(TypedDict):
    type: Literal["number_input"]
    is_decimal_allowed: bool


class NumberInputElement(_NumberInputElement, total=False):
    action_id: str
    dispatch_action_config: DispatchActionConfig
    focus_on_load: bool
    placeholder: PlainText150
    initial_value: str
    min_value: str
    max_value: str


class _EmailInputElement(TypedDict):
    type: Literal["email_text_input"]


class EmailInputElement(_EmailInputElement, total=False):
    action_id: str
    dispatch_action_config: DispatchActionConfig
    focus_on_load: bool
    placeholder: PlainText150
    initial_value: str


class _UrlInputElement(TypedDict):
    type: Literal["url_text_input"]


class UrlInputElement(_UrlInputElement, total=False):
    action_id: str
    dispatch_action_config: DispatchActionConfig
    focus_on_load: bool
    placeholder: PlainText150
    initial_value: str


class _FileInputElement(TypedDict):
    type: Literal["file_input"]


class FileInputElement(_FileInputElement, total=False):
    action_id: str
    filetypes: list[str]
    max_files: int


class _MarkdownBlock(TypedDict):
    type: Literal["markdown"]
    text: str


class MarkdownBlock(_MarkdownBlock, total=False):
    block_id: str


class _TableBlock(TypedDict):
    type: Literal["table"]
    rows: list[list[RawText | RawNumber | RichTextBlock]]


class TableBlock(_TableBlock, total=False):
    block_id: str
    column_settings: list[TableColumn | None]


class RawText(TypedDict):
    type: Literal["raw_text"]
    text: str


class _RawNumber(TypedDict):
    type: Literal["raw_number"]
    value: float


class RawNumber(_RawNumber, total=False):
    text: str


class TableColumn(TypedDict, total=False):
    align: Literal["left", "center", "right"]
    is_wrapped: bool


class _DataTableBlock(TypedDict):
    type: Literal["data_table"]
    caption: str
    rows: list[list[RawText | RawNumber | RichTextBlock]]


class DataTableBlock(_DataTableBlock, total=False):
    block_id: str
    page_size: int
    row_header_column_index: int


class _CardBlock(TypedDict):
    type: Literal["card"]


class CardBlock(_CardBlock, total=False):
    block_id: str
    hero_image: ImageElement
    icon: ImageElement
    title: PlainText150 | Mrkdwn150
    subtitle: PlainText150 | Mrkdwn150
    body: PlainTextOf200 | Mrkdwn200
    actions: list[ButtonElement]


class _Mrkdwn150(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn150(_Mrkdwn150, total=False):
    verbatim: bool


class _PlainTextOf200(TypedDict):
    type: Literal["plain_text"]
    text: str


class PlainTextOf200(_PlainTextOf200, total=False):
    emoji: bool


class _Mrkdwn200(TypedDict):
    type: Literal["mrkdwn"]
    text: str


class Mrkdwn200(_Mrkdwn200, total=False):
    verbatim: bool


class _CarouselBlock(TypedDict):
    type: Literal["carousel"]
    elements: list[CardBlock]


class CarouselBlock(_CarouselBlock, total=False):
    block_id: str


class _AlertBlock(TypedDict):
    type: Literal["alert"]
    text: PlainTextOf200 | Mrkdwn200


class AlertBlock(_AlertBlock, total=False):
    block_id: str
    level: Literal["default", "info", "warning", "error", "success"]


class _ContainerBlock(TypedDict):
    type: Literal["container"]
    child_blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock]


class ContainerBlock(_ContainerBlock, total=False):
    block_id: str
    # Of the edge, which is Parley’s own: `good`, `warning`, `danger` or `#rrggbb`, as Slack’s attachments have it.
    # With it, a container needs no title
    color: str
    title: PlainText150
    rich_text_title: RichTextBlock
    subtitle: PlainText150 | Mrkdwn150
    icon: ImageElement
    width: Literal["narrow", "standard", "wide", "full"]
    is_collapsible: bool
    default_collapsed: bool
    has_header_divider: bool


class PostMessagesBodyAddressedUsers(TypedDict, total=False):
    ids: list[str]
    emails: list[str]


class _PostMessagesBodyMentions(TypedDict):
    type: Literal["appobject"]
    id: str


class PostMessagesBodyMentions(_PostMessagesBodyMentions, total=False):
    # What the link says; default: the object’s own name
    name: str


class PostMessagesBodyAttachments(TypedDict, total=False):
    """Uploads and links."""

    # Ids of uploads
    files: list[str]
    links: list[PostMessagesBodyAttachmentsLinks]


class _PostMessagesBodyAttachmentsLinks(TypedDict):
    url: str


class PostMessagesBodyAttachmentsLinks(_PostMessagesBodyAttachmentsLinks, total=False):
    title: str


class _Message(TypedDict):
    id: str
    # `{0}` stands where the mentioned object’s link belongs
    text: str
    # The name of what the conversation in the team is about; null without one
    subject: str | None
    author: UserSummary
    # `user`; `application` where an application, or an incoming webhook, wrote it as itself
    author_type: str
    addressed_users: list[str]
    addressed_teams: list[str]
    attachments: list[Any]
    mentions: list[MessageMentions]
    # Those that the caller is in
    sidebars: list[Sidebar]
    # The latest edits, the newest last, or the deletion
    events: list[MessageEvents]
    tags: list[str]
    via_app: MessageViaApp
    # Unix time in seconds, with fraction
    created_at: float
    # Unix time in seconds, with fraction
    updated_at: float
    num_replies: int
    num_high_fives: int
    read: bool
    muted: bool
    is_muted: bool
    subscribed_to: bool
    resurface_html: bool
    unread_sidebar: bool
    unread_reply: bool
    user_high_fived: bool
    user_replied: bool
    user_replied_to_sidebar: bool
    # Unix time in seconds, with fraction
    unread_since: float | None


class Message(_Message, total=False):
    # Of the subject, which keeps it when it is renamed
    subject_id: str
    # Where the text is shown exactly as it was written; missing where it has formatting
    format: Literal["plain"]
    # As they were sent; their shapes are those of `Block`
    blocks: list[Any]
    # Of a reply: the message that it answers
    reply_to: str
    # Of what a person and an application write to each other, both ways: the application
    addressed_application: str
    # Of these: the team in which it is installed
    team: str
    # Of a message in a sidebar
    sidebar: str
    # In the order of the first of each; missing where there are none
    reactions: list[MessageReactions]
    # True where its team has pinned it; else missing
    pinned: bool
    # True where the caller has saved it; else missing, and for applications
    saved: bool
    # What links in the text lead to, as their applications show it, or as foreign pages say of themselves; missing
    # where there is nothing
    unfurls: list[Unfurl]
    # Pictures of the blocks, by their `image_url`, as this server has fetched them; missing while it has none
    pictures: dict[str, Any]


class MessageMentions(TypedDict):
    type: str
    id: str
    name: str
    # The object’s absolute address; null once it is deleted
    url: str | None


class Sidebar(TypedDict):
    id: str
    message: str
    users: list[str]
    num_messages: int
    # How many of its messages the caller has not read
    unread: int
    # Unix time in seconds, with fraction
    created_at: float


class MessageEvents(TypedDict):
    type: Literal["edited"] | Literal["deleted"]
    user: str
    # Unix time in seconds, with fraction
    created_at: float


class MessageViaApp(TypedDict):
    id: str
    name: str
    icon: str
    url: str


class _MessageReactions(TypedDict):
    emoji: str
    # How many people reacted with it, in any skin tone
    num: int


class MessageReactions(_MessageReactions, total=False):
    # Whether the caller did; missing in what is for all
    mine: bool


class _Unfurl(TypedDict):
    id: str
    # The link, as it stands in the text
    url: str
    title: str
    text: str
    fields: list[UnfurlFields]
    application: MessageViaApp


class Unfurl(_Unfurl, total=False):
    # Of a foreign page: where the link led when it was posted
    host: str
    # Of a foreign page: what it calls its site; may be empty
    site: str
    picture: UnfurlPicture
    # As they were sent; their shapes are those of `Block`
    blocks: list[Any]


class UnfurlFields(TypedDict):
    name: str
    value: str


class UnfurlPicture(TypedDict):
    # On this server, for those who see the message
    url: str
    width: int
    height: int


class PatchMessageBody(TypedDict, total=False):
    # A text, or a list of texts that are joined by newlines
    text: str | list[str]
    # `plain`, or null for a text with formatting. Without it, what the message had stays
    format: Literal["plain"] | None
    # In the place of those that it has; null: none. A text that was made of blocks is made again
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]
    # `{files, links}` replaces those that it names, `links` also items of your own; what it does not name stays. A
    # list, or an item of your own, replaces them all: `[]` leaves none. Without it, or with null, nothing changes
    attachments: PostMessagesBodyAttachments | list[Any] | dict[str, Any]
    # Moves a conversation of a team to another subject, by its name; null: to none
    subject: str | None


class PostMessageRepliesBody(TypedDict, total=False):
    # A text, or a list of texts that are joined by newlines
    text: str | list[str]
    # `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever
    format: Literal["plain"] | None
    # At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]
    # At most one object of the calling application
    mentions: list[PostMessagesBodyMentions] | PostMessagesBodyMentions
    # Uploads and links, or anything of your own
    attachments: PostMessagesBodyAttachments | list[Any] | dict[str, Any]


class _DirectConversation(TypedDict):
    id: str
    # Everyone in it but the caller; the caller alone for notes to oneself
    users: list[UserSummary]
    # Those whom the caller cannot write to: deactivated, or in no team of the caller
    unreachable: list[str]
    # How many of its messages the caller has not read; replies are not counted
    unread: int
    # Whether a reply in it that concerns the caller is unread: one of its rows in the inbox is new
    unread_reply: bool
    # The newest message or reply
    newest_id: str


class DirectConversation(_DirectConversation, total=False):
    # Of a conversation with an application
    application: DirectConversationApplication
    last: Message


class _DirectConversationApplication(TypedDict):
    id: str
    name: str
    icon: str
    # The team in which it is installed
    team: str


class DirectConversationApplication(_DirectConversationApplication, total=False):
    """Of a conversation with an application."""

    # Why nothing can be written any more: the team has uninstalled it, it sleeps, no admin has granted it
    # `direct:app`, the caller has blocked it, or has left the team
    obstacle: Literal["not_installed", "suspended", "not_granted", "blocked", "left_team"]


class PutTeamReadBody(TypedDict):
    # The id of a message of the team
    up_to: str


class PostTeamReadUndoBody(TypedDict):
    # `meta.undo` of the answer that is undone
    undo: str


class Subject(TypedDict):
    id: str
    name: str
    # A new message in it opens it
    closed: bool
    # Messages that the caller has not read, at most 1000
    num_unread: int
    # Unix time in seconds, with fraction
    last_message_at: float | None
    # Who named it first
    created_by: str


class PatchTeamSubjectBody(TypedDict, total=False):
    # No two in a team are the same but for capitals and accents
    name: str
    closed: bool


class PutTeamSubjectReadBody(TypedDict, total=False):
    # The id of a message of the team, up to which it is read. Default: all of it
    up_to: str


class _GetMessageVersionsItem(TypedDict):
    text: str
    # Who wrote it
    user: str
    # When the edit replaced it
    replaced_at: float


class GetMessageVersionsItem(_GetMessageVersionsItem, total=False):
    # Where the text is shown exactly as it was written; missing where it has formatting
    format: Literal["plain"]
    # As they were sent; their shapes are those of `Block`
    blocks: list[Any]


class _PostedFile(TypedDict):
    id: str
    name: str
    # By its content, whatever the sender said
    type: str
    # In bytes
    size: int
    url: str
    # Of a picture: a small one, as WebP
    thumbnail_url: str | None
    # In pixels; null for what is no picture
    width: int | None
    height: int | None
    # That holds it
    message: str
    author: UserSummary
    # Unix time in seconds, with fraction
    posted_at: float


class PostedFile(_PostedFile, total=False):
    # What that message answers
    reply_to: str
    # In which that message is
    sidebar: str


class PinnedMessage(TypedDict):
    message: Message
    user: UserSummary
    # Unix time in seconds, with fraction
    pinned_at: float


class GetMessageReactionsItem(TypedDict):
    # In no skin tone, as messages count it; or the name of a custom emoji
    emoji: str
    # In the skin tone that the person chose
    given: str
    user: UserSummary
    # Unix time in seconds, with fraction
    created_at: float


class PutMessageUnfurlsBody(TypedDict):
    unfurls: list[PutMessageUnfurlsBodyUnfurls]


class _PutMessageUnfurlsBodyUnfurls(TypedDict):
    # A link to the application, as it stands in the message’s text
    url: str
    # Leads to the link
    title: str


class PutMessageUnfurlsBodyUnfurls(_PutMessageUnfurlsBodyUnfurls, total=False):
    text: str
    # Facts beside each other, such as a state
    fields: list[PutMessageUnfurlsBodyUnfurlsFields]
    # Shown in place of the text and the fields: at most 10 blocks and 8192 bytes of JSON, in which only links can
    # be pressed. Without a text, the card says what they say
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]


class PutMessageUnfurlsBodyUnfurlsFields(TypedDict):
    name: str
    value: str


class InboxEntry(TypedDict):
    # The id of the message that opened it, of the sidebar, or of the team
    conversation: str
    # `team` stands for all unread messages of a team that were not addressed to the caller
    kind: Literal["conversation"] | Literal["sidebar"] | Literal["team"]
    # The message that opened it, or at which the sidebar stands; null for `team`
    message: str | None
    sidebar: str | None
    team: str | None
    # Up to 8 others in it: of a direct message and a sidebar those who take part, else who wrote last and who
    # began; who gave a high five, if that is all that is new
    people: list[UserSummary]
    last: Message
    # The message that the row is about, if `last` is another one: that which it answers, beside which a sidebar
    # stands, or which was given a high five; null if it is deleted or has no text
    about: InboxEntryAbout
    # Why the last message concerns the caller: `mention`, `direct`, `reply` (to a message of theirs), `followed`
    # (to one that they answered), `sidebar`, `reaction`, `high_five` (🙌), `reminder` (a note of their own, for
    # this time), `team`, `unread` (they marked it so)
    reasons: list[str]
    unread: bool
    # An unread message in it mentions the caller
    mentioned: bool
    # It, or its team: it is counted only while `mentioned`
    muted: bool
    num_unread: int
    # Replies to the message so far, or messages in the sidebar, for `done`; 0 for a team
    num_replies: int
    # Unix time in seconds, with fraction
    active_at: float


class InboxEntryAbout(TypedDict):
    """The message that the row is about, if `last` is another one: that which it answers, beside which a sidebar
    stands, or which was given a high five; null if it is deleted or has no text.
    """

    id: str
    author: UserSummary
    # The beginning of its text, without formatting
    text: str


class GetUsersMeInboxCountsItem(TypedDict):
    # Conversations with something new for the caller; direct messages between the same people are one
    total: int
    # Those among them that mention the caller
    mentions: int
    # Those among them that are direct messages or sidebars
    direct: int
    # How many of them stand in a team, sidebars included, by the ids of the teams that have any
    in_teams: dict[str, Any]
    # Teams, none of them muted, with other unread messages
    teams: int


class _PostMessageSidebarsBody(TypedDict):
    # Ids of users who see the message
    users: list[str]


class PostMessageSidebarsBody(_PostMessageSidebarsBody, total=False):
    # A text, or a list of texts that are joined by newlines
    text: str | list[str]
    # `plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever
    format: Literal["plain"] | None


class CustomEmoji(TypedDict):
    # Without colons
    name: str
    # The picture, as WebP. It may move
    url: str
    # Its first frame, for people who prefer less motion; `url` where it does not move
    still_url: str
    animated: bool
    # The user who added it
    creator: str
    # Unix time in seconds, with fraction
    created_at: float


class GetTeamObjectsItem(TypedDict):
    id: str
    name: str
    team: str
    type: str
    # The whole address
    url: str
    # Unix time in seconds, with fraction
    created_at: float
    application: str


class ScheduledMessage(TypedDict):
    id: str
    # The instant that the time means
    at: float
    status: Literal["pending", "sent", "failed", "late"]
    # Why it was not sent: `late` (by more than an hour, its author decides), `unreachable` (the author may not
    # write there any more), `message_gone`, `file_gone`, `account` (it is suspended), `access_ended` (of the
    # application), `refused`, `error`
    reason: str | None
    send_at: WallTime
    # As it was given; null once it is sent
    message: dict[str, Any] | None
    message_id: str | None
    # Whose token scheduled it
    application: str | None


class WallTime(TypedDict):
    # The time on a wall, as `2026-12-01T09:00`
    local: str
    # The zone of that wall, as `Europe/Berlin`
    zone: str


class PostUsersMeScheduledMessagesBody(TypedDict):
    send_at: WallTime
    # As the body of `POST /v1/messages`; or, with `reply_to`, the id of a message, as that of its replies; or, with
    # `sidebar`, the id of one, as that of its messages
    message: dict[str, Any]


class PatchUsersMeScheduledMessageByScheduledBody(TypedDict, total=False):
    send_at: WallTime
    # As the body of `POST /v1/messages`; or, with `reply_to`, the id of a message, as that of its replies; or, with
    # `sidebar`, the id of one, as that of its messages
    message: dict[str, Any]
    # Sends it at once; goes without `send_at`
    send_now: bool


class Reminder(TypedDict):
    id: str
    # The instant that the time means
    at: float
    status: Literal["pending", "sent", "failed", "late"]
    # Why it was not sent: `late` (by more than an hour, its author decides), `unreachable` (the author may not
    # write there any more), `message_gone`, `file_gone`, `account` (it is suspended), `access_ended` (of the
    # application), `refused`, `error`
    reason: str | None
    send_at: WallTime
    # The message that it is about
    message: str | None
    text: str | None
    # The note that it became
    message_id: str | None


class _PostUsersMeRemindersBody(TypedDict):
    at: WallTime


class PostUsersMeRemindersBody(_PostUsersMeRemindersBody, total=False):
    # The id of a message to be reminded of
    message: str | None
    text: str | None


class PostBlocksCheckBody(TypedDict):
    # At most 50 blocks, 400 blocks and elements together, 65536 bytes of JSON
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]


class PostBlocksCheckItem(TypedDict):
    # As they were sent; their shapes are those of `Block`
    blocks: list[Any]
    # What a message with these blocks says where it has no text
    text: str


class PutHomeByUserBody(TypedDict):
    # At most 100 blocks, 400 blocks and elements together, 65536 bytes of JSON
    blocks: list[SectionBlock | HeaderBlock | DividerBlock | ContextBlock | ImageBlock | ActionsBlock | ContextActionsBlock | InputBlock | MarkdownBlock | TableBlock | DataTableBlock | RichTextBlock | CardBlock | CarouselBlock | AlertBlock | ContainerBlock]


class ShownHome(TypedDict):
    application: ShownHomeApplication
    team: str
    # Null until the application has published one for this person
    blocks: list[Any] | None
    # Another one after each change
    hash: str | None


class ShownHomeApplication(TypedDict):
    id: str
    name: str
    icon: str


class PostObjectsBody(TypedDict):
    name: str
    # The id of a team that has the application installed
    team: str
    # A category of the application’s own
    type: str
    # Relative to the application’s base_url
    url: str


class PostObjectsItem(TypedDict):
    id: str


class ApplicationObject(TypedDict):
    id: str
    name: str
    team: str
    type: str
    url: str
    # Unix time in seconds, with fraction
    created_at: float


class PatchObjectBody(TypedDict, total=False):
    name: str
    # A category of the application’s own
    type: str
    # Relative to the application’s base_url
    url: str


class GetTokenFailuresItem(TypedDict):
    # As the token route answered it
    error: str
    # Of the request; `other` for one that there is not, `none` without one
    grant_type: str
    reason: str
    # The reason in words
    message: str
    # How often it happened
    count: int
    # Unix time in seconds, with fraction
    first_at: float
    # Unix time in seconds, with fraction
    last_at: float


class _PostSubscriptionsBody(TypedDict):
    # The events that it asks for:
    kinds: list[Literal[
        "message.posted",
        "reply.posted",
        "mention",
        "link.posted",
        "message.edited",
        "message.deleted",
        "reaction.added",
        "reaction.removed",
        "high_five.given",
        "high_five.withdrawn",
        "message.pinned",
        "message.unpinned",
        "subject.created",
        "subject.renamed",
        "subject.closed",
        "subject.reopened",
        "member.joined",
        "member.left",
        "member.role_changed",
        "person.changed",
        "object.opened",
        "interaction",
        "application.opened",
        "direct.posted",
        "direct.edited",
        "direct.deleted",
        "installation.created",
        "installation.scopes_changed",
        "installation.removed",
    ]]


class PostSubscriptionsBody(_PostSubscriptionsBody, total=False):
    # Only events of these teams; null for all that have the application installed
    teams: list[str] | None
    # Of messages, only those that mention the application; default false
    mentions_only: bool
    # Also the posts, edits and reactions of the application itself, with its own token; default false
    own_messages: bool
    # Of messages, only those that mention an object of the application of this type; of openings, only those of
    # such an object
    object_type: str | None
    # Where events are sent; without it, the application reads them itself
    webhook: PostSubscriptionsBodyWebhook


class _PostSubscriptionsBodyWebhook(TypedDict):
    # An absolute https:// address
    url: str


class PostSubscriptionsBodyWebhook(_PostSubscriptionsBodyWebhook, total=False):
    """Where events are sent; without it, the application reads them itself."""

    # The most events in one call. At 1, the default, the body is an event; above, a list of them
    batch: int


class _SubscriptionWithKey(TypedDict):
    id: str
    application: str
    kinds: list[str]
    teams: list[str] | None
    mentions_only: bool
    own_messages: bool
    object_type: str | None
    # Whether it is the application’s own, for clicks, which `/stream` and `interaction_url` read; `own` names it in
    # addresses
    own: bool
    webhook: SubscriptionWithKeyWebhook
    # Unix time in seconds, with fraction
    created_at: float
    # Unix time in seconds, with fraction
    updated_at: float


class SubscriptionWithKey(_SubscriptionWithKey, total=False):
    # Signs the calls of the webhook (Standard Webhooks); shown this once
    key: str


class SubscriptionWithKeyWebhook(TypedDict):
    url: str
    batch: int
    # Why it is not called: it answered 410 (`gone`), all attempts failed (`failed`), or you paused it (`paused`)
    ended: str | None
    # Since when every call failed, in seconds
    failing_since: float | None
    # Until when it is not called, in seconds
    paused_until: float | None


class Subscription(TypedDict):
    id: str
    application: str
    kinds: list[str]
    teams: list[str] | None
    mentions_only: bool
    own_messages: bool
    object_type: str | None
    # Whether it is the application’s own, for clicks, which `/stream` and `interaction_url` read; `own` names it in
    # addresses
    own: bool
    webhook: SubscriptionWithKeyWebhook
    # Unix time in seconds, with fraction
    created_at: float
    # Unix time in seconds, with fraction
    updated_at: float


class PatchSubscriptionBody(TypedDict, total=False):
    # The events that it asks for:
    kinds: list[Literal[
        "message.posted",
        "reply.posted",
        "mention",
        "link.posted",
        "message.edited",
        "message.deleted",
        "reaction.added",
        "reaction.removed",
        "high_five.given",
        "high_five.withdrawn",
        "message.pinned",
        "message.unpinned",
        "subject.created",
        "subject.renamed",
        "subject.closed",
        "subject.reopened",
        "member.joined",
        "member.left",
        "member.role_changed",
        "person.changed",
        "object.opened",
        "interaction",
        "application.opened",
        "direct.posted",
        "direct.edited",
        "direct.deleted",
        "installation.created",
        "installation.scopes_changed",
        "installation.removed",
    ]]
    # Only events of these teams; null for all that have the application installed
    teams: list[str] | None
    # Of messages, only those that mention the application; default false
    mentions_only: bool
    # Also the posts, edits and reactions of the application itself, with its own token; default false
    own_messages: bool
    # Of messages, only those that mention an object of the application of this type; of openings, only those of
    # such an object
    object_type: str | None
    # Where events are sent; without it, the application reads them itself
    webhook: PostSubscriptionsBodyWebhook
    # true keeps the webhook from being called until it is resumed
    pause: bool
    # true calls a webhook that ended or is paused again, from where it stopped
    resume: bool


class _PostSubscriptionReplaysBody(TypedDict):
    # Everything since a time in seconds, or after the event with this id
    since: str


class PostSubscriptionReplaysBody(_PostSubscriptionReplaysBody, total=False):
    # Up to a time in seconds, or to the event with this id; default: now
    until: str


class PostSubscriptionKeyBody(TypedDict, total=False):
    # Default: 86400
    overlap_seconds: int


class PostSubscriptionKeyItem(TypedDict):
    # Shown this once
    key: str
    # Unix time in seconds, with fraction
    previous_expires_at: float


class GetSubscriptionConsumersItem(TypedDict):
    name: str
    # Unix time in seconds, with fraction
    used_at: float
    # Streams that share its work now
    copies: int


class PutSubscriptionConsumerCursorBody(TypedDict, total=False):
    # `meta.next_cursor` of a page: it is done
    cursor: str
    # Everything since a time, as seconds since 1970, or after the event with this id
    since: str


class PostSubscriptionConsumerAcknowledgementsBody(TypedDict):
    # Their ids
    events: list[str]


class PostSubscriptionConsumerAcknowledgementsItem(TypedDict):
    # How many of them are known
    acknowledged: int


class Attachment(TypedDict):
    id: str
    name: str
    # By its content, whatever the sender said
    type: str
    # In bytes
    size: int
    url: str
    # WebP, at most 480 pixels wide and high
    thumbnail_url: str | None
    # In pixels; null for what is no picture
    width: int | None
    height: int | None
    # Unix time in seconds, with fraction
    created_at: float


class _Introspection(TypedDict):
    # false also for tokens of other applications; then there is nothing else
    active: bool


class Introspection(_Introspection, total=False):
    client_id: str
    # The user; of an own token, the author
    sub: str
    # From which team it was given
    team: str
    # `Bearer` or `refresh_token`
    token_type: str
    # When it ends, Unix time in seconds
    exp: int
    # Since when it acts, Unix time in seconds
    iat: int
    # What it may do now, separated by spaces
    scope: str


class MessagePostedEvent(TypedDict):
    """a message to a team, which answers no other."""

    id: str
    type: Literal["message.posted"]
    # When it happened
    timestamp: str
    data: MessagePostedEventData


class MessagePostedEventData(TypedDict):
    team: str
    message: MaybeDeletedMessage


class _MaybeDeletedMessage(TypedDict):
    id: str


class MaybeDeletedMessage(_MaybeDeletedMessage, total=False):
    """The same; of a message that was deleted since, the id alone."""

    # 1 as it was posted; each edit counts one more
    version: int
    # Of this version; `{0}` stands where the mentioned object’s link belongs. Null when it is not kept any more
    text: str | None
    # Of this version; their shapes are those of `Block` in openapi.json
    blocks: list[Any]
    author: str
    # `user`; `application` where an application, or an incoming webhook, wrote it as itself
    author_type: str
    # The application that posted it for the author
    via_app: str | None
    # The message that it answers
    reply_to: str | None
    # The object of an application that it links to
    mentions: list[MaybeDeletedMessageMentions]
    attachments: list[Any]
    # Unix time in seconds, with fraction
    created_at: float


class MaybeDeletedMessageMentions(TypedDict):
    type: str
    id: str
    name: str


class ReplyPostedEvent(TypedDict):
    """an answer to a message to a team."""

    id: str
    type: Literal["reply.posted"]
    # When it happened
    timestamp: str
    data: MessagePostedEventData


class MentionEvent(TypedDict):
    """a message or an answer that mentions the application, in place of `message.posted` or `reply.posted`."""

    id: str
    type: Literal["mention"]
    # When it happened
    timestamp: str
    data: MentionEventData


class _MentionEventData(TypedDict):
    team: str
    message: HeardMessage


class MentionEventData(_MentionEventData, total=False):
    # Those to the application, each once, when `link.posted` is asked for
    links: list[MentionEventDataLinks]


class _HeardMessage(TypedDict):
    id: str
    # 1 as it was posted; each edit counts one more
    version: int
    # Of this version; `{0}` stands where the mentioned object’s link belongs. Null when it is not kept any more
    text: str | None
    author: str
    # `user`; `application` where an application, or an incoming webhook, wrote it as itself
    author_type: str
    # The application that posted it for the author
    via_app: str | None
    # The message that it answers
    reply_to: str | None
    # The object of an application that it links to
    mentions: list[MaybeDeletedMessageMentions]
    attachments: list[Any]
    # Unix time in seconds, with fraction
    created_at: float


class HeardMessage(_HeardMessage, total=False):
    """A message at the version that the event tells of."""

    # Of this version; their shapes are those of `Block` in openapi.json
    blocks: list[Any]


class MentionEventDataLinks(TypedDict):
    # As it stands in the text
    url: str


class LinkPostedEvent(TypedDict):
    """a message or an answer with links to the application’s `link_prefixes`, in place of `message.posted` or
    `reply.posted`; in a `mention` the links are, too.
    """

    id: str
    type: Literal["link.posted"]
    # When it happened
    timestamp: str
    data: LinkPostedEventData


class LinkPostedEventData(TypedDict):
    team: str
    message: HeardMessage
    # Those to the application, each once, when `link.posted` is asked for
    links: list[MentionEventDataLinks]


class MessageEditedEvent(TypedDict):
    """a message or an answer has another text, or other attachments."""

    id: str
    type: Literal["message.edited"]
    # When it happened
    timestamp: str
    data: MessagePostedEventData


class MessageDeletedEvent(TypedDict):
    """a message or an answer was deleted."""

    id: str
    type: Literal["message.deleted"]
    # When it happened
    timestamp: str
    data: MessageDeletedEventData


class MessageDeletedEventData(TypedDict):
    team: str
    message: PostObjectsItem


class ReactionAddedEvent(TypedDict):
    """a user reacted to a message."""

    id: str
    type: Literal["reaction.added"]
    # When it happened
    timestamp: str
    data: ReactionAddedEventData


class ReactionAddedEventData(TypedDict):
    team: str
    message: PostObjectsItem
    emoji: str
    user: str


class ReactionRemovedEvent(TypedDict):
    """a user took it back."""

    id: str
    type: Literal["reaction.removed"]
    # When it happened
    timestamp: str
    data: ReactionAddedEventData


class HighFiveGivenEvent(TypedDict):
    """a user reacted with 🙌; in place of `reaction.added`, where both are heard."""

    id: str
    type: Literal["high_five.given"]
    # When it happened
    timestamp: str
    data: HighFiveGivenEventData


class HighFiveGivenEventData(TypedDict):
    team: str
    message: PostObjectsItem
    user: str


class HighFiveWithdrawnEvent(TypedDict):
    """a user took it back; in place of `reaction.removed`."""

    id: str
    type: Literal["high_five.withdrawn"]
    # When it happened
    timestamp: str
    data: HighFiveGivenEventData


class MessagePinnedEvent(TypedDict):
    """a user pinned a message to its team."""

    id: str
    type: Literal["message.pinned"]
    # When it happened
    timestamp: str
    data: HighFiveGivenEventData


class MessageUnpinnedEvent(TypedDict):
    """a user unpinned it; the deletion of a message does so without this event."""

    id: str
    type: Literal["message.unpinned"]
    # When it happened
    timestamp: str
    data: HighFiveGivenEventData


class SubjectCreatedEvent(TypedDict):
    """a message began a subject in a team."""

    id: str
    type: Literal["subject.created"]
    # When it happened
    timestamp: str
    data: SubjectCreatedEventData


class SubjectCreatedEventData(TypedDict):
    team: str
    subject: SubjectCreatedEventDataSubject
    user: str


class SubjectCreatedEventDataSubject(TypedDict):
    id: str
    name: str


class SubjectRenamedEvent(TypedDict):
    """a subject has another name; its id stays."""

    id: str
    type: Literal["subject.renamed"]
    # When it happened
    timestamp: str
    data: SubjectCreatedEventData


class SubjectClosedEvent(TypedDict):
    """a subject was closed."""

    id: str
    type: Literal["subject.closed"]
    # When it happened
    timestamp: str
    data: SubjectCreatedEventData


class SubjectReopenedEvent(TypedDict):
    """a subject was opened again, by hand or by a message in it."""

    id: str
    type: Literal["subject.reopened"]
    # When it happened
    timestamp: str
    data: SubjectCreatedEventData


class MemberJoinedEvent(TypedDict):
    """a user joined a team."""

    id: str
    type: Literal["member.joined"]
    # When it happened
    timestamp: str
    data: MemberJoinedEventData


class MemberJoinedEventData(TypedDict):
    team: str
    user: str


class MemberLeftEvent(TypedDict):
    """a user left a team, or was removed."""

    id: str
    type: Literal["member.left"]
    # When it happened
    timestamp: str
    data: MemberJoinedEventData


class MemberRoleChangedEvent(TypedDict):
    """a member became an admin, or an admin a member."""

    id: str
    type: Literal["member.role_changed"]
    # When it happened
    timestamp: str
    data: MemberJoinedEventData


class PersonChangedEvent(TypedDict):
    """a member changed their status, or `do_not_disturb_until`; both are as they are when the event is sent, and null
    without one. No event is sent when either ends.
    """

    id: str
    type: Literal["person.changed"]
    # When it happened
    timestamp: str
    data: PersonChangedEventData


class PersonChangedEventData(TypedDict):
    team: str
    user: str
    status: PersonChangedEventDataStatus
    # Unix time in seconds, with fraction
    do_not_disturb_until: float | None


class PersonChangedEventDataStatus(TypedDict):
    emoji: str | None
    text: str
    # Unix time in seconds, with fraction
    until: float | None


class ObjectOpenedEvent(TypedDict):
    """a user followed a link to an object of the application."""

    id: str
    type: Literal["object.opened"]
    # When it happened
    timestamp: str
    data: ObjectOpenedEventData


class ObjectOpenedEventData(TypedDict):
    team: str
    object: str
    user: str


class InteractionEvent(TypedDict):
    """a user pressed or chose something in the blocks of a message of the application, types to find an option, gave
    it a command, chose one of its shortcuts, or submitted or closed one of its forms.
    """

    id: str
    type: Literal["interaction"]
    # When it happened
    timestamp: str
    data: InteractionEventData


class _InteractionEventData(TypedDict):
    team: str
    # `action`: pressed or chosen. `options`: asks for the options of an `external_select` that fit `value`.
    # `command`: written in the composer. `shortcut`, `message_action`: chosen by its name, in a team or for a
    # message. `form`, `form_closed`: a form was submitted, or closed without that
    kind: Literal["action", "options", "command", "shortcut", "message_action", "form", "form_closed"]
    # Of the click, which is told once
    id: str
    # Where it is answered; a secret of the application
    response_url: str
    user: str


class InteractionEventData(_InteractionEventData, total=False):
    message: PostObjectsItem
    # Of what happens in a form
    form: InteractionEventDataForm
    # Its name, without the slash
    command: str
    # The arguments of a command, as they were written
    text: str
    block_id: str
    # Missing of a command
    action_id: str
    # Of a button: what its application gave it
    value: str
    values: list[str]
    # What the elements of the message, the form or the home hold: `{block_id: {action_id: value or values}}`
    state: dict[str, Any]


class _InteractionEventDataForm(TypedDict):
    id: str
    hash: str
    title: str


class InteractionEventDataForm(_InteractionEventDataForm, total=False):
    """Of what happens in a form."""

    callback_id: str
    metadata: str


class ApplicationOpenedEvent(TypedDict):
    """a user looks at the page of the application, which it publishes by `PUT
    /v1/applications/:application/homes/:user`.
    """

    id: str
    type: Literal["application.opened"]
    # When it happened
    timestamp: str
    data: ApplicationOpenedEventData


class ApplicationOpenedEventData(TypedDict):
    team: str
    user: str
    # Of the visit, which is told once
    id: str
    # Where it is answered; a secret of the application
    response_url: str


class DirectPostedEvent(TypedDict):
    """a user wrote to the application in a direct conversation: a message, or an answer (it has `reply_to`)."""

    id: str
    type: Literal["direct.posted"]
    # When it happened
    timestamp: str
    data: DirectPostedEventData


class DirectPostedEventData(TypedDict):
    team: str
    message: MaybeDeletedMessage
    user: str


class DirectEditedEvent(TypedDict):
    """a user edited such a message."""

    id: str
    type: Literal["direct.edited"]
    # When it happened
    timestamp: str
    data: DirectPostedEventData


class DirectDeletedEvent(TypedDict):
    """a user deleted such a message."""

    id: str
    type: Literal["direct.deleted"]
    # When it happened
    timestamp: str
    data: HighFiveGivenEventData


class InstallationCreatedEvent(TypedDict):
    """a team installed the application."""

    id: str
    type: Literal["installation.created"]
    # When it happened
    timestamp: str
    data: InstallationCreatedEventData


class InstallationCreatedEventData(TypedDict):
    team: str
    installation: str


class InstallationScopesChangedEvent(TypedDict):
    """an admin granted other scopes."""

    id: str
    type: Literal["installation.scopes_changed"]
    # When it happened
    timestamp: str
    data: InstallationCreatedEventData


class InstallationRemovedEvent(TypedDict):
    """a team uninstalled the application."""

    id: str
    type: Literal["installation.removed"]
    # When it happened
    timestamp: str
    data: InstallationCreatedEventData


Event = Union[
    MessagePostedEvent,
    ReplyPostedEvent,
    MentionEvent,
    LinkPostedEvent,
    MessageEditedEvent,
    MessageDeletedEvent,
    ReactionAddedEvent,
    ReactionRemovedEvent,
    HighFiveGivenEvent,
    HighFiveWithdrawnEvent,
    MessagePinnedEvent,
    MessageUnpinnedEvent,
    SubjectCreatedEvent,
    SubjectRenamedEvent,
    SubjectClosedEvent,
    SubjectReopenedEvent,
    MemberJoinedEvent,
    MemberLeftEvent,
    MemberRoleChangedEvent,
    PersonChangedEvent,
    ObjectOpenedEvent,
    InteractionEvent,
    ApplicationOpenedEvent,
    DirectPostedEvent,
    DirectEditedEvent,
    DirectDeletedEvent,
    InstallationCreatedEvent,
    InstallationScopesChangedEvent,
    InstallationRemovedEvent,
]


class Tokens(TypedDict):
    """What ``exchange_code`` and ``refresh`` answer (RFC 6749 §5.1). Keep both tokens."""

    access_token: str
    refresh_token: str
    expires_in: int
    token_type: str


class _Answer:
    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status = status
        self.content = content
        self.retry_after = _seconds(headers.get("Retry-After"))
        self.body: Any = None
        if "json" in headers.get("Content-Type", ""):
            try:
                self.body = json.loads(content)
            except ValueError:
                pass

    @property
    def errors(self) -> list[dict[str, Any]]:
        return self.body.get("errors", []) if isinstance(self.body, dict) else []

    @property
    def may_work_later(self) -> bool:
        """Includes a request whose duplicate is still in progress: the next attempt gets its answer."""
        reason = self.errors[0].get("reason") if self.errors else None
        return self.status in _TEMPORARY or (self.status == 409 and reason == "in_progress")


def _seconds(value: str | None) -> float | None:
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


class _NoRedirects(HTTPRedirectHandler):
    """urllib would send the credentials to the next address, too."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def _attempt(request: Request, timeout: float) -> _Answer:
    try:
        with _opener.open(request, timeout=timeout) as response:
            return _Answer(response.status, response.headers, response.read())
    except HTTPError as error:
        with error:
            return _Answer(error.code, error.headers, error.read())
    except (OSError, http.client.HTTPException) as error:
        raise _unreachable(request, error) from error


def _unreachable(request: Request, error: Exception) -> OSError:
    """Names the server that could not be reached: the error of urllib says only why."""
    url = urlsplit(request.full_url)
    reason = getattr(error, "reason", error)
    kind = TimeoutError if isinstance(reason, TimeoutError) else ConnectionError
    return kind(f"cannot reach {url.scheme}://{url.netloc}: {reason}")


def _send(request: Request, repeatable: bool, timeout: float) -> _Answer:
    """Sends a request, and again when the answer was lost or is temporary. Raises OSError when there is no connection."""
    for usual in _PAUSES if repeatable else ():
        pause = usual
        try:
            answer = _attempt(request, timeout)
        except OSError:
            # A lost answer leads to another attempt. The last attempt, below, raises its error.
            pass
        else:
            if not answer.may_work_later:
                return answer
            pause = usual if answer.retry_after is None else answer.retry_after
            if pause > _LONGEST_PAUSE:
                return answer
        time.sleep(pause)
    return _attempt(request, timeout)


class _Caller:
    """Asks the platform. ``authorization`` is the whole header."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url.rstrip("/")

    def _authorization(self) -> str:
        raise NotImplementedError

    def _renewed(self, _authorization: str) -> str | None:
        """The header in place of one whose token has expired; None where there is no other one."""
        return None

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
        content: tuple[str, bytes] | None = None,
        timeout: float = _TIMEOUT,
    ) -> _Answer:
        headers = {"Idempotency-Key": key} if key is not None else {}
        data = None
        if content is not None:
            headers["Content-Type"], data = content
        elif body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        given = {name: _parameter(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + (f"?{urlencode(given, doseq=True)}" if given else "")

        def ask(authorization: str) -> _Answer:
            request = Request(url, data, {**headers, "Authorization": authorization}, method=method)
            return _send(request, method == "GET" or key is not None, timeout)

        authorization = self._authorization()
        answer = ask(authorization)
        if answer.errors and answer.errors[0].get("code") == _EXPIRED:
            renewed = self._renewed(authorization)
            if renewed is not None:
                answer = ask(renewed)
        if answer.status != 200:
            raise self._refusal(answer)
        return answer

    def _refusal(self, answer: _Answer) -> ParleyError:
        return ParleyError(answer.status, answer.errors)

    def _all(self, method: str, path: str, **asked: Any) -> list[Any]:
        return self._page(method, path, **asked)[0]

    def _page(self, method: str, path: str, **asked: Any) -> tuple[list[Any], dict[str, Any]]:
        answer = self._ask(method, path, **asked)
        body = answer.body if isinstance(answer.body, dict) else {}
        if "data" not in body:
            raise ParleyError(answer.status, [])
        return body["data"], body.get("meta", {})

    def _one(self, method: str, path: str, **asked: Any) -> Any:
        found = self._first(method, path, **asked)
        if found is None:
            raise ParleyError(200, [])
        return found

    def _first(self, method: str, path: str, **asked: Any) -> Any:
        """None where the token may write and not read."""
        found = self._all(method, path, **asked)
        return found[0] if found else None

    def _items(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """The items of a list: the next page is asked for when the loop needs it."""
        cursor = None
        while True:
            data, meta = self._page("GET", path, query={**query, "cursor": cursor})
            yield from data
            cursor = meta.get("next_cursor")
            if cursor is None:
                return

    def _file(self, path: str) -> bytes:
        return self._ask("GET", path, timeout=_FILE_TIMEOUT).content


def _parameter(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def _segment(value: str) -> str:
    return quote(value, safe="")


def _key(key: str | None) -> str:
    """Names a POST, so that it can be repeated when its answer is lost."""
    return str(uuid.uuid4()) if key is None else key


def _wall_time(at: datetime) -> dict[str, str]:
    if at.tzinfo is None:
        raise ValueError("The time needs its zone: tzinfo=ZoneInfo(...)")
    return {"local": at.strftime("%Y-%m-%dT%H:%M"), "zone": str(at.tzinfo)}


class _TokenRoutes(_Caller):
    """Everything that is done with an access token."""

    def upload(self, name: str, content: bytes | str, *, key: str | None = None) -> Attachment:
        """Uploads a file. A message takes it up by ``"attachments": {"files": [id]}``."""
        boundary = uuid.uuid4().hex
        file_name = name.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n'
        middle = "Content-Type: application/octet-stream\r\n\r\n"
        data = content.encode() if isinstance(content, str) else content
        body = (head + middle).encode() + data + f"\r\n--{boundary}--\r\n".encode()
        form = (f"multipart/form-data; boundary={boundary}", body)
        return cast(
            Attachment,
            self._one("POST", "/v1/attachments", content=form, key=_key(key), timeout=_FILE_TIMEOUT),
        )

    def schedule(self, message: Mapping[str, Any], send_at: datetime, *, key: str | None = None) -> ScheduledMessage:
        """Sends a message at a time in its zone, as ``datetime(2026, 12, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))``.

        The message is the body of a post; with ``reply_to`` an answer, with ``sidebar`` a message into a sidebar. It is
        sent with the rights that there are then.
        """
        body = {"send_at": _wall_time(send_at), "message": dict(message)}
        return self.post_users_me_scheduled_messages(cast(PostUsersMeScheduledMessagesBody, body), key=key)

    def scheduled(self) -> Iterator[ScheduledMessage]:
        """The scheduled messages of the application that this token may see, the next one first."""
        return self.get_users_me_scheduled_messages()

    def change_scheduled(
        self,
        scheduled: str,
        *,
        send_at: datetime | None = None,
        message: Mapping[str, Any] | None = None,
        send_now: bool = False,
    ) -> ScheduledMessage:
        """Gives one another time or content, or sends it now."""
        change: dict[str, Any] = {"send_now": True} if send_now else {}
        if send_at is not None:
            change["send_at"] = _wall_time(send_at)
        if message is not None:
            change["message"] = dict(message)
        body = cast(PatchUsersMeScheduledMessageByScheduledBody, change)
        return cast(ScheduledMessage, self.patch_users_me_scheduled_message_by_scheduled(scheduled, body))

    def cancel_scheduled(self, scheduled: str) -> None:
        """It is not sent."""
        self.delete_users_me_scheduled_message_by_scheduled(scheduled)

    def get_users_me(self) -> SessionUser:
        """The user who is signed in, or on whose behalf the token acts."""
        return cast("SessionUser", self._one("GET", "/v1/users/me"))

    def patch_users_me(self, body: PatchUsersMeBody) -> SessionUser | None:
        """Change one’s own profile and preferences."""
        return cast("SessionUser | None", self._first("PATCH", "/v1/users/me", body=body))

    def get_user(self, user: str) -> UserProfile:
        """A user’s public profile."""
        return cast("UserProfile", self._one("GET", f"/v1/users/{_segment(user)}"))

    def put_users_me_image(self) -> UserProfile | None:
        """Upload one’s picture: multipart, one `file`."""
        return cast("UserProfile | None", self._first("PUT", "/v1/users/me/image"))

    def delete_users_me_image(self) -> UserProfile | None:
        """Go back to the picture with the initials."""
        return cast("UserProfile | None", self._first("DELETE", "/v1/users/me/image"))

    def get_team(self, team: str) -> Team:
        """A team of the caller."""
        return cast("Team", self._one("GET", f"/v1/teams/{_segment(team)}"))

    def patch_team(self, team: str, body: PatchTeamBody) -> Team | None:
        """Change a team."""
        return cast("Team | None", self._first("PATCH", f"/v1/teams/{_segment(team)}", body=body))

    def get_team_users(self, team: str, *, limit: int | None = None) -> Iterator[Membership]:
        """The members of a team."""
        asked = {"limit": limit}
        return cast("Iterator[Membership]", self._items(f"/v1/teams/{_segment(team)}/users", asked))

    def delete_team_user(self, team: str, user: str) -> None:
        """Remove a member, or leave."""
        self._all("DELETE", f"/v1/teams/{_segment(team)}/users/{_segment(user)}")

    def post_team_invitations(
        self,
        team: str,
        body: PostTeamInvitationsBody,
        *,
        key: str | None = None,
    ) -> PostTeamInvitationsItem:
        """Invite people; each answer holds a link that works once."""
        return cast(
            "PostTeamInvitationsItem",
            self._one("POST", f"/v1/teams/{_segment(team)}/invitations", body=body, key=_key(key)),
        )

    def get_team_invitations(self, team: str) -> list[PostTeamInvitationsItem]:
        """The invitations that are still open."""
        return cast("list[PostTeamInvitationsItem]", self._all("GET", f"/v1/teams/{_segment(team)}/invitations"))

    def delete_team_invitation(self, team: str, invitation: str) -> None:
        """Withdraw an invitation that is still open; its link works no more."""
        self._all("DELETE", f"/v1/teams/{_segment(team)}/invitations/{_segment(invitation)}")

    def get_users_me_teams(self, *, users: list[str] | None = None) -> list[str | Membership]:
        """The caller’s memberships; with `users`, the ids of the teams in common with them."""
        asked = {"users": users}
        return cast("list[str | Membership]", self._all("GET", "/v1/users/me/teams", query=asked))

    def get_users_me_connections(
        self,
        *,
        limit: int | None = None,
        query: str | None = None,
        usernames: list[str] | None = None,
        users: list[str] | None = None,
        team: str | None = None,
        active: bool | None = None,
    ) -> Iterator[UserSummary]:
        """The members of all teams of the caller."""
        asked = {
            "limit": limit,
            "query": query,
            "usernames": usernames,
            "users": users,
            "team": team,
            "active": active,
        }
        return cast("Iterator[UserSummary]", self._items("/v1/users/me/connections", asked))

    def post_messages(self, body: PostMessagesBody, *, key: str | None = None) -> Message:
        """Post a message to a team, to users or to an application."""
        return cast("Message", self._one("POST", "/v1/messages", body=body, key=_key(key)))

    def get_messages(
        self,
        *,
        team: str | None = None,
        subject: str | None = None,
        tag: Literal["_inbox", "_sent", "_direct", "_unread"] | None = None,
        with_: str | None = None,
        application: str | None = None,
        order: Literal["newest", "oldest"] | None = None,
        around: str | None = None,
        at: float | None = None,
        q: str | None = None,
        author: str | None = None,
        after: float | None = None,
        before: float | None = None,
        has: Literal["file", "link", "object"] | None = None,
        limit: int | None = None,
    ) -> Iterator[Message]:
        """Messages that the caller may see."""
        asked = {
            "team": team,
            "subject": subject,
            "tag": tag,
            "with": with_,
            "application": application,
            "order": order,
            "around": around,
            "at": at,
            "q": q,
            "author": author,
            "after": after,
            "before": before,
            "has": has,
            "limit": limit,
        }
        return cast("Iterator[Message]", self._items("/v1/messages", asked))

    def get_message(self, message: str) -> Message:
        """One message."""
        return cast("Message", self._one("GET", f"/v1/messages/{_segment(message)}"))

    def patch_message(self, message: str, body: PatchMessageBody) -> Message | None:
        """Edit one’s own message, or move a conversation to another subject."""
        return cast("Message | None", self._first("PATCH", f"/v1/messages/{_segment(message)}", body=body))

    def delete_message(self, message: str) -> None:
        """Delete a message: its text is gone for good, its place stays."""
        self._all("DELETE", f"/v1/messages/{_segment(message)}")

    def get_message_replies(self, message: str, *, limit: int | None = None) -> Iterator[Message]:
        """The replies to a message, the oldest first."""
        asked = {"limit": limit}
        return cast("Iterator[Message]", self._items(f"/v1/messages/{_segment(message)}/replies", asked))

    def post_message_replies(
        self,
        message: str,
        body: PostMessageRepliesBody,
        *,
        key: str | None = None,
    ) -> Message:
        """Answer a message; all who see it see the answer."""
        return cast(
            "Message",
            self._one("POST", f"/v1/messages/{_segment(message)}/replies", body=body, key=_key(key)),
        )

    def get_users_me_conversations(
        self,
        *,
        with_: str | None = None,
        application: str | None = None,
        team: str | None = None,
        limit: int | None = None,
    ) -> Iterator[DirectConversation]:
        """Conversations of direct messages, one for each set of people."""
        asked = {"with": with_, "application": application, "team": team, "limit": limit}
        return cast("Iterator[DirectConversation]", self._items("/v1/users/me/conversations", asked))

    def put_message_read(self, message: str) -> Message | None:
        """Mark as read, with its replies."""
        return cast("Message | None", self._first("PUT", f"/v1/messages/{_segment(message)}/read"))

    def delete_message_read(self, message: str) -> Message | None:
        """Mark as unread."""
        return cast("Message | None", self._first("DELETE", f"/v1/messages/{_segment(message)}/read"))

    def put_team_read(self, team: str, body: PutTeamReadBody) -> Team | None:
        """Mark a team’s messages as read up to one of them."""
        return cast("Team | None", self._first("PUT", f"/v1/teams/{_segment(team)}/read", body=body))

    def post_team_read_undo(self, team: str, body: PostTeamReadUndoBody, *, key: str | None = None) -> Team:
        """Make a team’s messages as unread as before they were marked as read."""
        return cast("Team", self._one("POST", f"/v1/teams/{_segment(team)}/read/undo", body=body, key=_key(key)))

    def get_team_subjects(self, team: str, *, limit: int | None = None) -> Iterator[Subject]:
        """The subjects of a team, with what is unread in each."""
        asked = {"limit": limit}
        return cast("Iterator[Subject]", self._items(f"/v1/teams/{_segment(team)}/subjects", asked))

    def patch_team_subject(self, team: str, subject: str, body: PatchTeamSubjectBody) -> Subject | None:
        """Rename a subject, close it, or open it again."""
        return cast(
            "Subject | None",
            self._first("PATCH", f"/v1/teams/{_segment(team)}/subjects/{_segment(subject)}", body=body),
        )

    def put_team_subject_read(self, team: str, subject: str, body: PutTeamSubjectReadBody) -> Subject | None:
        """Mark the messages of a subject as read, and no others of the team."""
        return cast(
            "Subject | None",
            self._first("PUT", f"/v1/teams/{_segment(team)}/subjects/{_segment(subject)}/read", body=body),
        )

    def get_message_versions(self, message: str, *, limit: int | None = None) -> Iterator[GetMessageVersionsItem]:
        """The texts of a message before its edits, the newest version first."""
        asked = {"limit": limit}
        return cast(
            "Iterator[GetMessageVersionsItem]",
            self._items(f"/v1/messages/{_segment(message)}/versions", asked),
        )

    def get_team_files(
        self,
        team: str,
        *,
        q: str | None = None,
        kind: Literal["picture", "video", "audio", "document"] | None = None,
        user: str | None = None,
        limit: int | None = None,
    ) -> Iterator[PostedFile]:
        """The files of a team that the caller sees."""
        asked = {"q": q, "kind": kind, "user": user, "limit": limit}
        return cast("Iterator[PostedFile]", self._items(f"/v1/teams/{_segment(team)}/files", asked))

    def get_users_me_conversation_files(
        self,
        conversation: str,
        *,
        q: str | None = None,
        kind: Literal["picture", "video", "audio", "document"] | None = None,
        user: str | None = None,
        limit: int | None = None,
    ) -> Iterator[PostedFile]:
        """The files of a direct conversation."""
        asked = {"q": q, "kind": kind, "user": user, "limit": limit}
        return cast(
            "Iterator[PostedFile]",
            self._items(f"/v1/users/me/conversations/{_segment(conversation)}/files", asked),
        )

    def get_quotes(self, *, messages: str | None = None) -> list[Message | None]:
        """Messages that others refer to, as they are now and as the caller may read them."""
        asked = {"messages": messages}
        return cast("list[Message | None]", self._all("GET", "/v1/quotes", query=asked))

    def get_team_pins(self, team: str, *, limit: int | None = None) -> Iterator[PinnedMessage]:
        """The messages that a team has pinned, the newest pin first."""
        asked = {"limit": limit}
        return cast("Iterator[PinnedMessage]", self._items(f"/v1/teams/{_segment(team)}/pins", asked))

    def put_team_pin_by_message(self, team: str, message: str) -> Message | None:
        """Pin a message of a team."""
        return cast("Message | None", self._first("PUT", f"/v1/teams/{_segment(team)}/pins/{_segment(message)}"))

    def delete_team_pin_by_message(self, team: str, message: str) -> Message | None:
        """Unpin a message of a team."""
        return cast("Message | None", self._first("DELETE", f"/v1/teams/{_segment(team)}/pins/{_segment(message)}"))

    def get_message_reactions(
        self,
        message: str,
        *,
        limit: int | None = None,
        emoji: str | None = None,
    ) -> Iterator[GetMessageReactionsItem]:
        """The reactions to a message with their people, the newest first."""
        asked = {"limit": limit, "emoji": emoji}
        return cast(
            "Iterator[GetMessageReactionsItem]",
            self._items(f"/v1/messages/{_segment(message)}/reactions", asked),
        )

    def put_message_reaction_by_emoji(self, message: str, emoji: str) -> Message | None:
        """React to a message."""
        return cast(
            "Message | None",
            self._first("PUT", f"/v1/messages/{_segment(message)}/reactions/{_segment(emoji)}"),
        )

    def delete_message_reaction_by_emoji(self, message: str, emoji: str) -> Message | None:
        """Take a reaction back."""
        return cast(
            "Message | None",
            self._first("DELETE", f"/v1/messages/{_segment(message)}/reactions/{_segment(emoji)}"),
        )

    def get_message_high_fives(self, message: str, *, limit: int | None = None) -> Iterator[UserSummary]:
        """The people who gave a message high fives, the newest first."""
        asked = {"limit": limit}
        return cast("Iterator[UserSummary]", self._items(f"/v1/messages/{_segment(message)}/high_fives", asked))

    def put_message_high_five(self, message: str) -> Message | None:
        """Give a high five."""
        return cast("Message | None", self._first("PUT", f"/v1/messages/{_segment(message)}/high_five"))

    def delete_message_high_five(self, message: str) -> Message | None:
        """Take a high five back."""
        return cast("Message | None", self._first("DELETE", f"/v1/messages/{_segment(message)}/high_five"))

    def put_message_unfurls(self, message: str, body: PutMessageUnfurlsBody) -> Message | None:
        """Show what links to the calling application lead to, in place of what it showed before."""
        return cast("Message | None", self._first("PUT", f"/v1/messages/{_segment(message)}/unfurls", body=body))

    def delete_message_unfurls(self, message: str) -> Message | None:
        """Take away what the calling application shows of links to itself."""
        return cast("Message | None", self._first("DELETE", f"/v1/messages/{_segment(message)}/unfurls"))

    def delete_message_unfurl(self, message: str, unfurl: str) -> Message | None:
        """Remove a preview for good."""
        return cast(
            "Message | None",
            self._first("DELETE", f"/v1/messages/{_segment(message)}/unfurls/{_segment(unfurl)}"),
        )

    def get_picture_by_reference(self, reference: str) -> bytes:
        """A picture of foreign origin, as WebP, under the address that what shows it names."""
        return cast("bytes", self._file(f"/v1/pictures/{_segment(reference)}"))

    def get_users_me_inbox(
        self,
        *,
        filter: Literal["new", "all", "mentions", "threads"] | None = None,
        limit: int | None = None,
    ) -> Iterator[InboxEntry]:
        """What is new to the caller, the newest first."""
        asked = {"filter": filter, "limit": limit}
        return cast("Iterator[InboxEntry]", self._items("/v1/users/me/inbox", asked))

    def get_users_me_inbox_counts(self) -> list[GetUsersMeInboxCountsItem]:
        """How much is new to the caller."""
        return cast("list[GetUsersMeInboxCountsItem]", self._all("GET", "/v1/users/me/inbox/counts"))

    def post_message_sidebars(
        self,
        message: str,
        body: PostMessageSidebarsBody,
        *,
        key: str | None = None,
    ) -> Sidebar:
        """Begin a private conversation beside a message."""
        return cast(
            "Sidebar",
            self._one("POST", f"/v1/messages/{_segment(message)}/sidebars", body=body, key=_key(key)),
        )

    def get_message_sidebars(self, message: str) -> list[Sidebar]:
        """The sidebars beside a message that the caller is in."""
        return cast("list[Sidebar]", self._all("GET", f"/v1/messages/{_segment(message)}/sidebars"))

    def get_sidebar(self, sidebar: str) -> Sidebar:
        """A sidebar that the caller is in, with the message that it stands at."""
        return cast("Sidebar", self._one("GET", f"/v1/sidebars/{_segment(sidebar)}"))

    def get_sidebar_messages(self, sidebar: str, *, limit: int | None = None) -> Iterator[Message]:
        """The messages of a sidebar, the oldest first."""
        asked = {"limit": limit}
        return cast("Iterator[Message]", self._items(f"/v1/sidebars/{_segment(sidebar)}/messages", asked))

    def post_sidebar_messages(
        self,
        sidebar: str,
        body: PostMessageRepliesBody,
        *,
        key: str | None = None,
    ) -> Message:
        """Write into a sidebar."""
        return cast(
            "Message",
            self._one("POST", f"/v1/sidebars/{_segment(sidebar)}/messages", body=body, key=_key(key)),
        )

    def get_emoji(self, *, limit: int | None = None) -> Iterator[CustomEmoji]:
        """The server’s own emoji, by their names."""
        asked = {"limit": limit}
        return cast("Iterator[CustomEmoji]", self._items("/v1/emoji", asked))

    def get_attachment(self, attachment: str) -> bytes:
        """A file’s bytes."""
        return cast("bytes", self._file(f"/v1/attachments/{_segment(attachment)}"))

    def get_attachment_thumbnail(self, attachment: str) -> bytes:
        """A small picture of a picture, as WebP."""
        return cast("bytes", self._file(f"/v1/attachments/{_segment(attachment)}/thumbnail"))

    def get_team_objects(
        self,
        team: str,
        *,
        limit: int | None = None,
        type: str | None = None,
    ) -> Iterator[GetTeamObjectsItem]:
        """What applications registered on a team, the newest first."""
        asked = {"limit": limit, "type": type}
        return cast("Iterator[GetTeamObjectsItem]", self._items(f"/v1/teams/{_segment(team)}/objects", asked))

    def get_oauth2_test_app_as_user(self) -> None:
        """Whether the access token is good."""
        self._all("GET", "/v1/oauth2/test/app_as_user")

    def get_users_me_scheduled_messages(self, *, limit: int | None = None) -> Iterator[ScheduledMessage]:
        """Scheduled messages of the caller, the next ones first."""
        asked = {"limit": limit}
        return cast("Iterator[ScheduledMessage]", self._items("/v1/users/me/scheduled_messages", asked))

    def post_users_me_scheduled_messages(
        self,
        body: PostUsersMeScheduledMessagesBody,
        *,
        key: str | None = None,
    ) -> ScheduledMessage:
        """Schedule a message, a reply, or a message into a sidebar."""
        return cast(
            "ScheduledMessage",
            self._one("POST", "/v1/users/me/scheduled_messages", body=body, key=_key(key)),
        )

    def patch_users_me_scheduled_message_by_scheduled(
        self,
        scheduled: str,
        body: PatchUsersMeScheduledMessageByScheduledBody,
    ) -> ScheduledMessage | None:
        """Change a scheduled message, give it another time, or send it now."""
        return cast(
            "ScheduledMessage | None",
            self._first("PATCH", f"/v1/users/me/scheduled_messages/{_segment(scheduled)}", body=body),
        )

    def delete_users_me_scheduled_message_by_scheduled(self, scheduled: str) -> None:
        """Cancel a scheduled message."""
        self._all("DELETE", f"/v1/users/me/scheduled_messages/{_segment(scheduled)}")

    def get_users_me_reminders(self, *, limit: int | None = None) -> Iterator[Reminder]:
        """Reminders of the caller, the next ones first."""
        asked = {"limit": limit}
        return cast("Iterator[Reminder]", self._items("/v1/users/me/reminders", asked))

    def post_users_me_reminders(self, body: PostUsersMeRemindersBody, *, key: str | None = None) -> Reminder:
        """Be reminded, of a message or by a text."""
        return cast("Reminder", self._one("POST", "/v1/users/me/reminders", body=body, key=_key(key)))

    def delete_users_me_reminder_by_scheduled(self, scheduled: str) -> None:
        """Cancel a reminder."""
        self._all("DELETE", f"/v1/users/me/reminders/{_segment(scheduled)}")


class OnBehalf(_TokenRoutes):
    """Acts on behalf of the person who opened the application. Refreshes the tokens when they have expired."""

    def __init__(self, application: Application, tokens: Tokens, save: Callable[[Tokens], None]) -> None:
        super().__init__(application.base_url)
        self._application = application
        self._tokens = tokens
        self._save = save
        self._lock = threading.Lock()

    def _authorization(self) -> str:
        return f"Bearer {self._tokens['access_token']}"

    def _renewed(self, authorization: str) -> str | None:
        with self._lock:
            # Another thread refreshed them meanwhile.
            if authorization == self._authorization():
                self._tokens = self._application.refresh(self._tokens["refresh_token"])
                self._save(self._tokens)
            return self._authorization()


class InTeam(_TokenRoutes):
    """The application as itself in one team: posts, answers, and what it wrote (docs/developers/posting.md)."""

    def __init__(self, application: Application, team: str) -> None:
        super().__init__(application.base_url)
        self._application = application
        self._team = team
        self._header: str | None = None
        self._lock = threading.Lock()

    def _authorization(self) -> str:
        with self._lock:
            if self._header is None:
                form = {"grant_type": "client_credentials", "team": self._team}
                token = self._application._form("token", form, repeatable=True)["access_token"]
                self._header = f"Bearer {token}"
            return self._header

    def _renewed(self, authorization: str) -> str | None:
        with self._lock:
            if self._header == authorization:
                self._header = None
        return self._authorization()


    def write_to(
        self, user: str, text: str | None = None, blocks: list[Any] | None = None, *, key: str | None = None
    ) -> Message:
        """Writes to a member of the team, in the direct conversation that they have with the application.

        It begins with the first message. Needs ``direct:app``. With ``key``, posting again gives the first answer again.
        """
        body = {"text": text, "blocks": blocks, "addressed_users": [user]}
        given = {name: value for name, value in body.items() if value is not None}
        return self.post_messages(cast(PostMessagesBody, given), key=key)


# Of a thread that handles an event: whether it has answered it.
_here = threading.local()


class Respond:
    """Answers to a click, a command, a shortcut or a form. They are good for half an hour, and five times together.

    Each takes a text, blocks, or both.
    """

    def __init__(self, address: str) -> None:
        self._url = address

    def replace(self, text: str | None = None, blocks: list[Any] | None = None) -> None:
        """Puts this in the place of the message, for everybody."""
        self._by("replace", text, blocks)

    def append(self, text: str | None = None, blocks: list[Any] | None = None) -> None:
        """Adds this to the end of the message."""
        self._by("append", text, blocks)

    def reply(self, text: str | None = None, blocks: list[Any] | None = None) -> None:
        """Answers for everybody: below the message, or in the team."""
        self._by("reply", text, blocks)

    def ephemeral(self, text: str | None = None, blocks: list[Any] | None = None) -> None:
        """Shows this to the person alone who asked."""
        self._by("ephemeral", text, blocks)

    def form(self, form: dict[str, Any]) -> None:
        """Opens a form, within 30 seconds: ``title``, ``blocks``, ``submit``, ``close``, ``callback_id``, ``metadata``.

        In a form, or once one was opened, it changes that form.
        """
        self._post({"form": form}, False)

    def push(self, form: dict[str, Any]) -> None:
        """Lays a form on the one in which was clicked, or which was submitted: three at most."""
        self._post({"form": {**form, "push": True}}, False)

    def failed(self, text: str | None = None, blocks: list[Any] | None = None) -> None:
        """Tells the person that it could not be done, and with a text why. A form that was submitted stays open.

        ``run`` does so for a handler that raises for good.
        """
        if text is None and blocks is None:
            self._post({"failed": True}, True)
            return
        body = {"text": text, "blocks": blocks, "failed": True, "ephemeral": True}
        self._post({name: value for name, value in body.items() if value is not None}, False)

    def errors(self, errors: dict[str, str]) -> None:
        """Keeps the form open that was submitted, and shows what is wrong below its blocks, by their ids."""
        self._post({"errors": errors}, False)

    def _by(self, way: str, text: str | None, blocks: list[Any] | None) -> None:
        body = {"text": text, "blocks": blocks, way: True}
        # Repeated, the other ways would show it twice.
        self._post({name: value for name, value in body.items() if value is not None}, way == "replace")

    def _send_options(self, options: dict[str, Any]) -> None:
        try:
            self._post(options, True)
        except ParleyError as error:
            # The options came too late.
            if error.status != 404:
                raise

    def _post(self, body: dict[str, Any], repeatable: bool) -> None:
        data = json.dumps(body).encode()
        request = Request(self._url, data, {"Content-Type": "application/json"}, method="POST")
        answer = _send(request, repeatable, _TIMEOUT)
        if answer.status != 200:
            raise ParleyError(answer.status, answer.errors)
        _here.answered = True


class _Asked:
    """Something that a person asks of an application, and how to answer it."""

    def __init__(self, application: Application, event: Event) -> None:
        self._data = cast("dict[str, Any]", event["data"])
        # Its id names the interaction: as the key of what you post, it keeps that from being posted twice.
        self.event = event
        self.user: str = self._data["user"]
        self.team: str = self._data["team"]
        # Your application as itself, in that team.
        self.bot = application.in_team(self.team)
        self.respond = Respond(self._data["response_url"])


class Click(_Asked):
    """A press or a choice in the blocks of a message, and how to answer it."""

    def __init__(self, application: Application, event: InteractionEvent) -> None:
        super().__init__(application, event)
        self.action_id: str = self._data["action_id"]
        self.block_id: str = self._data["block_id"]
        # In which it was clicked; of a click in a form, from which that was opened.
        self.message: dict[str, Any] | None = self._data.get("message")
        # The form in which it was clicked.
        self.form: dict[str, Any] | None = self._data.get("form")
        # Of a button, what you gave it; of a choice, one of its options.
        self.value: str | None = self._data.get("value")
        self.values: list[str] | None = self._data.get("values")
        # The values of the elements around it, by block_id and action_id.
        self.state: dict[str, dict[str, Any]] = self._data["state"]


class Command(_Asked):
    """A command that somebody gave in a team. Answer it by ``respond.ephemeral`` or ``respond.reply``."""

    def __init__(self, application: Application, event: InteractionEvent) -> None:
        super().__init__(application, event)
        # Its name, without the slash.
        self.command: str = self._data["command"]
        # The arguments, as they were written.
        self.text: str = self._data["text"]


class Shortcut(_Asked):
    """A shortcut that somebody chose. Answer that of a team as a command, that of a message as a click in it."""

    def __init__(self, application: Application, event: InteractionEvent) -> None:
        super().__init__(application, event)
        self.action_id: str = self._data["action_id"]
        # In whose menu it was chosen.
        self.message: dict[str, Any] | None = self._data.get("message")


class View(_Asked):
    """A form that somebody has submitted. It closes after the handler, unless that gave ``errors`` or a ``form``."""

    def __init__(self, application: Application, event: InteractionEvent) -> None:
        super().__init__(application, event)
        # With id, title, hash, and your callback_id and metadata.
        self.form: dict[str, Any] = self._data["form"]
        # The values that its person has filled in, by block_id and action_id.
        self.state: dict[str, dict[str, Any]] = self._data["state"]
        # The message from which the form was opened.
        self.message: dict[str, Any] | None = self._data.get("message")


class Home(_Asked):
    """A visit to your page in a team."""

    def __init__(self, application: Application, event: ApplicationOpenedEvent) -> None:
        super().__init__(application, event)
        self._application = application

    def publish(self, blocks: list[Any]) -> None:
        """Shows these blocks to this person there, in place of what was shown."""
        self._application.publish_home(self.team, self.user, blocks)


class Direct:
    """A message that a person wrote to your application in a direct conversation, and how to answer it."""

    def __init__(self, application: Application, event: DirectPostedEvent) -> None:
        data = cast("dict[str, Any]", event["data"])
        self.event = event
        self.user: str = data["user"]
        self.team: str = data["team"]
        self.message: dict[str, Any] = data["message"]
        self.text: str = self.message["text"]
        # Your application as itself, in that team.
        self.bot = application.in_team(self.team)
        self._count = 0

    def reply(self, text: str | None = None, blocks: list[Any] | None = None) -> Message:
        """Answers where it was written: in the conversation, or below the message that it answers.

        An event that comes again posts nothing twice.
        """
        self._count += 1
        key = f"{self.event['id']}-{self._count}"
        root = self.message.get("reply_to")
        if root is None:
            return self.bot.write_to(self.user, text, blocks, key=key)
        body = {"text": text, "blocks": blocks}
        given = {name: value for name, value in body.items() if value is not None}
        return self.bot.post_message_replies(root, cast(PostMessageRepliesBody, given), key=key)


class UnknownAction(LookupError):
    """A click, a command, a shortcut or a form that no handler is for."""


class _Handling:
    """One click: held while its handler runs, so that it is not handled twice."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.done = False


class _ApplicationRoutes(_Caller):
    """Everything that is done with the client id and secret."""

    client_id: str

    @property
    def _path(self) -> str:
        return f"/v1/applications/{_segment(self.client_id)}"

    def post_blocks_check(self, body: PostBlocksCheckBody, *, key: str | None = None) -> PostBlocksCheckItem:
        """Check blocks, and read the text that is made of them."""
        return cast("PostBlocksCheckItem", self._one("POST", "/v1/blocks/check", body=body, key=_key(key)))

    def put_home_by_user(self, user: str, body: PutHomeByUserBody, *, team: str | None = None) -> ShownHome:
        """Publish what one person sees on the page of the application in a team."""
        asked = {"team": team}
        return cast("ShownHome", self._one("PUT", f"{self._path}/homes/{_segment(user)}", query=asked, body=body))

    def get_oauth2_test_app(self) -> None:
        """Whether the application’s credentials are right."""
        self._all("GET", "/v1/oauth2/test/app")

    def post_objects(self, body: PostObjectsBody, *, key: str | None = None) -> PostObjectsItem:
        """Register an object, so that messages can mention it."""
        return cast("PostObjectsItem", self._one("POST", f"{self._path}/objects", body=body, key=_key(key)))

    def get_objects(
        self,
        *,
        limit: int | None = None,
        team: str | None = None,
        type: str | None = None,
    ) -> Iterator[ApplicationObject]:
        """The application’s objects, the newest first."""
        asked = {"limit": limit, "team": team, "type": type}
        return cast("Iterator[ApplicationObject]", self._items(f"{self._path}/objects", asked))

    def patch_object(self, object: str, body: PatchObjectBody) -> ApplicationObject:
        """Change an object, also in the messages that mention it."""
        return cast("ApplicationObject", self._one("PATCH", f"{self._path}/objects/{_segment(object)}", body=body))

    def delete_object(self, object: str) -> None:
        """Delete an object."""
        self._all("DELETE", f"{self._path}/objects/{_segment(object)}")

    def get_token_failures(self) -> list[GetTokenFailuresItem]:
        """Why an application got no tokens of late, the last kind of failure first."""
        return cast("list[GetTokenFailuresItem]", self._all("GET", f"{self._path}/token_failures"))

    def post_subscriptions(self, body: PostSubscriptionsBody, *, key: str | None = None) -> SubscriptionWithKey:
        """Subscribe to events of the teams that have the application installed."""
        return cast(
            "SubscriptionWithKey",
            self._one("POST", f"{self._path}/subscriptions", body=body, key=_key(key)),
        )

    def get_subscriptions(self) -> list[Subscription]:
        """The subscriptions of an application."""
        return cast("list[Subscription]", self._all("GET", f"{self._path}/subscriptions"))

    def get_subscription(self, subscription: str) -> Subscription:
        """One subscription, and how its webhook fares."""
        return cast("Subscription", self._one("GET", f"{self._path}/subscriptions/{_segment(subscription)}"))

    def patch_subscription(self, subscription: str, body: PatchSubscriptionBody) -> SubscriptionWithKey:
        """Change a subscription; what is unread is read by the new filters."""
        return cast(
            "SubscriptionWithKey",
            self._one("PATCH", f"{self._path}/subscriptions/{_segment(subscription)}", body=body),
        )

    def delete_subscription(self, subscription: str) -> None:
        """Delete a subscription with its cursors."""
        self._all("DELETE", f"{self._path}/subscriptions/{_segment(subscription)}")

    def post_subscription_replays(
        self,
        subscription: str,
        body: PostSubscriptionReplaysBody,
        *,
        key: str | None = None,
    ) -> PostObjectsItem:
        """Send a range of events to the webhook once more, with the same ids."""
        return cast(
            "PostObjectsItem",
            self._one(
                "POST",
                f"{self._path}/subscriptions/{_segment(subscription)}/replays",
                body=body,
                key=_key(key),
            ),
        )

    def post_subscription_key(
        self,
        subscription: str,
        body: PostSubscriptionKeyBody,
        *,
        key: str | None = None,
    ) -> PostSubscriptionKeyItem:
        """Make a new key for the webhook; calls are signed with the one before, too, for the overlap."""
        return cast(
            "PostSubscriptionKeyItem",
            self._one("POST", f"{self._path}/subscriptions/{_segment(subscription)}/key", body=body, key=_key(key)),
        )

    def get_subscription_consumers(self, subscription: str) -> list[GetSubscriptionConsumersItem]:
        """The groups whose cursors the server keeps."""
        return cast(
            "list[GetSubscriptionConsumersItem]",
            self._all("GET", f"{self._path}/subscriptions/{_segment(subscription)}/consumers"),
        )

    def put_subscription_consumer_cursor(
        self,
        subscription: str,
        name: str,
        body: PutSubscriptionConsumerCursorBody,
    ) -> None:
        """Set where a group goes on, in all teams; makes the group."""
        self._all(
            "PUT",
            f"{self._path}/subscriptions/{_segment(subscription)}/consumers/{_segment(name)}/cursor",
            body=body,
        )

    def post_subscription_consumer_acknowledgements(
        self,
        subscription: str,
        name: str,
        body: PostSubscriptionConsumerAcknowledgementsBody,
        *,
        key: str | None = None,
    ) -> PostSubscriptionConsumerAcknowledgementsItem:
        """Acknowledge events of a stream: each, and what came before it in its team, is done."""
        return cast(
            "PostSubscriptionConsumerAcknowledgementsItem",
            self._one(
                "POST",
                f"{self._path}/subscriptions/{_segment(subscription)}/consumers/{_segment(name)}/acknowledgements",
                body=body,
                key=_key(key),
            ),
        )

    def delete_subscription_consumer(self, subscription: str, name: str) -> None:
        """Delete a group; its streams end."""
        self._all("DELETE", f"{self._path}/subscriptions/{_segment(subscription)}/consumers/{_segment(name)}")

    def get_stream(self, *, consumer: str | None = None) -> bytes:
        """Clicks in the application’s messages as a stream, without a subscription."""
        asked = {"consumer": consumer}
        return cast("bytes", self._file(f"{self._path}/stream"))


class Application(_ApplicationRoutes):
    """Your application, as the platform knows it. Make one of it and share it, also among threads."""

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        given = {"base_url": base_url, "client_id": client_id, "client_secret": client_secret}
        for name, value in given.items():
            if not value:
                raise ValueError(f"Application({name}=…): {name} is missing")
        # `localhost:3000` is an address, too, of the scheme `localhost`.
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"Application(base_url=…): {base_url} is no address, as https://parley.example.org")
        super().__init__(base_url)
        self.base_url = self._base_url
        self.client_id = client_id
        self._secret = client_secret
        self._bots: dict[str, InTeam] = {}
        self._actions: list[tuple[Callable[[dict[str, Any]], bool], Callable[[InteractionEvent], Any]]] = []
        self._home: Callable[[ApplicationOpenedEvent], Any] | None = None
        self._direct: list[Callable[[Direct], Any]] = []
        self._clicks: dict[str, _Handling] = {}
        self._clicks_lock = threading.Lock()

    def _authorization(self) -> str:
        return "Basic " + base64.b64encode(f"{self.client_id}:{self._secret}".encode()).decode()

    def _refusal(self, answer: _Answer) -> ParleyError:
        refusal = ParleyError(answer.status, answer.errors)
        if refusal.code != _NOT_AUTHORIZED:
            return refusal
        # The platform says no more than that.
        advice = f"check client_id ({self.client_id}) and client_secret"
        return ParleyError(answer.status, answer.errors, f"{refusal}: {advice}")

    def on_behalf(self, tokens: Tokens, save: Callable[[Tokens], None] = lambda _: None) -> OnBehalf:
        """Acts for the person whose tokens these are. ``save`` keeps each new pair."""
        return OnBehalf(self, tokens, save)

    def in_team(self, team: str) -> InTeam:
        """Acts as the application itself in a team that has it installed."""
        return self._bots.setdefault(team, InTeam(self, team))

    def action(
        self, action_id: str | re.Pattern[str] | None = None, block_id: str | re.Pattern[str] | None = None
    ) -> Callable[[Callable[[Click], Any]], Callable[[Click], Any]]:
        """Handles clicks in the blocks of your messages: ``@app.action("approve")`` before a function of the click.

        Ids are given as they are or as patterns. The first handler that fits takes a click. Begin to hear them by
        ``run``, or give events to ``handle``.
        """

        def add(handler: Callable[[Click], Any]) -> Callable[[Click], Any]:
            self._actions.append((_fits("action", action_id, block_id), lambda event: handler(Click(self, event))))
            return handler

        return add

    def offer(
        self, action_id: str | re.Pattern[str] | None = None, block_id: str | re.Pattern[str] | None = None
    ) -> Callable[[Callable[[Click], Iterable[Any]]], Callable[[Click], Iterable[Any]]]:
        """Finds the options of an ``external_select`` as somebody types: the text is the ``value`` of what it is given.

        It returns texts, options or groups, 100 at most. They are waited for 3 seconds.
        """

        def add(finder: Callable[[Click], Iterable[Any]]) -> Callable[[Click], Iterable[Any]]:
            def answer(event: InteractionEvent) -> None:
                asked = Click(self, event)
                asked.respond._send_options(_choices(finder(asked)))

            self._actions.append((_fits("options", action_id, block_id), answer))
            return finder

        return add

    def command(self, name: str | re.Pattern[str]) -> Callable[[Callable[[Command], Any]], Callable[[Command], Any]]:
        """Handles a command of your registration: ``@app.command("standup")``, without the slash."""

        def add(handler: Callable[[Command], Any]) -> Callable[[Command], Any]:
            def fits(data: dict[str, Any]) -> bool:
                return data["kind"] == "command" and _is_for(name, data["command"])

            self._actions.append((fits, lambda event: handler(Command(self, event))))
            return handler

        return add

    def shortcut(
        self, action_id: str | re.Pattern[str]
    ) -> Callable[[Callable[[Shortcut], Any]], Callable[[Shortcut], Any]]:
        """Handles a shortcut of your registration, of a team or of a message: ``@app.shortcut("file-bug")``."""

        def add(handler: Callable[[Shortcut], Any]) -> Callable[[Shortcut], Any]:
            def fits(data: dict[str, Any]) -> bool:
                return data["kind"] in ("shortcut", "message_action") and _is_for(action_id, data["action_id"])

            self._actions.append((fits, lambda event: handler(Shortcut(self, event))))
            return handler

        return add

    def view(self, callback_id: str | re.Pattern[str]) -> Callable[[Callable[[View], Any]], Callable[[View], Any]]:
        """Handles a form that somebody has submitted: ``@app.view("holiday")``, by its ``callback_id``."""
        return self._view("form", callback_id)

    def view_closed(
        self, callback_id: str | re.Pattern[str]
    ) -> Callable[[Callable[[View], Any]], Callable[[View], Any]]:
        """Handles a form with ``notify_on_close`` that was closed without being submitted."""
        return self._view("form_closed", callback_id)

    def _view(
        self, kind: str, callback_id: str | re.Pattern[str]
    ) -> Callable[[Callable[[View], Any]], Callable[[View], Any]]:
        def add(handler: Callable[[View], Any]) -> Callable[[View], Any]:
            def fits(data: dict[str, Any]) -> bool:
                return data["kind"] == kind and _is_for(callback_id, data["form"].get("callback_id", ""))

            self._actions.append((fits, lambda event: handler(View(self, event))))
            return handler

        return add

    def home(self, handler: Callable[[Home], Any]) -> Callable[[Home], Any]:
        """Shows a page of yours as somebody looks at it: ``@app.home`` before a function that publishes blocks.

        Your registration has ``has_home``. What you have published stays: publish again as it changes.
        """
        self._home = lambda event: handler(Home(self, event))
        return handler

    def publish_home(self, team: str, user: str, blocks: list[Any]) -> None:
        """Shows blocks on your page to one person of a team, in place of what was shown there."""
        self.put_home_by_user(user, {"blocks": blocks}, team=team)

    def direct(self, handler: Callable[[Direct], Any]) -> Callable[[Direct], Any]:
        """Handles what people write to your application: ``@app.direct`` before a function of the message.

        The team's admin grants ``direct:app`` for it. To write first: ``app.in_team(team).write_to(user, "…")``.
        """
        self._direct.append(handler)
        return handler

    def handle(self, event: Event) -> bool:
        """Hands a click, a command, a shortcut, a form or a visit of your page to its handler, and each one time.

        Raises what the handler raises: hand it the event again, or give it up by ``give_up``. ``run`` does both.

        False for another event, and for one that no handler is for.
        """
        handler = self._handler_of(event)
        if handler is None:
            return False
        with self._clicks_lock:
            handling = self._clicks.setdefault(event["id"], _Handling())
            if len(self._clicks) > _REMEMBERED:
                self._clicks.pop(next(iter(self._clicks)))
        with handling.lock:
            if not handling.done:
                handler(event)
                handling.done = True
        return True

    def give_up(self, event: Event) -> None:
        """Leaves an event: it is not handled again, and a person who waits for it is told that it has failed."""
        with self._clicks_lock:
            self._clicks.setdefault(event["id"], _Handling()).done = True
        self._end(event, {"failed": True})

    def _end(self, event: Event, answer: dict[str, Any]) -> None:
        data = cast("dict[str, Any]", event["data"])
        kind, address = data.get("kind"), data.get("response_url")
        # A closed form needs no end, and a question for options ends with its options.
        if address is None or kind == "form_closed" or (kind == "options" and "failed" not in answer):
            return
        try:
            Respond(address)._post(answer, True)
        except ParleyError as error:
            # The address is used up, or the place is gone: its end is known by then.
            if not _is_refusal(error):
                raise

    def _handler_of(self, event: Event) -> Callable[[Any], Any] | None:
        data = cast("dict[str, Any]", event["data"])
        if event["type"] == "application.opened":
            return self._home
        if event["type"] == "direct.posted":
            return self._direct_handler(data)
        if event["type"] != "interaction":
            return None
        return next((run for fits, run in self._actions if fits(data)), None)

    def _direct_handler(self, data: dict[str, Any]) -> Callable[[Any], Any] | None:
        # Of a message that was deleted since there is nothing to answer.
        if not self._direct or data["message"].get("text") is None:
            return None
        return lambda event: [handle(Direct(self, event)) for handle in self._direct]

    def run(
        self,
        subscription: str | None = None,
        *,
        group: str = "default",
        on_error: Callable[[Exception], None] = lambda error: traceback.print_exception(
            type(error), error, error.__traceback__
        ),
        retry_after: Iterable[float] = _RETRY_AFTER,
        at_once: int = _AT_ONCE,
    ) -> None:
        """Handles clicks, commands, shortcuts, forms, direct messages and visits of your page, by a stream and without end.

        They come by the application's own stream, or by that of a subscription. Handlers run in threads, up to ``at_once``
        at a time: what a person does in a team one after the other, and nobody waits for somebody else. A handler that
        raises is tried again, unless the platform refused something for good; in the end its person is told that it has
        failed. ``on_error`` is told each time, and one time of what no handler is for.
        """
        _Run(self, subscription, group, on_error, [*retry_after], at_once).serve()

    def exchange_code(self, code: str, redirect_uri: str, code_verifier: str | None = None) -> Tokens:
        """RFC 6749 §4.1.3. A code works one time, for two minutes."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        if code_verifier is not None:
            form["code_verifier"] = code_verifier
        # Sent one time: a repeated code revokes what the first exchange issued.
        return cast(Tokens, self._form("token", form, repeatable=False))

    def refresh(self, refresh_token: str) -> Tokens:
        """RFC 6749 §6. ``invalid_grant`` when the person must open the application again."""
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        # The old token stays valid for ten seconds, within which the last attempt must begin.
        return cast(Tokens, self._form("token", form, repeatable=True, timeout=3.5))

    def revoke(self, token: str) -> None:
        """RFC 7009. Ends an access token, or a refresh token with everything issued from it."""
        self._form("revoke", {"token": token}, repeatable=True)

    def introspect(self, token: str) -> Introspection:
        """RFC 7662. Whether a token of this application is good, and for what."""
        return cast(Introspection, self._form("introspect", {"token": token}, repeatable=True))

    def _form(self, route: str, form: Mapping[str, str], repeatable: bool, timeout: float = _TIMEOUT) -> Any:
        headers = {
            "Authorization": self._authorization(),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        url = f"{self._base_url}/v1/oauth2/{route}"
        request = Request(url, urlencode(form).encode(), headers, method="POST")
        answer = _send(request, repeatable, timeout)
        if answer.status == 200 and answer.body is not None:
            return answer.body
        body = answer.body if isinstance(answer.body, dict) else {}
        error = body.get("error", f"status_{answer.status}")
        raise TokenError(error, answer.status, self._advice(error, form))

    def _advice(self, error: str, form: Mapping[str, str]) -> str | None:
        """Advice on an error of the token route, which has no text of its own (RFC 6749 §5.2)."""
        team = form.get("team", "")
        advice = {
            "invalid_client": f"check client_id ({self.client_id}) and client_secret",
            "invalid_target": f"the team {team} does not have the application installed",
            "invalid_grant": "it is over, or does not fit: have the person open the application again "
            "(get_token_failures() says why)",
            "unauthorized_client": "the application is suspended, or an admin of the team has yet to confirm its new owner",
            "invalid_scope": f"have an admin of the team {team} grant a scope for the application as itself, "
            "such as messages:write or direct:app",
        }
        return advice.get(error)

    def events(
        self,
        subscription: str,
        *,
        since: str | None = None,
        consumer: str | None = None,
        wait: int = 0,
    ) -> Iterator[Event]:
        """The events that there are, page by page, the oldest first, and then the end.

        ``since``, a time in seconds or the id of an event, begins there. With ``consumer``, the server keeps the cursor:
        a page counts as done when the loop comes for the next one. ``wait`` holds an empty page back for some seconds.
        """
        after = None
        while True:
            path = f"{self._path}/subscriptions/{_segment(subscription)}"
            query = {"after": after, "since": since, "wait": wait or None, "limit": 200}
            begins = after is None and since is None
            page, meta = self._events_page(f"{path}/events", query, consumer if begins else None)
            yield from page
            after, since = meta["next_cursor"], None
            if consumer is not None:
                self.put_subscription_consumer_cursor(subscription, consumer, {"cursor": after})
            if not meta.get("more"):
                return

    def _events_page(
        self, path: str, query: dict[str, Any], consumer: str | None
    ) -> tuple[list[Event], dict[str, Any]]:
        timeout = _TIMEOUT + (query["wait"] or 0)
        if consumer is not None:
            try:
                return self._page("GET", path, query={**query, "consumer": consumer}, timeout=timeout)
            except ParleyError as error:
                # A consumer begins with its first cursor: until then, where the subscription was made.
                if error.code != _NOT_FOUND:
                    raise
        return self._page("GET", path, query=query, timeout=timeout)

    def listen(self, subscription: str, *, group: str = "default") -> Iterator[Event]:
        """Events as they happen, without end. It connects again when the connection is lost.

        An event is acknowledged when the loop comes for the next one, so one whose handling raised comes again; after a
        crash, too: remember the ids of what is done. Programs with the same ``group`` share the teams. A new group begins
        where the subscription does: it hears again all that is still kept.
        """
        failures = 0
        while True:
            try:
                for event in self._stream(f"/subscriptions/{_segment(subscription)}", group):
                    failures = 0
                    yield event
                    done: PostSubscriptionConsumerAcknowledgementsBody = {"events": [event["id"]]}
                    self.post_subscription_consumer_acknowledgements(subscription, group, done)
            except ParleyError as error:
                # Waiting would not help: the credentials, the group or the subscription is wrong.
                if _is_refusal(error):
                    raise
                failures += 1
            except (OSError, http.client.HTTPException):
                failures += 1
            time.sleep(min(_RETRY * 2 ** max(0, failures - 1), _LONGEST_RETRY))

    def _stream(self, of: str, group: str) -> Iterator[Event]:
        path = f"{self._path}{of}/stream"
        headers = {"Authorization": self._authorization()}
        request = Request(f"{self._base_url}{path}?consumer={_segment(group)}", headers=headers)
        try:
            response = _opener.open(request, timeout=_SILENCE)
        except HTTPError as error:
            with error:
                answer = _Answer(error.code, error.headers, error.read())
            raise self._refusal(answer) from None
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(request, error) from error
        with response:
            fields: dict[str, str] = {}
            for line in response:
                name, _, value = line.decode().rstrip("\r\n").partition(":")
                if name:
                    fields[name] = value[1:] if value.startswith(" ") else value
                    continue
                if not line.strip() and "id" in fields and "data" in fields:
                    yield cast(Event, json.loads(fields["data"]))
                fields = {}

    def verify_callback(self, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
        """What a call to the install, uninstall or team update address says. Raises SignatureError when it is forged."""
        verify_signature(headers, body, [self._secret])
        call = json.loads(body)
        secret = str(call.get("client_secret")) if isinstance(call, dict) else ""
        if not hmac.compare_digest(secret.encode(), self._secret.encode()):
            raise SignatureError("the client secret in the body is wrong")
        return cast("dict[str, Any]", call)


class _Entry:
    """An event of a connection."""

    def __init__(self, event: Event, ledger: _Ledger) -> None:
        self.event = event
        self.ledger = ledger
        self.failures = 0
        self.done = False


class _Ledger:
    """The events of a connection, by team in the order in which they came.

    An acknowledgement stands for all that came before in its team, so that of an event waits for those before it.
    """

    def __init__(self) -> None:
        self.ended = False
        self._teams: dict[str, deque[_Entry]] = {}
        self._lock = threading.Lock()

    def enter(self, event: Event) -> _Entry:
        entry = _Entry(event, self)
        with self._lock:
            self._teams.setdefault(event["data"]["team"], deque()).append(entry)
        return entry

    def finish(self, entry: _Entry) -> list[str]:
        """The ids that can be acknowledged by now: none while an event before it is not done."""
        through = []
        with self._lock:
            entry.done = True
            entries = self._teams[entry.event["data"]["team"]]
            while entries and entries[0].done:
                through.append(entries.popleft().event["id"])
        return through


class _Run:
    """Hears events: the thread that calls ``serve`` reads them, and others handle them, a lane for each person."""

    def __init__(
        self,
        application: Application,
        subscription: str | None,
        group: str,
        on_error: Callable[[Exception], None],
        pauses: list[float],
        at_once: int,
    ) -> None:
        self._application = application
        self._own = subscription is None
        self._subscription = "own" if subscription is None else subscription
        self._group = group
        self._on_error = on_error
        self._pauses = pauses
        self._at_once = max(1, at_once)
        self._lanes: dict[str, deque[_Entry]] = {}
        self._lock = threading.Lock()
        # The lanes whose first event can be handled; None ends a thread.
        self._ready: queue.Queue[str | None] = queue.Queue()

    def serve(self) -> None:
        for _ in range(self._at_once):
            threading.Thread(target=self._work, daemon=True).start()
        try:
            self._read()
        finally:
            for _ in range(self._at_once):
                self._ready.put(None)

    def _read(self) -> None:
        of = "" if self._own else f"/subscriptions/{_segment(self._subscription)}"
        failures = 0
        while True:
            ledger = _Ledger()
            try:
                for event in self._application._stream(of, self._group):
                    failures = 0
                    self._take(ledger.enter(event))
            except (ParleyError, OSError, http.client.HTTPException) as error:
                # Waiting would not help: the credentials, the group or the subscription is wrong.
                if _is_refusal(error):
                    raise
                failures += 1
                self._tell(error)
            finally:
                # What it brought and is not handled comes again by the next connection.
                ledger.ended = True
            time.sleep(min(_RETRY * 2 ** max(0, failures - 1), _LONGEST_RETRY))

    def _take(self, entry: _Entry) -> None:
        lane = _lane_of(entry.event)
        with self._lock:
            entries = self._lanes.setdefault(lane, deque())
            entries.append(entry)
            if len(entries) == 1:
                self._ready.put(lane)

    def _work(self) -> None:
        while True:
            lane = self._ready.get()
            if lane is None:
                return
            pause = self._attempt(self._lanes[lane][0])
            if pause is not None:
                # Others use the thread meanwhile.
                timer = threading.Timer(pause, self._ready.put, [lane])
                timer.daemon = True
                timer.start()
                continue
            with self._lock:
                entries = self._lanes[lane]
                entries.popleft()
                if entries:
                    self._ready.put(lane)
                else:
                    del self._lanes[lane]

    def _attempt(self, entry: _Entry) -> float | None:
        """Handles an event. The seconds until the next attempt, or None when it is over."""
        if entry.ledger.ended:
            return None
        application, event = self._application, entry.event
        _here.answered = False
        try:
            if not application.handle(event) and event["type"] == "interaction":
                data = cast("dict[str, Any]", event["data"])
                self._tell(UnknownAction(f"no handler is for the {_name_of(data)}"))
                self._try(lambda: application.give_up(event))
        except Exception as error:
            self._tell(error)
            if entry.failures < len(self._pauses) and not _is_refusal(error):
                entry.failures += 1
                return self._pauses[entry.failures - 1]
            self._try(lambda: application.give_up(event))
        through: PostSubscriptionConsumerAcknowledgementsBody = {"events": entry.ledger.finish(entry)}
        if through["events"]:
            ask = application.post_subscription_consumer_acknowledgements
            self._try(lambda: ask(self._subscription, self._group, through))
        elif not _here.answered:
            # The acknowledgement comes later, and the person need not wait for it.
            self._try(lambda: application._end(event, {}))
        return None

    def _try(self, act: Callable[[], Any]) -> None:
        try:
            act()
        except (ParleyError, OSError, http.client.HTTPException) as error:
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        try:
            self._on_error(error)
        except Exception:
            # The thread has more to do.
            traceback.print_exc()


def _lane_of(event: Event) -> str:
    data = cast("dict[str, Any]", event["data"])
    if event["type"] not in _OF_PEOPLE:
        return str(data["team"])
    # A search for options does not wait for an earlier click.
    options = " options" if data.get("kind") == "options" else ""
    return f"{data['team']} {data['user']}{options}"


def _name_of(data: dict[str, Any]) -> str:
    if data["kind"] == "command":
        return f"command /{data['command']}"
    if "action_id" in data:
        return f"action {data['action_id']}"
    return f"{data['kind']} {data['form'].get('callback_id', '')}"


def _is_for(pattern: str | re.Pattern[str] | None, name: str) -> bool:
    if pattern is None or isinstance(pattern, str):
        return pattern is None or pattern == name
    return pattern.search(name) is not None


def _fits(
    kind: str, action_id: str | re.Pattern[str] | None, block_id: str | re.Pattern[str] | None
) -> Callable[[dict[str, Any]], bool]:
    def fits(data: dict[str, Any]) -> bool:
        return data["kind"] == kind and _is_for(action_id, data["action_id"]) and _is_for(block_id, data["block_id"])

    return fits


# Where an address, a mention, an emoji, the text of a link or the place of an object begins. A time is none of them.
_BEGINNINGS = re.compile(r"@(?!\s)|:(?!\s|(?<=[0-9]:)[0-9])|\](?!\s)|\{(?!\s)|www", re.IGNORECASE)
_TEXTS = ("title", "subtitle", "body", "hint", "placeholder")
_Words = Union[str, PlainText75, Mrkdwn3000]


def _words(text: Any) -> Any:
    return {"type": "plain_text", "text": text} if isinstance(text, str) else text


def _option(one: Any) -> Any:
    return blocks.option(one) if isinstance(one, str) else one


def _shape(type_: str, given: dict[str, Any], more: dict[str, Any]) -> Any:
    texts = {name: _words(more[name]) for name in _TEXTS if isinstance(more.get(name), str)}
    both = {"type": type_, **given, **more, **texts}
    return {name: value for name, value in both.items() if value is not None}


def _choices(options: Iterable[Any]) -> dict[str, Any]:
    given = list(options)
    if any(isinstance(one, dict) and "options" in one for one in given):
        return {"option_groups": given}
    return {"options": [_option(one) for one in given]}


class blocks:
    """Blocks as functions. Each gives the plain JSON of the interface, so what they do not know can stand beside them.

    A bare string is shown as it is; formatting is asked for by ``mrkdwn`` and ``markdown``. Further fields are given by
    their names in the interface.
    """

    @staticmethod
    def plain(text: str, *, emoji: bool | None = None) -> PlainText75:
        """A text as it is shown. ``emoji=False`` leaves ``:names:`` as they are."""
        return _shape("plain_text", {"text": text}, {"emoji": emoji})

    @staticmethod
    def mrkdwn(text: str, *values: Any, **named: Any) -> Mrkdwn3000:
        """A text in Slack's formatting. No link, mention or emoji comes of what is put in by ``{}``, but for other formatted texts.

        ``mrkdwn("*{}* asks for {}", name, link(url, title))``. Without values, nothing is replaced. Formatting in a value
        stays: ``*`` in a name may make it bold. Where that must not be, give the text bare, or as ``plain``.
        """
        if not values and not named:
            return {"type": "mrkdwn", "text": text}

        def put(value: Any) -> str:
            return value["text"] if isinstance(value, dict) else blocks.escape(str(value))

        given = {name: put(value) for name, value in named.items()}
        try:
            filled = text.format(*map(put, values), **given)
        except (LookupError, ValueError, AttributeError) as error:
            wrong = "it names a value that is not given" if isinstance(error, LookupError) else str(error)
            message = f"mrkdwn({text!r}) with {len(values) + len(given)} values: {wrong}. A brace that stays is doubled: {{{{"
            raise ValueError(message) from error
        return {"type": "mrkdwn", "text": filled}

    @staticmethod
    def escape(text: str) -> str:
        """Escapes a text by somebody else for Slack's formatting: it makes no link, mention or emoji."""
        entities = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return _BEGINNINGS.sub("\\g<0>\u2060", entities)

    @staticmethod
    def link(url: str, text: str) -> Mrkdwn3000:
        """A link in a formatted text."""
        address = re.sub(r"[<>|\s]", lambda found: quote(found[0]), url)
        return {"type": "mrkdwn", "text": f"<{address}|{blocks.escape(text)}>"}

    @staticmethod
    def person(id: str) -> Mrkdwn3000:
        """A person, by their name as it is when somebody reads the text. It notifies nobody."""
        return {"type": "mrkdwn", "text": f"<@{id}>"}

    @staticmethod
    def section(
        text: _Words, *, fields: Iterable[_Words] | None = None, accessory: Any = None, **more: Any
    ) -> SectionBlock:
        """A text, with up to ten facts in two columns and an element beside it."""
        facts = None if fields is None else [_words(one) for one in fields]
        return _shape("section", {"text": _words(text), "fields": facts, "accessory": accessory}, more)

    @staticmethod
    def fields(*facts: _Words) -> SectionBlock:
        """Facts in two columns, without a text."""
        return _shape("section", {"fields": [_words(one) for one in facts]}, {})

    @staticmethod
    def header(text: str | PlainText75) -> HeaderBlock:
        return _shape("header", {"text": _words(text)}, {})

    @staticmethod
    def divider() -> DividerBlock:
        return {"type": "divider"}

    @staticmethod
    def context(*elements: _Words | ImageElement) -> ContextBlock:
        """Small print: texts and pictures in a row."""
        return _shape("context", {"elements": [_words(one) for one in elements]}, {})

    @staticmethod
    def image(url: str, alt: str, title: str | None = None) -> Any:
        """A picture: a block, and without a title also an element of ``context``, ``section`` and ``card``."""
        return _shape("image", {"image_url": url, "alt_text": alt}, {"title": title})

    @staticmethod
    def actions(*elements: Any) -> ActionsBlock:
        """Buttons and menus in a row."""
        return _shape("actions", {"elements": list(elements)}, {})

    @staticmethod
    def context_actions(*elements: FeedbackButtonsElement | IconButtonElement) -> ContextActionsBlock:
        """Small buttons: an opinion about what stands above, or its removal."""
        return _shape("context_actions", {"elements": list(elements)}, {})

    @staticmethod
    def input(label: str | PlainText75, element: Any, **more: Any) -> InputBlock:
        """A field with its label. What is in it comes with the next click, as its ``state``."""
        return _shape("input", {"label": _words(label), "element": element}, more)

    @staticmethod
    def markdown(text: str) -> MarkdownBlock:
        """A text in the formatting of messages. Nothing in it is escaped."""
        return _shape("markdown", {"text": text}, {})

    @staticmethod
    def table(rows: Iterable[Iterable[Any]], **more: Any) -> TableBlock:
        """The first row is the heading. Words and numbers become cells."""
        return _shape("table", {"rows": _rows(rows)}, more)

    @staticmethod
    def data_table(caption: str, rows: Iterable[Iterable[Any]], **more: Any) -> DataTableBlock:
        """A table with a caption, pages and an order that its reader chooses."""
        return _shape("data_table", {"caption": caption, "rows": _rows(rows)}, more)

    @staticmethod
    def rich_text(*pieces: Any) -> RichTextBlock:
        """One line in pieces: bare texts, and pieces such as people and times."""
        elements = [{"type": "text", "text": one} if isinstance(one, str) else one for one in pieces]
        return _shape("rich_text", {"elements": [{"type": "rich_text_section", "elements": elements}]}, {})

    @staticmethod
    def time(at: datetime, format: str = "{date_num} {time}") -> RichTextDate:
        """A time as each reader's clock shows it, for ``rich_text``."""
        fallback = at.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        given = {"timestamp": int(at.timestamp()), "format": format, "fallback": fallback}
        return _shape("date", given, {})

    @staticmethod
    def card(**more: Any) -> CardBlock:
        return _shape("card", {}, more)

    @staticmethod
    def carousel(*cards: CardBlock) -> CarouselBlock:
        """Cards to leaf through."""
        return _shape("carousel", {"elements": list(cards)}, {})

    @staticmethod
    def alert(text: _Words, level: str | None = None) -> AlertBlock:
        """A text that stands out by its level: info, warning, error or success."""
        return _shape("alert", {"text": _words(text), "level": level}, {})

    @staticmethod
    def container(title: str | PlainText75, children: Iterable[Any], **more: Any) -> ContainerBlock:
        """Blocks in a frame, which may fold."""
        return _shape("container", {"title": _words(title), "child_blocks": list(children)}, more)

    @staticmethod
    def with_id(block_id: str, block: Any) -> Any:
        """Names a block: clicks in it tell the id. Without one, its id follows from its content."""
        return {**block, "block_id": block_id}

    @staticmethod
    def button(text: str | PlainText75, action_id: str | None = None, **more: Any) -> ButtonElement:
        """Something to press. With ``url`` it is a link."""
        return _shape("button", {"text": _words(text), "action_id": action_id}, more)

    @staticmethod
    def icon_button(icon: str, text: str | PlainText75, **more: Any) -> IconButtonElement:
        """A button with a picture in place of its text."""
        return _shape("icon_button", {"icon": icon, "text": _words(text)}, more)

    @staticmethod
    def feedback(text: str | PlainText75, value: str, **more: Any) -> FeedbackButton:
        """One of the two buttons of ``feedback_buttons``."""
        return cast(FeedbackButton, {"text": _words(text), "value": value, **more})

    @staticmethod
    def feedback_buttons(
        positive: FeedbackButton, negative: FeedbackButton, **more: Any
    ) -> FeedbackButtonsElement:
        given = {"positive_button": positive, "negative_button": negative}
        return _shape("feedback_buttons", given, more)

    @staticmethod
    def confirm(
        text: _Words,
        *,
        title: str | None = None,
        confirm: str | None = None,
        deny: str | None = None,
        style: str | None = None,
    ) -> Confirm:
        """Asked before what an element does is done: the ``confirm`` of an element."""
        given = {"text": text, "title": title, "confirm": confirm, "deny": deny}
        made = {name: _words(value) for name, value in given.items() if value is not None}
        return cast(Confirm, made if style is None else {**made, "style": style})

    @staticmethod
    def option(text: str | PlainText75, value: str | None = None, description: str | None = None) -> MenuOption:
        """Something to choose. Without a value its text is the value."""
        words = _words(text)
        made = {"text": words, "value": words["text"] if value is None else value}
        return cast(MenuOption, made if description is None else {**made, "description": _words(description)})

    @staticmethod
    def link_option(text: str | PlainText75, url: str) -> OverflowOption:
        """An option of ``overflow`` that leads elsewhere."""
        return {"text": _words(text), "url": url}

    @staticmethod
    def group(label: str | PlainText75, options: Iterable[str | MenuOption]) -> MenuOptionGroup:
        """Options under a heading: ``select([group("Indoors", ["Hall", "Attic"])])``."""
        return {"label": _words(label), "options": [_option(one) for one in options]}

    @staticmethod
    def select(options: Iterable[Any], **more: Any) -> StaticSelectElement:
        """A menu: one of the options, or of groups of them."""
        return _shape("static_select", _choices(options), more)

    @staticmethod
    def multi_select(options: Iterable[Any], **more: Any) -> MultiStaticSelectElement:
        return _shape("multi_static_select", _choices(options), more)

    @staticmethod
    def external_select(**more: Any) -> ExternalSelectElement:
        """A menu whose options ``app.offer`` finds as somebody types, after three characters or ``min_query_length``."""
        return _shape("external_select", {}, more)

    @staticmethod
    def multi_external_select(**more: Any) -> MultiExternalSelectElement:
        return _shape("multi_external_select", {}, more)

    @staticmethod
    def users_select(**more: Any) -> UsersSelectElement:
        """One of the people in the team."""
        return _shape("users_select", {}, more)

    @staticmethod
    def multi_users_select(**more: Any) -> MultiUsersSelectElement:
        return _shape("multi_users_select", {}, more)

    @staticmethod
    def overflow(options: Iterable[Any], **more: Any) -> OverflowElement:
        """A menu behind three dots."""
        return _shape("overflow", _choices(options), more)

    @staticmethod
    def checkboxes(options: Iterable[Any], **more: Any) -> CheckboxesElement:
        return _shape("checkboxes", _choices(options), more)

    @staticmethod
    def radio_buttons(options: Iterable[Any], **more: Any) -> RadioButtonsElement:
        return _shape("radio_buttons", _choices(options), more)

    @staticmethod
    def datepicker(**more: Any) -> DatepickerElement:
        """A day, as ``2026-12-24``."""
        return _shape("datepicker", {}, more)

    @staticmethod
    def timepicker(**more: Any) -> TimepickerElement:
        """A time of the day, as ``09:30``."""
        return _shape("timepicker", {}, more)

    @staticmethod
    def datetimepicker(**more: Any) -> DatetimepickerElement:
        """A moment, in seconds."""
        return _shape("datetimepicker", {}, more)

    @staticmethod
    def text_input(**more: Any) -> PlainTextInputElement:
        """A field for a text; ``multiline=True`` for several lines."""
        return _shape("plain_text_input", {}, more)

    @staticmethod
    def number_input(*, is_decimal_allowed: bool = False, **more: Any) -> NumberInputElement:
        """A field for a number: a whole one unless ``is_decimal_allowed``."""
        return _shape("number_input", {"is_decimal_allowed": is_decimal_allowed}, more)

    @staticmethod
    def email_input(**more: Any) -> EmailInputElement:
        return _shape("email_text_input", {}, more)

    @staticmethod
    def url_input(**more: Any) -> UrlInputElement:
        return _shape("url_text_input", {}, more)

    @staticmethod
    def rich_text_input(**more: Any) -> RichTextInputElement:
        """A field for a text with formatting."""
        return _shape("rich_text_input", {}, more)


def _rows(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    return [[_cell(cell) for cell in row] for row in rows]


def _cell(cell: Any) -> Any:
    if isinstance(cell, (int, float)):
        return {"type": "raw_number", "value": cell}
    # A cell holds one character at least.
    return {"type": "raw_text", "text": cell or " "} if isinstance(cell, str) else cell


def read_webhook(headers: Mapping[str, str], body: bytes, keys: Iterable[str]) -> list[Event]:
    """The events of a call to a subscription's webhook, one or a list. Raises SignatureError when it is forged."""
    verify_signature(headers, body, keys)
    events = json.loads(body)
    return cast("list[Event]", events if isinstance(events, list) else [events])


def verify_signature(
    headers: Mapping[str, str], body: bytes, keys: Iterable[str], now: float | None = None
) -> None:
    """Verifies a call as Standard Webhooks says.

    ``body`` is as it came: parsing and writing it again would change the signed bytes. ``keys`` are those of a subscription
    (``whsec_…``), or client secrets; one of them must have signed.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not lower.get(name)]
    if missing:
        raise SignatureError(f"the header {missing[0]} is missing")
    at = lower["webhook-timestamp"]
    clock = time.time() if now is None else now
    if not (at.isascii() and at.isdigit()) or abs(clock - int(at)) > _TOLERANCE:
        raise SignatureError("the call is too old, or from the future")
    signed = f"{lower['webhook-id']}.{at}.".encode() + body
    given = lower["webhook-signature"].split(" ")
    for key in keys:
        expected = "v1," + base64.b64encode(hmac.new(_key_bytes(key), signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), one.encode()) for one in given):
            return
    raise SignatureError("the signature is wrong")


def _key_bytes(key: str) -> bytes:
    """With an empty key anybody could sign."""
    try:
        found = base64.b64decode(key[6:], validate=True) if key.startswith("whsec_") else key.encode()
    except binascii.Error:
        found = b""
    if len(found) < 16:
        raise ValueError("give the key of the subscription, which begins with whsec_, or the client secret")
    return found
