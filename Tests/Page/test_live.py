"""The page of a running program: it shows the program's events, and sends it commands."""

import time

from cases import PageCase
from live_server import LiveServer
from recordings import shop

length = len(shop()["entries"])


class LiveCase(PageCase):
    def setUp(self):
        self.server = LiveServer(shop())
        self.addCleanup(self.server.close)
        self.tab = self.visit(self.server.address)
        self.wait_for_count(length)
        self.tab.wait_for("byId('connection').textContent === 'Live'", "it did not connect")

    def wait_for_count(self, count):
        self.tab.wait_for(f"page.recording.length === {count} && page.list.count > 0", f"{count} entries did not arrive")
        self.tab.settle()

    def wait_for_command(self, command):
        end = time.monotonic() + 30
        while command not in self.server.commands:
            self.assertLess(time.monotonic(), end, f"{command} is not among {self.server.commands}")
            self.tab.settle()


class LiveTests(LiveCase):
    def test_new_entries_are_appended_and_followed(self):
        tab = self.tab
        self.assertEqual(tab.evaluate("page.position"), length)
        self.server.append([{"text": "more(1)", "changes": [[["1", "told"], 1]]}, {"text": "more(2)"}])
        self.wait_for_count(length + 2)
        self.assertEqual(tab.evaluate("page.position"), length + 2)
        self.assertIn("more(2)", "".join(self.rows(tab)))
        self.assertIn("told: 1", "".join(self.rows(tab, "#state")))

    def test_selecting_an_entry_ends_following_and_does_not_travel(self):
        tab = self.tab
        tab.evaluate("byId('list').focus()")
        tab.press("Home")
        self.assertFalse(tab.evaluate("byId('follow').checked"))
        self.server.append([{"text": "more"}])
        self.wait_for_count(length + 1)
        self.assertEqual(tab.evaluate("page.position"), 1)
        tab.click("#follow")
        self.assertEqual(tab.evaluate("page.position"), length + 1)
        self.assertEqual(self.server.commands, [])

    def test_during_a_pause_new_entries_wait(self):
        tab = self.tab
        tab.click("#pause")
        self.server.append([{"text": "more"}])
        tab.wait_for("byId('program').textContent.includes('1 event not shown yet')", "hidden events are not counted")
        self.assertEqual(tab.evaluate("page.recording.length"), length)
        tab.click("#pause")
        self.wait_for_count(length + 1)

    def test_the_buttons_make_the_program_travel_and_resume(self):
        tab = self.tab
        tab.evaluate("page.show(12)")
        tab.settle()
        tab.click("#travel")
        self.wait_for_command({"command": "travel", "position": 12, "omitted": 0})
        tab.wait_for(f"byId('program').textContent === 'The program is at 12 of {length}, showing an earlier moment; 2 actions waiting until it resumes.'",
                     "the program's position is not shown")
        self.assertIn("program", tab.evaluate("document.querySelector('#list .row.active').className"))
        tab.click("#step-back")
        self.wait_for_command({"command": "step", "by": -1})
        tab.wait_for("page.programPosition === 11", "the program did not step")
        tab.click("#step-forward")
        self.wait_for_command({"command": "step", "by": 1})
        tab.click("#resume")
        self.wait_for_command({"command": "resume"})
        tab.wait_for(f"page.programPosition === {length} && byId('resume').disabled", "the program did not resume")
        self.server.move(3, True, 0)
        tab.wait_for("!byId('continue').disabled", "continuing from here is disabled")
        tab.click("#continue")
        tab.click("#drop-continue")
        self.wait_for_command({"command": "continueFromHere"})

    def test_an_entry_is_left_out_and_included_again(self):
        tab = self.tab
        tab.evaluate("page.show(7)")
        tab.settle()
        tab.click("#toggle")
        self.wait_for_command({"command": "toggle", "number": 7})
        tab.wait_for("page.entry.skipped === true", "the entry was not left out")
        self.assertEqual(tab.text("#toggle"), "Include again")
        self.assertIn("left out", tab.text("#list .row.active"))
        tab.click("#toggle-epoch")
        self.wait_for_command({"command": "toggleEpoch", "number": 7})

    def travel(self, position, held=0):
        self.server.move(position, True, held)
        self.tab.wait_for(f"page.programPosition === {position} && !byId('continue').disabled", "the program does not travel")

    def test_the_page_asks_before_actions_are_dropped(self):
        tab = self.tab
        self.travel(5, held=2)
        tab.click("#continue")
        self.assertEqual(tab.evaluate("byId('drop').matches(':modal') && document.activeElement.textContent"), "Cancel")
        text = tab.text("#drop-text")
        self.assertTrue(text.startswith(f"{length - 5} actions are dropped permanently"), text)
        self.assertTrue(text.endswith("2 waiting actions follow."), text)
        tab.press("Enter")
        self.assertFalse(tab.evaluate("byId('drop').open"))
        self.assertEqual(tab.evaluate("document.activeElement.id"), "continue")
        tab.press("Enter")
        tab.press("Escape")
        self.assertFalse(tab.evaluate("byId('drop').open"))
        self.assertEqual(self.server.commands, [])
        tab.press("Enter")
        tab.press("Tab")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "drop-continue")
        tab.press("Enter")
        self.wait_for_command({"command": "continueFromHere"})
        self.assertEqual(self.server.commands, [{"command": "continueFromHere"}])
        self.travel(5)
        tab.click("#continue")
        tab.press("Escape")
        self.assertEqual(self.server.commands, [{"command": "continueFromHere"}])

    def test_the_question_is_updated_and_closes_when_the_program_resumes(self):
        tab = self.tab
        self.travel(length - 1)
        tab.click("#continue")
        self.assertTrue(tab.text("#drop-text").startswith("1 action is dropped"))
        self.travel(length - 3)
        tab.wait_for("byId('drop-text').textContent.startsWith('3 actions are dropped')", "the number is outdated")
        self.server.move(length, False, 0)
        tab.wait_for("!byId('drop').open", "the page asks, but nothing would be dropped")
        self.assertEqual(self.server.commands, [])

    def test_left_out_actions_are_also_dropped_and_without_any_the_page_does_not_ask(self):
        tab = self.tab
        tab.evaluate("page.show(2)")
        tab.settle()
        tab.click("#toggle")
        tab.wait_for("page.recording.entries[1].skipped === true", "the entry was not left out")
        self.travel(length)
        tab.click("#continue")
        self.assertTrue(tab.text("#drop-text").startswith("1 action is dropped"))
        tab.press("Escape")
        tab.click("#toggle")
        tab.wait_for("page.recording.entries[1].skipped !== true", "the entry was not included again")
        self.travel(length)
        tab.click("#continue")
        self.wait_for_command({"command": "continueFromHere"})
        self.assertFalse(tab.evaluate("byId('drop').open"))

    def test_dropped_actions_that_the_page_does_not_have_are_counted(self):
        newest = {**self.server.recording, "entries": self.server.recording["entries"][10:], "omitted": 10, "position": 2}
        self.server.send({"kind": "recording", "recording": newest, "position": 4, "omitted": 0})
        self.wait_for_count(length - 10)
        self.server.send({"kind": "position", "position": 4, "isTravelling": True, "held": 0})
        self.tab.wait_for("!byId('continue').disabled", "the program does not travel")
        self.tab.click("#continue")
        self.assertTrue(self.tab.text("#drop-text").startswith(f"{length - 4} actions are dropped"))

    def test_buttons_have_descriptions(self):
        tab = self.tab
        missing = tab.evaluate("[...document.querySelectorAll('#live > .group button')].filter((button) => !button.title).map((button) => button.id)")
        self.assertEqual(missing, [])
        said = tab.evaluate("byId('pause').title")
        tab.click("#pause")
        self.assertNotEqual(tab.evaluate("byId('pause').title"), said)
        tab.click("#pause")
        self.assertEqual(tab.evaluate("byId('pause').title"), said)
        tab.evaluate("page.show(7)")
        tab.settle()
        said = tab.evaluate("byId('toggle').title")
        self.assertIn("without this action", said)
        tab.click("#toggle")
        tab.wait_for("byId('toggle').title.includes('with this action again')", "the button's description is outdated")

    def test_an_action_is_dispatched_as_json(self):
        tab = self.tab
        tab.click("#dispatch-open")
        self.assertEqual(tab.evaluate("document.activeElement.id"), "dispatch-text")
        self.assertIn('{"add":{"_0":"…"}}', tab.text("#dispatch-form"))
        self.assertIn(tab.text("#dispatch-copy"), tab.text("#dispatch-form"))
        tab.click("#dispatch-copy")
        self.assertIn("\"text\"", tab.evaluate("byId('dispatch-text').value"))
        tab.type("#dispatch-text", '{"add": ')
        tab.click("#dispatch .primary")
        self.assertIn("This isn’t valid JSON", tab.text("#notice-text"))
        tab.type("#dispatch-text", '{"add": {"id": 9}}')
        tab.click("#dispatch .primary")
        self.wait_for_command({"command": "dispatch", "action": {"add": {"id": 9}}})
        self.wait_for_count(length + 1)
        self.assertTrue(tab.evaluate("byId('notice').hidden"))
        self.assertIn("dispatched", tab.text("#entry"))

    def test_a_slow_browser_shows_how_many_entries_are_missing(self):
        self.server.send({"kind": "skipped", "count": 120})
        self.tab.wait_for("byId('notice-text').textContent.includes('120 entries were not sent')", "nothing is shown")

    def test_a_position_that_the_program_has_forgotten_cannot_be_reached(self):
        tab = self.tab
        self.server.append([{"text": "more"}], position=length - 9, omitted=10)
        self.wait_for_count(length + 1)
        self.assertEqual(tab.evaluate("page.programPosition"), length + 1)
        tab.evaluate("page.show(15)")
        tab.settle()
        tab.click("#travel")
        self.wait_for_command({"command": "travel", "position": 15, "omitted": 0})
        tab.evaluate("page.show(9)")
        tab.settle()
        self.assertTrue(tab.evaluate("byId('travel').disabled && byId('toggle').disabled"))

    def test_a_page_with_only_the_newest_entries_shows_the_position_of_the_program(self):
        tab = self.tab
        newest = {**self.server.recording, "entries": self.server.recording["entries"][10:], "omitted": 10, "position": 2}
        self.server.send({"kind": "recording", "recording": newest, "position": 12, "omitted": 0})
        self.wait_for_count(length - 10)
        self.assertEqual(tab.evaluate("[page.programPosition, page.forgotten]"), [2, 0])
        self.server.move(14, True, 0)
        tab.wait_for("page.programPosition === 4", "the program's position is not shown")
        tab.evaluate("page.show(3)")
        tab.settle()
        tab.click("#travel")
        self.wait_for_command({"command": "travel", "position": 3, "omitted": 10})

    def test_during_a_flood_of_entries_the_page_stays_usable(self):
        tab = self.tab
        for burst in range(100):
            self.server.append([{"text": f"more({burst}, {number})", "changes": [[["1", "told"], number]]} for number in range(100)])
        self.wait_for_count(length + 10_000)
        tab.wait_for(f"page.position === {length + 10_000}", "the page did not follow")
        self.assertIn("more(99, 99)", tab.text("#entry"))
        tab.click("#tab-metrics")
        self.server.append([{"text": "last", "name": "last"}])
        tab.wait_for("byId('metrics').textContent.includes('last')", "the metrics are not updated")

    def test_the_page_forgets_the_entries_that_the_program_forgets(self):
        tab = self.tab
        self.server.append([{"text": f"more({number})", "changes": [[["1", "told"], number]]} for number in range(3000)])
        self.wait_for_count(length + 3000)
        self.server.append([{"text": "last"}], position=1001, omitted=length + 2000)
        self.wait_for_count(1001)
        self.assertEqual(tab.evaluate("[page.position, page.programPosition, page.recording.omitted]"), [1001, 1001, length + 2000])
        self.assertEqual(tab.evaluate("valueAt(page.recording.states.at(0), ['1', 'told'])"), 1999)


