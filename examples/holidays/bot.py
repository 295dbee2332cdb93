import json
import os
import threading
from pathlib import Path

from parley import Application, blocks as b

app = Application(os.environ["PARLEY"], os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])

# What is remembered, by the id of the event that asked for it. A larger bot has a database.
FILE = Path("holidays-python.json")
holidays = json.loads(FILE.read_text()) if FILE.exists() else {}
# Handlers of different people run side by side, each in a thread.
lock = threading.Lock()


def field(id, label, element):
    return b.with_id(id, b.input(label, element))


def line(one):
    text = b.mrkdwn("{}: {} to {}, *{}*", b.person(one["user"]), one["first"], one["last"], one["answer"])
    return b.section(text)


def page(user):
    return [b.header("Your holidays"), *(line(one) for one in list(holidays.values()) if one["user"] == user)]


@app.command("holiday")
def holiday(given):
    first = field("first", "First day", b.datepicker(action_id="day"))
    last = field("last", "Last day", b.datepicker(action_id="day"))
    who = field("who", "Who decides?", b.users_select(action_id="person"))
    given.respond.form({"title": "Holiday", "submit": "Ask", "callback_id": "ask", "blocks": [first, last, who]})


@app.view("ask")
def ask(view):
    first, last, who = view.state["first"]["day"], view.state["last"]["day"], view.state["who"]["person"]
    if last < first:
        return view.respond.errors({"last": "It is before the first day"})
    if who == view.user:
        return view.respond.errors({"who": "Choose somebody else"})
    id = view.event["id"]
    asked = {"user": view.user, "team": view.team, "first": first, "last": last, "answer": "asked"}
    # After a crash the event comes again: then this is known, and the key keeps the message from being posted twice.
    with lock:
        asked = holidays.setdefault(id, asked)
        FILE.write_text(json.dumps(holidays))
    approve = b.button("Approve", "approve", value=id)
    buttons = b.with_id("decide", b.actions(approve, b.button("Decline", "decline", value=id)))
    view.bot.write_to(who, blocks=[line(asked), buttons], key=id)
    app.publish_home(view.team, view.user, page(view.user))


def decide(id, answer, asked):
    with lock:
        one = holidays[id]
        # Of two clicks the first one decides.
        if one["answer"] == "asked":
            one["answer"] = answer
        FILE.write_text(json.dumps(holidays))
    asked.respond.replace(blocks=[line(one)])
    asked.bot.write_to(one["user"], blocks=[line(one)], key=f"{id}-decided")
    app.publish_home(one["team"], one["user"], page(one["user"]))


@app.action("approve")
def approve(click):
    decide(click.value, "approved", click)


@app.action("decline")
def decline(click):
    why = field("why", "Why?", b.text_input(action_id="text"))
    form = {"title": "Decline", "submit": "Decline", "callback_id": "decline", "metadata": click.value}
    click.respond.form({**form, "blocks": [why]})


@app.view("decline")
def declined(view):
    decide(view.form["metadata"], "declined: " + view.state["why"]["text"], view)


@app.home
def home(visit):
    visit.publish(page(visit.user))


print("listening", flush=True)
app.run()
