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


# {types}


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

    # {token}


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

    # {application}


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