class LoadingTests(PageCase):
    """The page before the program has sent anything."""

    def test_before_the_recording_arrives_nothing_is_shown_about_the_program(self):
        server = LiveServer(shop(), is_silent=True)
        self.addCleanup(server.close)
        tab = self.visit(server.address)
        tab.wait_for("byId('connection').textContent === 'Live'", "it did not connect")
        for selector in ("#position", "#count", "#value", "#entry"):
            self.assertEqual(tab.text(selector).strip(), "Loading…", selector)
        self.assertEqual(tab.text("#program"), "")
        self.assertTrue(tab.evaluate("byId('travel').disabled && byId('step-back').disabled && byId('dispatch-open').disabled"))
        for view, selector in (("stores", "#stores-span"), ("tasks", "#tasks-span"), ("metrics", "#metrics")):
            tab.click(f"#tab-{view}")
            self.assertEqual(tab.text(selector).strip(), "Loading…", view)
        tab.click("#tab-actions")
        shown = tab.evaluate("document.body.innerText")
        for text in ("0 / 0", "0 of 0", "missing", "0 actions", "before the first", "began with"):
            self.assertNotIn(text, shown.lower())
        server.send({"kind": "recording", "recording": server.recording})
        tab.wait_for(f"page.recording.length === {length}", "the recording did not arrive")
        tab.settle()
        self.assertEqual(tab.text("#position"), f"{length} / {length}")
        self.assertEqual(tab.text("#program"), f"The program is at {length} of {length}.")
        self.assertFalse(tab.evaluate("byId('travel').disabled"))
        for view in ("stores", "tasks", "metrics", "actions"):
            tab.click(f"#tab-{view}")
            self.assertNotIn("Loading", tab.evaluate("document.body.innerText"), view)
        self.assertNotIn("missing", tab.text("#value"))


class LostConnectionTests(LiveCase):
    """Problems with the connection, which the browser itself reports in its console."""

    expects_complaints = True

    def test_a_refusal_is_shown(self):
        tab = self.tab
        self.server.refusal = "There is no such position."
        tab.click("#travel")
        tab.wait_for("byId('notice-text').textContent === 'There is no such position.'", "the refusal is not shown")

    def test_a_lost_connection_is_shown_and_restored(self):
        tab = self.tab
        self.server.is_away = True
        self.server.hang_up()
        tab.wait_for("byId('connection').textContent.startsWith('Connection lost')", "the loss of the connection is not shown")
        self.assertTrue(tab.evaluate("byId('travel').disabled"))
        self.server.recording["entries"].append({**self.server.recording["entries"][-1], "number": 9999, "text": "meanwhile"})
        self.server.is_away = False
        tab.wait_for("byId('connection').textContent === 'Live'", "the page did not reconnect")
        self.wait_for_count(length + 1)
