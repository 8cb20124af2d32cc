"""For any changes, the page shows the states that result from them."""

import copy
import json
import random

from cases import PageCase
from recordings import header
from states import apply, state_at


class Changing:
    """A state that changes at random, in every way that the format allows."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.state = {"1": {"list": [1, {"deep": [[]]}], "table": {"a": 1}, "text": ""}}
        self.base = copy.deepcopy(self.state)
        self.stores = 1

    def value(self, depth=0):
        choice = self.random.randrange(8 if depth < 3 else 5)
        if choice < 5:
            return [None, True, self.random.randrange(100), "text", 0.5][choice]
        if choice < 7:
            return {self.random.choice(["a", "b", "list", "__proto__"]): self.value(depth + 1) for _ in range(3)}
        return [self.value(depth + 1) for _ in range(self.random.randrange(4))]

    def change(self):
        """Returns a change at a random path, and applies it to the state."""
        path, place = [], self.state
        while True:
            keys = list(range(len(place))) if isinstance(place, list) else list(place)
            inner = [key for key in keys if isinstance(place[key], (list, dict))]
            if not inner or path and self.random.random() < 0.3:
                break
            path.append(self.random.choice(inner))
            place = place[path[-1]]
        if not path or len(path) == 1 and self.random.random() < 0.2:
            self.stores += 1
            made = [[str(self.stores)], {"list": [], "table": {}}]
        elif isinstance(place, list):
            last = len(place)
            made = self.random.choice([[[*path, last], self.value()]] + ([[[*path, last - 1]], [[*path, self.random.randrange(last)], self.value()]] if last else []))
        elif len(self.state) > 4 and self.random.random() < 0.3:
            made = [[self.random.choice([key for key in self.state if key != "1"])]]
        else:
            key = self.random.choice(["a", "b", "c", "constructor", "__proto__", "7"])
            made = [[*path, key]] if key in place and self.random.random() < 0.5 else [[*path, key], self.value()]
        apply(self.state, [made])
        return made


class StatesTests(PageCase):
    def test_random_changes_result_in_the_same_states_in_any_order_of_visits(self):
        for seed in range(3):
            changing = Changing(seed)
            entries = [
                {"number": number + 1, "store": 1, "name": "change", "text": "change", "outcome": "reduced", "cause": {"kind": "outside"},
                 "changes": [changing.change() for _ in range(changing.random.randrange(4))]}
                for number in range(1200)
            ]
            recording = header(base=changing.base, entries=entries, position=len(entries))
            tab = self.open(recording)
            for position in [1200, 0, *changing.random.sample(range(1200), 40), 255, 256, 257, 1]:
                shown = tab.evaluate(f"page.show({position}), JSON.stringify(page.recording.states.at({position}))")
                self.assertEqual(json.loads(shown), state_at(recording, position), (seed, position))
            self.assertEqual(state_at(recording, 1200), changing.state)
            self.assertEqual(json.loads(tab.evaluate("JSON.stringify(page.recording.base)")), changing.base)
