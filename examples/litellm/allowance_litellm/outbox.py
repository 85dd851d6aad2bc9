"""What Allowance has yet to be told, on disk."""

import fcntl
import json
import logging
import sqlite3
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import httpx

log = logging.getLogger("allowance")

SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
TABLE = """CREATE TABLE IF NOT EXISTS entry (
  authorization_id TEXT PRIMARY KEY,
  worker TEXT NOT NULL,
  how TEXT CHECK (how IN ('capture', 'void')),
  body TEXT NOT NULL DEFAULT '{}'
) STRICT"""


class Outbox:
    """Remembers each hold, from its authorization until Allowance knows what became of it.

    What is written is on the disk when the call returns. A thread delivers, again and again, until
    Allowance answers: a repeated capture counts once. Workers of one machine share a folder; each
    delivers its own entries, and those of workers that have ended.
    """

    def __init__(self, folder: Path, address: str, headers: dict[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._address, self._headers = folder, address, headers
        self._worker = uuid.uuid4().hex
        # The system takes the lock away when the process ends, however it ends.
        self._lock_file = self._lock_path(self._worker).open("w")
        fcntl.flock(self._lock_file, fcntl.LOCK_EX)
        self._db = sqlite3.connect(
            folder / "outbox.db", timeout=10, isolation_level=None, check_same_thread=False
        )
        self._turn = threading.Lock()
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", TABLE):
            self._run(statement)
        self._news = threading.Event()

    def open(self, authorization_id: str) -> None:
        """Remembers a hold. Raises sqlite3.Error when it cannot."""
        self._run(
            "INSERT OR IGNORE INTO entry (authorization_id, worker) VALUES (?, ?)",
            authorization_id,
            self._worker,
        )

    def settle(self, authorization_id: str, how: str, body: dict[str, Any]) -> None:
        """Decides what becomes of a hold: `capture` or `void`. The first decision stays."""
        statement = "UPDATE entry SET how = ?, body = ? WHERE authorization_id = ? AND how IS NULL"
        try:
            self._run(statement, how, json.dumps(body), authorization_id)
        except sqlite3.Error:
            log.exception("not stored, make it by hand: %s %s %s", how, authorization_id, body)
        self._news.set()

    def start(self) -> None:
        """Begins to deliver, in the background."""
        threading.Thread(target=self._deliver_forever, name="outbox", daemon=True).start()

    def _deliver_forever(self) -> None:
        pause = SHORTEST_PAUSE
        with httpx.Client(headers=self._headers, timeout=10) as client:
            while True:
                self._news.clear()
                try:
                    self.adopt()
                    is_done = self.deliver(client)
                except sqlite3.Error:
                    log.exception("the outbox cannot be used")
                    is_done = False
                if is_done:
                    pause = SHORTEST_PAUSE
                    self._news.wait(LONGEST_PAUSE)
                else:
                    time.sleep(pause)
                    pause = min(pause * 2, LONGEST_PAUSE)

    def adopt(self) -> None:
        """Takes the entries of workers that have ended. Their open calls are voided."""
        others = self._run("SELECT DISTINCT worker FROM entry WHERE worker <> ?", self._worker)
        for (worker,) in others:
            with self._lock_path(worker).open("w") as lock_file:
                try:
                    fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                open_ones = "UPDATE entry SET how = 'void' WHERE worker = ? AND how IS NULL"
                for (id,) in self._run(f"{open_ones} RETURNING authorization_id", worker):
                    log.warning("voided, because the worker ended during the call: %s", id)
                self._run("UPDATE entry SET worker = ? WHERE worker = ?", self._worker, worker)
                self._lock_path(worker).unlink(missing_ok=True)

    def deliver(self, client: httpx.Client) -> bool:
        """Delivers what is decided. Returns whether Allowance has answered all of it."""
        mine = "SELECT authorization_id, how, body FROM entry WHERE worker = ? AND how IS NOT NULL"
        is_done = True
        for id, how, body in self._run(f"{mine} ORDER BY rowid", self._worker):
            try:
                answer = client.post(f"{self._address}/{id}/{how}", json=json.loads(body))
            except httpx.HTTPError as error:
                log.error("Allowance did not answer: %s", type(error).__name__)
                return False
            if answer.status_code in (400, 404, 409):
                log.error("ended: %s %s %s: %s", how, id, body, answer.text[:300])
            elif answer.status_code != 200:
                log.error("Allowance answered %s: %s", answer.status_code, answer.text[:300])
                is_done = False
                continue
            self._run("DELETE FROM entry WHERE authorization_id = ?", id)
        return is_done

    def _lock_path(self, worker: str) -> Path:
        return self._folder / f"{worker}.lock"

    def _run(self, statement: str, *values: str) -> list[Any]:
        with self._turn:
            return self._db.execute(statement, values).fetchall()
