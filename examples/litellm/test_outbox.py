"""What the outbox keeps, delivers and captures whole. Run by e2e/rest/example-litellm.spec.ts."""

import json
import tempfile
import unittest
from pathlib import Path

import httpx

from allowance_litellm.outbox import Outbox


class Delivery(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.outbox = self.open()
        self.status: dict[str, int] = {}

    def open(self) -> Outbox:
        return Outbox(self.folder, "http://allowance", {})

    def deliver(self, outbox: Outbox) -> list[tuple[str, object]]:
        """What is sent to Allowance, in order."""
        requests: list[tuple[str, object]] = []

        def answer(request: httpx.Request) -> httpx.Response:
            requests.append((request.url.path, json.loads(request.content)))
            return httpx.Response(self.status.get(request.url.path, 200))

        with httpx.Client(transport=httpx.MockTransport(answer)) as client:
            outbox.deliver(client)
        return requests

    def test_the_first_decision_stays(self) -> None:
        for id in ("one", "two"):
            self.outbox.open(id, 1, 60)
        self.outbox.settle("one", "capture", {"amount": 1})
        self.outbox.settle("one", "void", {})
        self.outbox.settle("never opened", "void", {})
        self.assertEqual(self.deliver(self.outbox), [("/one/capture", {"amount": 1})])
        self.outbox.settle("one", "void", {})
        self.assertEqual(self.deliver(self.outbox), [])

    def test_an_answer_ends_an_entry_and_a_failure_does_not(self) -> None:
        answers = {"a": 200, "b": 404, "c": 409, "d": 400, "e": 500, "f": 401, "g": 429}
        self.status = {f"/{id}/void": status for id, status in answers.items()}
        for id in answers:
            self.outbox.open(id, 1, 60)
            self.outbox.settle(id, "void", {})
        with self.assertLogs("allowance", "ERROR"):
            self.assertEqual(len(self.deliver(self.outbox)), 7)
        self.status = {}
        left = [path for path, _ in self.deliver(self.outbox)]
        self.assertEqual(left, ["/e/void", "/f/void", "/g/void"])

    def test_a_call_that_nothing_settles_is_captured_whole_when_it_is_due(self) -> None:
        self.outbox.open("under way", 2, 60)
        self.outbox.open("crashed", 3, 0)
        self.outbox.open("late", 4, 0)
        self.outbox.settle("late", "capture", {"usage": {"input_tokens": 1}})
        # Another process, after a crash of the first or beside it, reads the same file.
        another = self.open()
        with self.assertLogs("allowance", "WARNING"):
            sent = self.deliver(another)
        self.assertEqual(
            sent,
            [
                ("/crashed/capture", {"amount": 3}),
                ("/late/capture", {"usage": {"input_tokens": 1}}),
            ],
        )
        self.assertEqual(self.deliver(self.outbox), [])
