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
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypedDict, Union, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
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
_NOT_FOUND = 4040
# Tolerance between the sender's clock and ours: older calls may be replays.
_TOLERANCE = 300


class ParleyError(Exception):
    """The platform refused. ``code`` is the first error's, such as 4010; docs/errors.md says what to do."""

    def __init__(self, status: int, errors: list[dict[str, Any]]) -> None:
        self.status = status
        self.errors = errors
        first = errors[0] if errors else {}
        self.code: int | None = first.get("code")
        self.reason: str | None = first.get("reason")
        message = first.get("message") or f"the answer, with HTTP status {status}, did not come from the platform"
        super().__init__(f"{message} ({self.code}, {self.reason})" if self.code else message)


class TokenError(Exception):
    """The token route or one of its relatives refused (RFC 6749 §5.2)."""

    def __init__(self, error: str, status: int) -> None:
        super().__init__(f"OAuth: {error}")
        self.error = error
        self.status = status


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


def _send(request: Request, repeatable: bool, timeout: float) -> _Answer:
    """Sends a request, and again when the answer was lost or is temporary. Raises OSError when there is no connection."""
    for usual in _PAUSES if repeatable else ():
        pause = usual
        try:
            answer = _attempt(request, timeout)
        except (OSError, http.client.HTTPException):
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
            raise ParleyError(answer.status, answer.errors)
        return answer

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
    """The application as itself in one team: posts, answers, and what it wrote (docs/developers.md, "Speak as yourself")."""

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
        super().__init__(base_url)
        self.base_url = self._base_url
        self.client_id = client_id
        self._secret = client_secret

    def _authorization(self) -> str:
        return "Basic " + base64.b64encode(f"{self.client_id}:{self._secret}".encode()).decode()

    def on_behalf(self, tokens: Tokens, save: Callable[[Tokens], None] = lambda _: None) -> OnBehalf:
        """Acts for the person whose tokens these are. ``save`` keeps each new pair."""
        return OnBehalf(self, tokens, save)

    def in_team(self, team: str) -> InTeam:
        """Acts as the application itself in a team that has it installed."""
        return InTeam(self, team)

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
        raise TokenError(body.get("error", f"status_{answer.status}"), answer.status)

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
        crash, too: remember the ids of what is done. Programs with the same ``group`` share the teams.
        """
        failures = 0
        while True:
            try:
                for event in self._stream(subscription, group):
                    failures = 0
                    yield event
                    done: PostSubscriptionConsumerAcknowledgementsBody = {"events": [event["id"]]}
                    self.post_subscription_consumer_acknowledgements(subscription, group, done)
            except ParleyError as error:
                # Waiting would not help: the credentials, the group or the subscription is wrong.
                if error.code is not None and error.status < 500 and error.status != 429:
                    raise
                failures += 1
            except (OSError, http.client.HTTPException):
                failures += 1
            time.sleep(min(_RETRY * 2 ** max(0, failures - 1), _LONGEST_RETRY))

    def _stream(self, subscription: str, group: str) -> Iterator[Event]:
        path = f"{self._path}/subscriptions/{_segment(subscription)}/stream"
        headers = {"Authorization": self._authorization()}
        request = Request(f"{self._base_url}{path}?consumer={_segment(group)}", headers=headers)
        try:
            response = _opener.open(request, timeout=_SILENCE)
        except HTTPError as error:
            with error:
                answer = _Answer(error.code, error.headers, error.read())
            raise ParleyError(answer.status, answer.errors) from None
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
