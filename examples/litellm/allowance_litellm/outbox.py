"""What Allowance has yet to be told, on disk."""

import json
import logging
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import httpx

log = logging.getLogger("allowance")

#: How long it waits for news before it tries again.
PAUSE_SECONDS = 5
TABLE = """CREATE TABLE IF NOT EXISTS entry (
  authorization_id TEXT PRIMARY KEY,
  how TEXT NOT NULL CHECK (how IN ('capture', 'void')),
  body TEXT NOT NULL,
  due REAL NOT NULL
) STRICT"""


class Outbox:
    """Remembers each hold, from its authorization until Allowance knows what became of it.

    What is written is on the disk when the call returns. A thread delivers what is due, again and
    again, until Allowance answers. Workers of one machine share the file, and whichever runs
    delivers: the same capture counts once.
    """

    def __init__(self, folder: Path, address: str, headers: dict[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._address, self._headers = address, headers
        self._db = sqlite3.connect(
            folder / "outbox.db", timeout=10, isolation_level=None, check_same_thread=False
        )
        self._turn = threading.Lock()
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", TABLE):
            self._run(statement)
        self._news = threading.Event()

    def open(self, authorization_id: str, amount: float, seconds: float) -> None:
        """Remembers a hold. Unless it is settled, all of it is captured after so many seconds.

        Raises sqlite3.Error when it cannot.
        """
        body, due = json.dumps({"amount": amount}), time.time() + seconds
        self._run("INSERT INTO entry VALUES (?, 'capture', ?, ?)", authorization_id, body, due)

    def settle(self, authorization_id: str, how: str, body: dict[str, Any]) -> None:
        """Decides what becomes of a hold: `capture` or `void`. The first decision stays."""
        statement = (
            "UPDATE entry SET how = ?, body = ?, due = 0 WHERE authorization_id = ? AND due > 0"
        )
        try:
            self._run(statement, how, json.dumps(body), authorization_id)
        except sqlite3.Error:
            log.exception("not stored, make it by hand: %s %s %s", how, authorization_id, body)
        self._news.set()

    def start(self) -> None:
        """Begins to deliver, in the background."""
        threading.Thread(target=self._deliver_forever, name="outbox", daemon=True).start()

    def _deliver_forever(self) -> None:
        with httpx.Client(headers=self._headers, timeout=10) as client:
            while True:
                self._news.clear()
                try:
                    self.deliver(client)
                except httpx.HTTPError as error:
                    log.error("Allowance did not answer: %s", type(error).__name__)
                except sqlite3.Error:
                    log.exception("the outbox cannot be used")
                self._news.wait(PAUSE_SECONDS)

    def deliver(self, client: httpx.Client) -> None:
        """Delivers what is due. Keeps what Allowance has not answered for good.

        Raises httpx.HTTPError without an answer, sqlite3.Error when the file cannot be used.
        """
        due = "SELECT authorization_id, how, body, due FROM entry WHERE due <= ? ORDER BY rowid"
        for id, how, body, since in self._run(due, time.time()):
            if since > 0:
                log.warning("captured whole, because what the call has used is not known: %s", id)
            answer = client.post(f"{self._address}/{id}/{how}", json=json.loads(body))
            if answer.status_code in (200, 400, 404, 409):
                self._run("DELETE FROM entry WHERE authorization_id = ?", id)
            if answer.status_code != 200:
                log.error("%s: %s %s %s: %s", answer.status_code, how, id, body, answer.text[:300])

    def _run(self, statement: str, *values: str | float) -> list[Any]:
        with self._turn:
            return self._db.execute(statement, values).fetchall()
