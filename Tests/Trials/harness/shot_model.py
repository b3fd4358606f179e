"""What a node must answer and tell of shots: the rules of the protocol as a small program, without a node, a clock or I/O."""

from camerabus import messages

# The most pictures of one client that are not made yet, its most photos, and those of all clients after which nobody gets a
# second place.
UNMADE, OWN, SHARED = 12, 24, 32


def refusal(code, reason="UNSPECIFIED"):
    """An error as the model knows it: its code and its reason."""
    return getattr(messages, f"ERROR_CODE_{code}"), getattr(messages, f"ERROR_REASON_{reason}")


OK = (0, 0)
ABORTED = "aborted"
NOT_ABORTED = "not aborted"
GONE = refusal("NO_SUCH_CAMERA")
UNFIT = refusal("CONFLICT")
LEASED = refusal("CONFLICT", "LEASED")
LEASE_ENDED = refusal("CONFLICT", "LEASE_ENDED")
NO_SUCH_SHOT = refusal("CONFLICT", "NO_SUCH_SHOT")
NO_CLOCK = refusal("CONFLICT", "NO_REFERENCE_CLOCK")
OVERFLOW = refusal("BUSY", "OVERFLOW")
INVALID = refusal("INVALID_ARGUMENT")
LATE = refusal("FRAME_UNAVAILABLE", "LATE")
STOPPED = refusal("NOT_RUNNING", "SESSION_STOPPED")
# A camera that is unplugged: no shot can be prepared, and a photo fails.
NOT_READY, LOST = refusal("DEVICE_NOT_FOUND", "NOT_READY"), refusal("DEVICE_NOT_FOUND")
INTERRUPTED = refusal("INTERRUPTED")


class Lease:
    """`owner` is the shot that the lease ends with, or None."""

    def __init__(self, id, owner=None):
        self.id, self.owner = id, owner


class Shot:
    """One camera's part of a shot that has not ended. `commit` is the request that took it, or None."""

    def __init__(self, client, lease, commit=None):
        self.client, self.lease, self.commit = client, lease, commit

    def copy(self):
        return Shot(self.client, self.lease, self.commit)


class Camera:
    """`state` is "running", "stopped", "lost" while it is unplugged, or "gone" while the node does not have it."""

    def __init__(self):
        self.state = "running"
        self.lease = None
        self.shots = {}
        self.photos = {}  # the client of each photo under way, those of shots too
        self.made = set()  # those that are only to be stored yet

    def copy(self):
        other = Camera()
        other.state, other.lease = self.state, self.lease
        other.shots = {name: shot.copy() for name, shot in self.shots.items()}
        other.photos = dict(self.photos)
        return other

    # What is answered

    def _refuse_lease(self, lease):
        """Why a request under a lease, or under None, may not change the camera."""
        if self.lease and lease == self.lease.id:
            return None
        if self.lease:
            return LEASED
        return LEASE_ENDED if lease else None

    def problem(self):
        """Why no photo can be taken now."""
        return {"running": None, "stopped": STOPPED, "lost": LOST, "gone": GONE}[self.state]

    def _refuse_place(self, client):
        unmade = [*(one for photo, one in self.photos.items() if photo not in self.made),
                  *(shot.client for shot in self.shots.values() if not shot.commit)]
        own, count = unmade.count(client), len(unmade) + len(self.made)
        all_own = own + sum(self.photos[photo] == client for photo in self.made)
        return OVERFLOW if own >= UNMADE or all_own >= OWN or all_own and count >= SHARED else None

    def capture(self, client):
        return self.problem() or self._refuse_place(client) or OK

    def prepare(self, shot, client, lease, knows_clock=True):
        if self.state == "gone":
            return GONE
        if shot in self.shots:
            return UNFIT
        return ((None if knows_clock else NO_CLOCK) or self._refuse_lease(lease)
                or (NOT_READY if self.state == "lost" else self.problem()) or self._refuse_place(client) or OK)

    def commit(self, shot, lease, is_too_far=False):
        """Whether a commit is taken; how it ends is another matter."""
        if self.state == "gone":
            return GONE
        if shot not in self.shots:
            return NO_SUCH_SHOT
        return (self._refuse_lease(lease) or (UNFIT if self.shots[shot].commit else None)
                or (INVALID if is_too_far else None) or OK)

    def abort(self, shot, lease):
        if self.state == "gone":
            return GONE
        if shot not in self.shots:
            return NOT_ABORTED
        return self._refuse_lease(lease) or (NOT_ABORTED if self.shots[shot].commit else ABORTED)

    def acquire(self, lease):
        """One that is under a lease that has ended begins a new one."""
        return (GONE if self.state == "gone" else None) or (self._refuse_lease(lease) if self.lease else None) or OK

    def release(self, lease, force):
        """Nobody needs a lease to end that of nobody."""
        return (GONE if self.state == "gone" else None) or (self._refuse_lease(lease) if self.lease and not force else None) or OK

    def change_session(self, lease):
        return self._refuse_lease(lease) or OK

    # What happens

    def prepared(self, shot, client, request):
        """The shot has a place, under the lease or under a new one that has the id of the request."""
        self.lease = self.lease or Lease(request, owner=shot)
        self.shots[shot] = Shot(client, self.lease)

    def committed(self, shot, commit):
        """The photo takes the place that was kept for the client that prepared the shot."""
        self.shots[shot].commit = commit
        self.photos[commit] = self.shots[shot].client

    def ended(self, shot):
        """A shot has ended, and its own lease with it. Returns the other shots that were under that lease."""
        ended = self.shots.pop(shot)
        self.photos.pop(ended.commit, None)
        return self.lease_ended() if ended.lease is self.lease and self.lease.owner == shot else []

    def prepared_under(self, lease):
        return [shot for shot, part in self.shots.items() if part.lease is lease and not part.commit]

    def lease_ended(self):
        """Returns the shots that have ended with it; those that are taken go on."""
        expired = self.prepared_under(self.lease)
        self.lease = None
        for shot in expired:
            del self.shots[shot]
        return expired

    def without(self, photos, made, lease=None):
        """The camera as it is when these photos, and this lease, have ended, and those are made."""
        other = self.copy()
        for shot in [shot for shot, part in self.shots.items() if part.commit in photos]:
            other.ended(shot)
        for photo in photos:
            other.photos.pop(photo, None)
        if lease and lease is other.lease:
            other.lease_ended()
        other.made = made - photos
        return other
