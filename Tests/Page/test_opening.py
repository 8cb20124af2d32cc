"""A page opens, lists the recorded entries, and can be searched."""

import json

from cases import PageCase
from recordings import header, shop
from states import state_at


def shown_state(tab):
    """The state that the page shows, decoded from JSON."""
    return json.loads(tab.evaluate("JSON.stringify(page.recording.states.at(page.position))"))


class OpeningTests(PageCase):
    def test_the_page_opens_with_its_actions_and_requests_nothing(self):
        recording = shop()
        tab = self.open(recording)
        self.assertEqual(tab.text("#title"), "Shop")
        self.assertEqual(tab.text("#count"), f"{len(recording['entries'])} actions")
        self.assertIn(recording["entries"][-1]["text"], "".join(self.rows(tab)))
        self.assertEqual([address[:5] for address in tab.requests() if not address.startswith("data:")], ["file:"])

    def test_the_name_of_the_state_is_not_repeated(self):
        names = header(state="NotesState", action="NotesAction")
        tab = self.open({**names, "name": "NotesState"})
        self.assertEqual(tab.text("#title"), "NotesState")
        self.assertNotIn("NotesState", tab.text("#summary"))
        self.assertTrue(tab.text("#summary").startswith("NotesAction"))
        tab = self.open({**names, "name": "Notes"})
        self.assertTrue(tab.text("#summary").startswith("NotesState · NotesAction"))

    def test_a_stage_that_took_no_time_has_no_bar(self):
        entry = {"number": 1, "store": 1, "name": "add", "text": "add", "outcome": "reduced", "cause": {"kind": "outside"}}
        tab = self.open(header(entries=[{**entry, "times": [0, 2.5, 0, 1, 0, 3]}], position=1))
        bars = "[...document.querySelectorAll('#entry .times .bar')].map((bar) => bar.className)"
        self.assertEqual(tab.evaluate(bars), ["bar waited", "bar reduced", "bar delivered"])
        self.assertIn("0 ns", tab.text("#entry .times"))
        tab = self.open(header(entries=[{**entry, "times": [0, 0, 0, 0, 0, 0]}], position=1))
        self.assertEqual(tab.evaluate(bars), [])

    def test_an_empty_recording_opens(self):
        tab = self.open(header())
        self.assertEqual(tab.text("#count"), "0 actions")
        self.assertEqual(tab.text("#state-heading"), "State before the first action")

    def test_an_invalid_recording_is_reported(self):
        for text in ("", "{", '{"format": "else"}', '{"format":"arbor-recording","version":9}', "null"):
            tab = self.open(text)
            self.assertIn("cannot be shown", tab.text("#notice-text"), text)

    def test_a_search_by_text_finds_entries_with_their_causes(self):
        recording = shop()
        tab = self.open(recording)
        tab.type("#search", "FOUND(")
        found = [entry for entry in recording["entries"] if "found(" in entry["text"]]
        self.assertEqual(tab.text("#count"), f"{len(found)} of {len(recording['entries'])} actions")
        rows = self.rows(tab)
        self.assertIn(found[-1]["text"], "".join(rows))
        self.assertGreater(len(rows), 0)
        context = tab.evaluate("[...document.querySelectorAll('#list .row.context')].map(row => row.querySelector('.text').textContent)")
        self.assertTrue(context and all(text.startswith("search(") for text in context), context)

    def test_a_search_by_path_finds_the_entries_that_changed_it(self):
        recording = shop()
        tab = self.open(recording)
        expectations = {
            "cart.total": lambda path, value: path[1:3] == ["cart", "total"],
            "items[2].count": lambda path, value: path[1:5] == ["cart", "items", 2, "count"] or path[1:] == ["cart", "items", 2],
            "#1 search.text": lambda path, value: path[:3] == ["1", "search", "text"],
            "#1 cart.items.*.count": lambda path, value: path[:3] == ["1", "cart", "items"],
            "search.isSearching=false": lambda path, value: path[1:] == ["search", "isSearching"] and value == [False],
            "search.text = Apple": lambda path, value: path[1:] == ["search", "text"] and value == ["Apple"],
            "title": lambda path, value: len(path) == 1 and value and "title" in value[0],
        }
        for query, expects in expectations.items():
            tab.type("#path", query)
            found = [entry for entry in recording["entries"] if any(expects(path, value) for path, *value in entry.get("changes", []))]
            if query == "items[2].count":
                # A path inside a state does not match a change of a value that contains it.
                found = [entry for entry in found if entry["changes"][0][0][-1] == "count"]
            self.assertGreater(len(found), 0, query)
            self.assertEqual(tab.text("#count"), f"{len(found)} of {len(recording['entries'])} actions", query)

    def test_filters_by_store_and_outcome(self):
        recording = shop()
        tab = self.open(recording)
        for field, value, count in (
            ("outcome", "failed", sum(entry["outcome"] == "failed" for entry in recording["entries"])),
            ("store", "3", sum(entry["store"] == 3 for entry in recording["entries"])),
        ):
            tab.evaluate(f"byId('{field}').value = '{value}'; byId('{field}').dispatchEvent(new Event('input'))")
            tab.settle()
            self.assertEqual(tab.text("#count"), f"{count} of {len(recording['entries'])} actions")
            self.assertGreater(count, 0)
            tab.click("#clear")
        self.assertEqual(tab.text("#count"), f"{len(recording['entries'])} actions")

    def test_epochs_are_collapsed_and_expanded(self):
        recording = shop()
        tab = self.open(recording)
        roots = sum("action" not in entry["cause"] for entry in recording["entries"])
        tab.click("#fold")
        self.assertEqual(tab.evaluate("page.list.count"), roots)
        tab.click("#fold")
        self.assertEqual(tab.evaluate("page.list.count"), len(recording["entries"]))
        tab.click("#grouped")
        self.assertEqual(tab.evaluate("Math.max(...Array.from({length: page.list.count}, (_, row) => page.list.level(row)))"), 1)

    def test_a_jump_shows_the_state_that_results_from_the_changes(self):
        recording = shop(700)
        tab = self.open(recording)
        length = len(recording["entries"])
        for position in (0, 1, length, 255, 256, 257, 300, 299, 513, 12, length - 1):
            tab.evaluate(f"byId('slider').value = {position}; byId('slider').dispatchEvent(new Event('input'))")
            tab.settle()
            self.assertEqual(tab.text("#position"), f"{position} / {length}")
            self.assertEqual(shown_state(tab), state_at(recording, position), position)
        total = state_at(recording, 700)["1"]["cart"]["total"]
        tab.evaluate("page.select(699)")
        tab.evaluate("page.reveal(['1', 'cart', 'total'])")
        self.assertIn(f"total: {total}", [row.lstrip("▸▾") .replace("changed", "") for row in self.rows(tab, "#state")])

    def test_a_selected_entry_shows_its_changes_and_its_cause(self):
        recording = shop()
        place = next(place for place, entry in enumerate(recording["entries"]) if entry["name"] == "totalChanged")
        tab = self.open(recording)
        tab.evaluate(f"page.select({place})")
        entry = recording["entries"][place]
        text = tab.text("#entry")
        self.assertIn("#1 cart.total", text)
        self.assertIn(str(entry["changes"][0][1]), text)
        self.assertIn("Reducers", text)
        tab.click("#entry ol.links button")
        self.assertEqual(tab.evaluate("page.entry.number"), entry["cause"]["action"])
        self.assertIn(entry["text"], tab.text("#entry"))

    def test_the_cause_names_the_task_and_its_key(self):
        recording = shop()
        place = next(place for place, entry in enumerate(recording["entries"]) if entry["cause"]["kind"] == "task")
        task = recording["entries"][place]["cause"]["task"]
        tab = self.open(recording)
        tab.evaluate(f"page.select({place})")
        self.assertIn(f"By task {task} search", tab.text("#entry"))
        recording["tasks"] = []
        tab = self.open(recording)
        tab.evaluate(f"page.select({place})")
        self.assertIn(f"By task {task}", tab.text("#entry"))
        self.assertNotIn(f"By task {task} search", tab.text("#entry"))

    def test_metrics_of_the_program_replace_the_times_of_the_entries(self):
        recording = shop()
        tab = self.open(recording)
        tab.click("#tab-metrics")
        self.assertEqual(tab.text("#metrics-source"), "From the times of the recorded entries")
        recording["metrics"] = {"actions": [
            {"name": "add", "count": 4800, "waited": [1.5, 40, 2500], "reduced": [0.125, 1, 2]}, {"name": "other", "count": 3},
        ]}
        tab = self.open(recording)
        tab.click("#tab-metrics")
        self.assertEqual(tab.text("#metrics-source"), "As measured by the program")
        rows = tab.evaluate("[...document.querySelectorAll('#metrics tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
        self.assertEqual([row[0] for row in rows], ["add", "other"])
        self.assertIn("4,800", rows[0][1])
        self.assertIn("1.50 µs · 40 µs · 2.50 ms", rows[0][2])
        self.assertEqual(rows[0][4], "not measured")
        self.assertEqual(rows[1][2:], ["not measured"] * 3)
        recording["metrics"] = {"actions": []}
        tab = self.open(recording)
        tab.click("#tab-metrics")
        self.assertIn("The program has measured no actions.", tab.text("#metrics"))

    def test_stores_tasks_and_metrics_are_shown(self):
        recording = shop()
        tab = self.open(recording)
        tab.click("#tab-stores")
        self.assertEqual(tab.evaluate("page.storeView && document.querySelectorAll('#stores .row').length"), len(recording["stores"]))
        tab.click("#stores .row:nth-child(2)")
        self.assertIn("DetailState", tab.text("#stores-detail"))
        tab.click("#stores-detail button:last-child")
        self.assertIn("#2 DetailState: {title: ", "".join(self.rows(tab, "#state")))
        self.assertIn("#2", tab.text("#state .row.active"))
        tab.click("#tab-stores")
        tab.click("#stores .row:nth-child(2)")
        tab.click("#stores-detail button")
        self.assertEqual(tab.text("#count"), f"{sum(entry['store'] == 2 for entry in recording['entries'])} of {len(recording['entries'])} actions")
        tab.click("#clear")
        tab.click("#tab-tasks")
        self.assertGreater(len(self.rows(tab, "#tasks")), 3)
        tab.click("#tasks .row")
        self.assertIn("Task 1 search", tab.text("#tasks-detail"))
        tab.click("#tab-metrics")
        self.assertEqual(tab.evaluate("document.querySelectorAll('#metrics tbody tr').length"),
                         len({entry["name"] for entry in recording["entries"]}))
