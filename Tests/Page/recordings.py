"""Recordings for tests of the page."""

import copy
import json
import random
import sys

names = ["Apple", "Bread", "Cheese", "Dates", "Eggs", "Figs", "Grapes", "Honey"]


def header(**other):
    return {
        "format": "arbor-recording", "version": 1, "name": "Shop", "state": "AppState", "action": "AppAction",
        "began": "2026-11-23T20:00:00Z", "encoding": "codable", "base": {}, "entries": [], "stores": [], "tasks": [],
        "position": 0, "omitted": 0, **other,
    }


class Shop:
    """A shop, with a recording that is made step by step."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.clock = 0.0
        self.state = {
            "cart": {"items": [], "total": 0}, "search": {"text": "", "isSearching": False, "results": []},
            "user": {"name": "Ann", "password": {"$arbor": "redacted"}}, "$$arbor": "a key of the program's own",
        }
        self.recording = header(base={"1": copy.deepcopy(self.state)})
        self.recording["stores"] = [{"id": 1, "parent": None, "state": "AppState", "made": 0}]
        self.number = 0
        self.tasks = 0

    def add(self, name, text, changes=(), cause=None, store=1, **other):
        """Adds an entry, and returns its number."""
        self.number += 1
        self.clock += self.random.uniform(40, 900)
        times = [round(self.clock, 1)] + [round(self.random.uniform(0.2, limit), 2) for limit in (9, 2, 6, 3, 12)]
        entry = {"number": self.number, "store": store, "name": name, "text": text, "action": {name: {"text": text}},
                 "cause": cause or {"kind": "outside"}, "outcome": "reduced", "times": times}
        if changes:
            entry["changes"] = [[["1" if store == 1 else str(store), *path], *value] for path, *value in changes]
        entry.update(other)
        self.recording["entries"].append(entry)
        self.recording["position"] = len(self.recording["entries"])
        return self.number

    def buy(self):
        """Adds a product to the cart: an action, and everything it caused."""
        items, total = self.state["cart"]["items"], self.state["cart"]["total"]
        price = self.random.randrange(1, 30)
        if len(items) < 6 or self.random.random() < 0.2 and len(items) < 12:
            item = {"id": len(items), "name": self.random.choice(names), "count": 1, "price": price}
            change = (["cart", "items", len(items)], copy.deepcopy(item))
            items.append(item)
        else:
            place = self.random.randrange(len(items))
            price = items[place]["price"]
            items[place]["count"] += 1
            change = (["cart", "items", place, "count"], items[place]["count"])
        number = self.add("add", f"add(id: {len(items)})", [change])
        self.state["cart"]["total"] = total + price
        self.add("totalChanged", f"totalChanged({total + price})", [(["cart", "total"], total + price)],
                 {"kind": "action", "action": number})

    def search(self):
        """Searches with a task that may fail and be retried."""
        text = self.random.choice(names)
        number = self.add("search", f'search("{text}")', [(["search", "text"], text), (["search", "isSearching"], True)])
        self.tasks += 1
        task = {"id": self.tasks, "store": 1, "key": "search", "cause": {"kind": "action", "action": number}, "began": self.clock}
        cause = {"kind": "task", "action": number, "task": self.tasks}
        if self.random.random() < 0.3:
            self.clock += 4000
            failed = self.add("searchFailed", "searchFailed(timeout)", [(["search", "isSearching"], False)], cause, outcome="failed")
            self.add("retry", "retry(after: 2 s)", [], {"kind": "timer", "action": failed}, outcome="dropped")
            task.update(outcome="failed", error="the connection timed out")
        else:
            self.clock += self.random.uniform(500, 6000)
            found = self.add("found", f"found({text}, 3 results)",
                             [(["search", "results"], [f"{text} {n}" for n in range(3)]), (["search", "isSearching"], False)], cause)
            self.add("shown", "shown", [], {"kind": "action", "action": found})
            task.update(outcome="finished")
        self.clock += 20
        task["ended"] = round(self.clock, 1)
        self.recording["tasks"].append(task)

    def visit(self, store):
        """Makes, changes and releases a store."""
        self.recording["stores"].append({"id": store, "parent": 1, "state": "DetailState", "made": round(self.clock, 1)})
        self.add("open", f"open({store})", [], made=[store])
        self.recording["entries"][-1]["changes"] = [[[str(store)], {"title": names[store % 8], "reads": 0}]]
        self.add("read", "read", [(["reads"], 1)], store=store, barrier=store % 2 == 1)
        self.add("close", f"close({store})", [], gone=[store])
        self.recording["entries"][-1]["changes"] = [[[str(store)]]]
        self.recording["stores"][-1]["gone"] = round(self.clock, 1)


def shop(entries=120, seed=1):
    """Returns a recording of a small shop, with carts, retried searches, and stores that are made and released."""
    made = Shop(seed)
    store = 1
    while len(made.recording["entries"]) < entries:
        choice = made.random.random()
        if choice < 0.55:
            made.buy()
        elif choice < 0.9:
            made.search()
        elif store < 40:
            store += 1
            made.visit(store)
    made.recording["entries"][4]["outcome"] = "replaced"
    made.recording["entries"][4]["replacement"] = "addMany(id: 3)"
    for entry in made.recording["entries"]:
        if entry.get("barrier") is False:
            del entry["barrier"]
    return made.recording


def long(entries):
    """Returns a recording with a number of entries."""
    return shop(entries, seed=entries)


def nested(levels):
    value = "the deepest"
    for level in range(levels):
        value = {"down": value} if level % 2 else [value]
    return value


hostile_text = '</script><script>window.attacked = 1</script><img src=x onerror="window.attacked = 2">'


def hostile():
    """Returns a recording in which every text tries to be code or markup."""
    evil = hostile_text
    state = {
        "markup": evil, "comment": "<!-- <script>", "lines": "a\u2028b\u2029c\nd", "turned": "abc\u202edef", "null": "a\u0000b",
        "alone": "LONE", "long": "x" * 1_000_000, "deep": nested(1000), "wide": list(range(100_000)),
        "__proto__": {"polluted": True}, "constructor": {"prototype": {"polluted": True}}, "toString": evil, "hasOwnProperty": 1,
        "$arbor": "unknown", "$$arbor": "own", evil: evil, "": "empty key", "length": 5,
        "gone": {"$arbor": "omitted", "text": evil}, "secret": {"$arbor": "redacted"},
    }
    recording = header(name=evil, state=evil, action=evil, base={"1": state, "__proto__": {"a": 1}})
    recording["stores"] = [{"id": 1, "parent": None, "state": evil, "made": 0}, {"id": 2, "parent": 2, "state": "its own parent"},
                           {"id": 3, "parent": 99, "state": "an orphan", "made": "never"}]
    recording["tasks"] = [{"id": 1, "store": 1, "key": evil, "cause": {"kind": evil}, "began": 1, "ended": 5, "outcome": evil, "error": evil}]
    recording["metrics"] = {"actions": [{"name": evil, "count": evil, "waited": ["a", None, 3]}]}
    odd = {"toString": evil, "valueOf": evil, "length": -1}
    recording["stores"] += [odd, {"id": odd, "parent": odd, "state": odd, "made": odd, "gone": odd},
                            {"id": 4, "parent": 5, "state": odd, "made": odd, "gone": odd}, {"id": 5, "parent": 4}]
    recording["tasks"] += [odd, {"id": 2, "store": odd, "key": odd, "cause": odd, "began": odd, "ended": odd, "outcome": odd, "error": odd}]
    recording["metrics"]["actions"] += [odd, {"name": odd, "count": odd, "waited": [odd, odd, odd], "reduced": odd}]
    entries = [
        {"text": evil, "name": evil, "action": {"deep": nested(1000), evil: evil}, "changes": [[["1", "markup"], evil + "!"]]},
        {"text": "\u2028\u202e" + evil, "outcome": evil, "replacement": evil, "changes": [[["1", "__proto__", "polluted"], "yes"]]},
        {"changes": [[["1", "__proto__"], {"polluted": 2}], [["1", "constructor", "prototype", "polluted"], 2]]},
        {"changes": [[["1", "none", "such"], 1], [["1", "wide", 7], evil], [[]], ["no path"], None, [["__proto__", "polluted"], 1]]},
        {"text": 5, "times": "none", "changes": {"not": "a list"}, "made": 3, "cause": "none"},
        {"number": 3, "text": "a number twice", "cause": {"kind": "action", "action": 6}, "times": [1, None, "x"]},
        {"number": odd, "store": odd, "cause": {"kind": odd, "action": odd, "task": odd}, "name": odd, "text": odd, "outcome": odd,
         "replacement": odd, "times": [odd, odd, odd], "made": [odd], "gone": odd,
         "changes": [[["1", odd], 1], [[odd]], [[["1"]], 2], odd]},
        {"number": "constructor", "text": "its own cause", "cause": {"kind": evil, "action": "constructor", "task": evil}},
    ]
    for place, entry in enumerate(entries):
        recording["entries"].append({"number": place + 1, "store": 1, "name": "evil", "outcome": "reduced", "cause": {"kind": "outside"}, **entry})
    recording["position"] = len(entries)
    sys.setrecursionlimit(20_000)
    return json.dumps(recording, ensure_ascii=False).replace('"LONE"', '"a\\ud800b\\udc00c"')


def requests(description=False):
    """Returns a recording with two caches of requests: the encoded one of an app, and one inside a part of it.

    With `description`, values are written as descriptions of stored properties.
    """
    second = 10**18
    time = (lambda seconds: f"{seconds} seconds") if description else (lambda seconds: [0, seconds * second])
    case = (lambda name: f".{name}") if description else (lambda name: {name: {}})
    raw = (lambda name: f".{name}") if description else (lambda name: name)
    key = lambda argument: f'RequestID(name: "album", argument: "{argument}")' if description else f"album({argument})"
    request = lambda argument, name="album": {"name": name, "argument": argument}
    entry = lambda argument, **other: {"id": request(argument), "isStale": False, "isWaiting": False, **other}
    cache = {"entries": {}, "observers": {}, "fetches": {}, "changes": {} if description else [], "isOnline": True,
             "isActive": True, "lastFetch": 0, "lastRound": 0, "mustResume": False}
    state = {"requests": copy.deepcopy(cache), "part": {"offline": {**copy.deepcopy(cache), "isOnline": False}}}
    recording = header(base={"1": state}, encoding="description" if description else "codable")
    recording["stores"] = [{"id": 1, "parent": None, "state": "AppState", "made": 0}]

    def add(seconds, wrap, action, *changes):
        number = len(recording["entries"]) + 1
        for name in reversed(wrap):
            action = {name: action}
        recording["entries"].append({
            "number": number, "store": 1, "name": "requests", "text": f"requests({json.dumps(action)[:60]})", "action": action,
            "cause": {"kind": "outside"}, "outcome": "reduced", "times": [seconds * 1e6, 1, 1, 1, 1, 1],
            "changes": [[["1", *path], *value] for path, *value in changes],
        })

    wrap = ["requests", "_0"]
    at = lambda argument, *rest: ["requests", "entries", key(argument), *rest]
    answer = {"value": {"title": "Low", "tracks": ["Speed of Life", "Sound and Vision"], "label": {"$arbor": "redacted"}}}
    # The tree's clock is 3 seconds ahead of the cache's.
    observe = lambda number, argument, seconds: {"observed": {"observer": number, "_1": request(argument), "at": time(seconds)}}
    observer = lambda number, argument: (["requests", "observers", str(number)], {"id": number, "current": request(argument)})
    add(3, wrap, observe(1, "7", 0), (at(7), entry("7", fetch=1, cause=raw("observer"))),
        observer(1, "7"), (["requests", "lastFetch"], 1))
    add(5, wrap, {"answered": {"fetch": 1, "_1": request("7"), "_2": {"value": answer, "parts": []}, "at": time(2)}},
        (at(7, "answer"), answer), (at(7, "answeredAt"), time(2)), (at(7, "fetch"), *([None] if description else [])))
    add(6, wrap, observe(2, "8", 3), (at(8), entry("8", fetch=2, cause=raw("observer"))),
        observer(2, "8"), observer(3, "8"))
    add(7, wrap, {"prefetch": {"_0": request("9")}}, (at(9), entry("9", isWaiting=True)))
    failure = {"kind": raw("timedOut"), "reason": "no answer within 5 seconds"}
    add(8, wrap, {"failed": {"fetch": 3, "_1": request("10"), "_2": failure, "at": time(5)}}, (at(10), entry("10", failure=failure, cause=raw("interval"))))
    change = {"id": "c0ffee", "name": "favorite", "input": {"value": {"id": 7, "isOn": True}}, "isAwaited": False, "status": case("sending")}
    add(9, wrap, {"changed": {"_0": change}}, (["requests", "changes", "c0ffee" if description else 0], change), (at(7, "patched"), {"value": {**answer["value"], "title": "Low!"}}))
    add(15, wrap, {"invalidateEntry": {"_0": request("7")}}, (at(7, "isStale"), True), (at(7, "fetch"), 4), (at(7, "cause"), raw("invalidation")))
    recording["position"] = len(recording["entries"])
    return recording
