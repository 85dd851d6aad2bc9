"""What the outbox keeps, delivers and takes over. Run by e2e/rest/example-litellm.spec.ts."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import httpx

from allowance_litellm.outbox import Outbox

ANOTHER = """
import sys
from pathlib import Path
from allowance_litellm.outbox import Outbox
outbox = Outbox(Path(sys.argv[1]), "http://allowance", {})
outbox.open("under way")
outbox.open("answered")
outbox.settle("answered", "capture", {"amount": 2})
print("ready", flush=True)
sys.stdin.read()
"""


class Delivery(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.outbox = Outbox(self.folder, "http://allowance", {})
        self.requests: list[tuple[str, object]] = []
        self.status: dict[str, int] = {}

    def deliver(self) -> bool:
        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append((request.url.path, json.loads(request.content)))
            return httpx.Response(self.status.get(request.url.path, 200))

        self.requests.clear()
        with httpx.Client(transport=httpx.MockTransport(answer)) as client:
            return self.outbox.deliver(client)

    def test_the_first_decision_stays(self) -> None:
        for id in ("one", "two"):
            self.outbox.open(id)
        self.outbox.settle("one", "capture", {"amount": 1})
        self.outbox.settle("one", "void", {})
        self.outbox.settle("never opened", "void", {})
        self.assertTrue(self.deliver())
        self.assertEqual(self.requests, [("/one/capture", {"amount": 1})])
        self.outbox.settle("one", "void", {})
        self.assertTrue(self.deliver())
        self.assertEqual(self.requests, [])

    def test_an_answer_ends_an_entry_and_a_failure_does_not(self) -> None:
        answers = {"a": 200, "b": 404, "c": 409, "d": 400, "e": 500, "f": 401, "g": 429}
        self.status = {f"/{id}/void": status for id, status in answers.items()}
        for id in answers:
            self.outbox.open(id)
            self.outbox.settle(id, "void", {})
        with self.assertLogs("allowance", "ERROR"):
            self.assertFalse(self.deliver())
        self.assertEqual(len(self.requests), 7)
        self.status = {}
        self.assertTrue(self.deliver())
        self.assertEqual([path for path, _ in self.requests], ["/e/void", "/f/void", "/g/void"])

    def test_the_entries_of_a_worker_that_ended(self) -> None:
        another = subprocess.Popen(
            [sys.executable, "-c", ANOTHER, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert another.stdout
        self.assertEqual(another.stdout.readline(), b"ready\n")
        self.outbox.adopt()
        self.deliver()
        self.assertEqual(self.requests, [])
        another.kill()
        another.communicate()
        with self.assertLogs("allowance", "WARNING"):
            self.outbox.adopt()
        self.assertTrue(self.deliver())
        expected = [("/under way/void", {}), ("/answered/capture", {"amount": 2})]
        self.assertEqual(self.requests, expected)
