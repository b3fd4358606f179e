"""A TCP proxy between client and node that breaks connections when a test asks for it."""

from __future__ import annotations

import socket
import threading
from typing import Optional


class Proxy:
    """Forwards TCP connections to a target. Clients connect to `endpoint`."""

    def __init__(self, target: str):
        host, port = target.removeprefix("tcp://").rsplit(":", 1)
        self._target = (host, int(port))
        self._lock = threading.Lock()
        self._pairs: list[_Pair] = []
        self._closed = False
        # After this many bytes to the client the connection is cut, once.
        self._cut_after: Optional[int] = None
        # How many connections there have been.
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._address = self._listener.getsockname()
        self.endpoint = f"tcp://127.0.0.1:{self._address[1]}"
        self._start(self._listener)

    def cut(self) -> None:
        """Closes all connections, and refuses new ones until `restore`."""
        with self._lock:
            _shut(self._listener)
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            pair.close()

    def restore(self) -> None:
        with self._lock:
            self._listener = socket.create_server(self._address)
        self._start(self._listener)

    def freeze(self) -> None:
        """Stops forwarding on existing connections without closing them. New connections work."""
        with self._lock:
            for pair in self._pairs:
                pair.frozen = True

    def cut_after(self, count: int) -> None:
        """Closes the connection after that many bytes to the client."""
        with self._lock:
            self._cut_after = count

    def close(self) -> None:
        self._closed = True
        self.cut()

    def _start(self, listener: socket.socket) -> None:
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while not self._closed:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                node = socket.create_connection(self._target)
            except OSError:
                client.close()
                continue
            pair = _Pair(client, node)
            with self._lock:
                self.connections += 1
                self._pairs.append(pair)
            threading.Thread(target=self._pump, args=(pair, client, node, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(pair, node, client, True), daemon=True).start()

    def _pump(self, pair: _Pair, source: socket.socket, sink: socket.socket, to_client: bool) -> None:
        try:
            while data := source.recv(65536):
                if pair.frozen:
                    continue
                if to_client and not self._let_through(len(data)):
                    break
                sink.sendall(data)
        except OSError:
            pass
        pair.close()

    def _let_through(self, count: int) -> bool:
        with self._lock:
            if self._cut_after is None:
                return True
            self._cut_after -= count
            if self._cut_after > 0:
                return True
            self._cut_after = None
            return False


class _Pair:
    def __init__(self, client: socket.socket, node: socket.socket):
        self._sockets = (client, node)
        self.frozen = False

    def close(self) -> None:
        for end in self._sockets:
            _shut(end)


def _shut(end: socket.socket) -> None:
    """Closes a socket even if another thread waits on it."""
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()
