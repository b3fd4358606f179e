"""A thousand captures and some recordings, sent up to four times over cut links, are each done once."""

import collections
import hashlib
import math

from camerabus import CameraBus, Published, messages

from harness.asking import SENDINGS, Ask, Client, independent
from harness.link import FINISH, RESET, Link
from harness.node import Node
from harness.watching import EventWatcher

CLIENTS = 4
# Unanswered requests of one client. All clients together must not exceed the number of photos that
# may wait for their frame.
UNANSWERED = 4


def run(trial):
    count = trial.rounds(1000, 200)

    def plan():
        return int(math.exp(trial.random.uniform(math.log(50), math.log(40_000)))), trial.random.choice([RESET, FINISH])

    with (Node("cam=synthetic:640x360@60", "film=synthetic:320x240@60") as node, EventWatcher(node.control) as monitor,
          Link() as link, CameraBus(node.control) as bus):
        monitor.wait_for_snapshot()
        control = link.forward(node.control, plan)
        bus.status()  # before its reply the epoch is empty
        epoch = bus.epoch
        photographers = [
            Client(control, epoch, photos(independent(trial.random), count // CLIENTS), UNANSWERED) for _ in range(CLIENTS)]
        filmer = Client(control, epoch, movies(independent(trial.random), count // 50), 1)
        for client in (*photographers, filmer):
            client.start()
        for client in (*photographers, filmer):
            client.join()
            assert not client.failure, client.failure
        last = bus.capture(camera="cam", picture=False).request_id
        monitor.wait_for(lambda notice: ends(notice) == last, "the end of the last capture")
        started = {ask.id for ask in filmer.done if "record_start" in ask.body}
        monitor.wait_until(lambda: started <= finished_recordings(monitor), "the end of every recording")
        events = [notice.event for _, notice in monitor.seen if isinstance(notice, Published)]
        asked = [ask for client in photographers for ask in client.done]
        cuts = sum(connection.ended_by == "cut" for connection in link.connections)
        trial.figure(f"{cuts} cuts of {len(link.connections)} connections")
        check_answers(trial, "captures", asked)
        check_photos(trial, asked, node, bus, [event.capture for event in events if event.HasField("capture")], last)
        check_answers(trial, "record starts and stops", filmer.done)
        check_movies(trial, filmer.done, node, bus, [event.recording for event in events if event.HasField("recording")])


def photos(chance, count):
    for _ in range(count):
        is_transient = chance.random() < 0.1
        yield Ask(chance, capture=messages.CaptureRequest(
            camera="cam", now=messages.CaptureRequest.Now(), transient=is_transient,
            inline_limit=1 << 20 if is_transient else 0))


def movies(chance, count):
    """Repetitions of a start go on after its stop, and repetitions of a stop go on after the next
    start.
    """
    for _ in range(count):
        yield Ask(chance, record_start=messages.RecordStartRequest(camera="film"))
        yield Ask(chance, delay=chance.uniform(0.1, 0.3), record_stop=messages.RecordStopRequest(camera="film"))


def check_answers(trial, what, asked):
    sendings = collections.Counter(min(ask.sent, SENDINGS + 1) for ask in asked)
    unequal = [ask for ask in asked if len(set(ask.finals)) != 1]
    trial.figure(
        f"{len(asked)} {what}, sent {sum(ask.sent for ask in asked)} times: once {sendings[1]}, twice {sendings[2]}, "
        f"3 times {sendings[3]}, 4 times {sendings[4]}, more often because of the cuts {sendings[SENDINGS + 1]}; "
        f"{sum(len(ask.finals) for ask in asked)} final replies, {sum(len(ask.finals) > 1 for ask in asked)} ids had more "
        f"than one, {len(unequal)} had unequal ones")
    assert not unequal, f"unequal answers to {unequal[0].id.hex()}"
    refused = [ask.result.error for ask in asked if ask.result.HasField("error")]
    assert not refused, f"{len(refused)} were refused, one with {refused[0]}"


def check_photos(trial, asked, node, bus, steps, last):
    ids = collections.Counter(ask.id for ask in asked)
    exposures = collections.Counter(
        step.request_id for step in steps if step.progress.step == messages.CaptureProgress.STEP_DID_CAPTURE)
    completions = collections.Counter(step.request_id for step in steps if step.HasField("completed"))
    ids[last] = 1
    trial.figure(f"{len(ids)} ids, {exposures.total()} exposures, {completions.total()} completed")
    assert exposures == completions == ids, "exposures are not the distinct ids"
    kept = [ask for ask in asked if not ask.is_transient]
    for ask in kept:
        found = bus.assets(request_id=ask.id)
        assert list(found) == [ask.result.capture.asset], f"{len(found)} assets for {ask.id.hex()}: {found}"
        content = (node.library / found[0].path).read_bytes()
        assert hashlib.sha256(content).digest() == found[0].sha256
    for ask in asked:
        assert not ask.is_transient or ask.pictures == {ask.result.capture.sha256}, "a photo came without its picture"
    files = list(node.library.rglob("*.jpg"))
    trial.figure(f"{len(kept) + 1} photos were to be kept, {len(files)} files")
    assert len(files) == len(kept) + 1


def check_movies(trial, asked, node, bus, steps):
    ids = collections.Counter(ask.id for ask in asked if "record_start" in ask.body)
    starts = collections.Counter(step.request_id for step in steps if step.HasField("started"))
    ends_of = collections.Counter(step.request_id for step in steps if step.HasField("finished"))
    files = list(node.library.rglob("*.mkv"))
    trial.figure(f"{len(ids)} recordings, {starts.total()} started, {ends_of.total()} finished, {len(files)} files")
    assert starts == ends_of == ids, "recordings are not the distinct ids"
    assert len(files) == len(ids)
    for id in ids:
        assert len(bus.assets(request_id=id)) == 1


def ends(notice):
    """The id of the request whose capture this notice ends; None if it ends no capture."""
    if isinstance(notice, Published) and notice.event.capture.WhichOneof("body") in ("completed", "failed"):
        return notice.event.capture.request_id
    return None


def finished_recordings(monitor):
    """The ids of the recordings whose end the monitor has seen."""
    return {notice.event.recording.request_id for _, notice in monitor.seen
            if isinstance(notice, Published) and notice.event.recording.HasField("finished")}
