"""A stand-in for a live program: it keeps a recording, receives commands, and sends events."""

import copy
import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from assembling import assembled


class LiveServer:
    """Serves `/token/` with the page, `/token/live/events` and `/token/live/command`."""

    def __init__(self, recording, is_silent=False):
        self.recording = copy.deepcopy(recording)
        self.commands = []
        self.listeners = []
        self.refusal = None
        self.is_away = False
        self.is_silent = is_silent
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                server.get(self)

            def do_POST(self):
                server.post(self)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}/token/"

    def get(self, request):
        if request.path == "/token/":
            page = assembled("", live="live").encode()
            request.send_response(200)
            request.send_header("Content-Type", "text/html; charset=utf-8")
            request.send_header("Content-Length", str(len(page)))
            request.end_headers()
            request.wfile.write(page)
        elif request.path == "/token/live/events" and not self.is_away:
            self.listen(request)
        else:
            request.send_error(503)

    def listen(self, request):
        events = queue.Queue()
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        with self.lock:
            if not self.is_silent:
                events.put({"kind": "recording", "recording": self.recording})
            self.listeners.append(events)
        while (event := events.get()) is not None:
            request.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            request.wfile.flush()
        request.close_connection = True

    def post(self, request):
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        is_json = request.headers["Content-Type"] == "application/json"
        with self.lock:
            self.commands.append(body if is_json and request.path == "/token/live/command" else request.path)
        answer = {"error": self.refusal} if self.refusal else {"ok": True}
        data = json.dumps(answer).encode()
        request.send_response(409 if self.refusal else 200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)
        if not self.refusal:
            self.follow(body)

    def follow(self, command):
        """Performs the part of a command that the page can see."""
        recording = self.recording
        if command["command"] == "travel":
            self.move(command["position"], True, 2)
        elif command["command"] == "step":
            self.move(recording["position"] + command["by"], True, 2)
        elif command["command"] in ("resume", "continueFromHere"):
            self.move(len(recording["entries"]), False, 0)
        elif command["command"] == "toggle":
            entry = next(entry for entry in recording["entries"] if entry["number"] == command["number"])
            entry["skipped"] = not entry.get("skipped", False)
            self.send({"kind": "recording", "recording": recording})
        elif command["command"] == "dispatch":
            self.append([{"name": "dispatched", "text": f"dispatched {json.dumps(command['action'])}", "changes": [[["1", "told"], command["action"]]]}])

    def move(self, position, is_travelling, held):
        self.recording["position"] = position
        self.send({"kind": "position", "position": position, "isTravelling": is_travelling, "held": held})

    def append(self, entries, **other):
        recording = self.recording
        made = []
        for entry in entries:
            number = recording["entries"][-1]["number"] + 1
            made.append({"number": number, "store": 1, "outcome": "reduced", "cause": {"kind": "outside"}, **entry})
            recording["entries"].append(made[-1])
        recording["position"] = len(recording["entries"])
        self.send({"kind": "entries", "entries": made, "stores": [], "tasks": [], "position": recording["position"], "omitted": 0, **other})

    def send(self, event):
        with self.lock:
            for events in self.listeners:
                events.put(copy.deepcopy(event))

    def hang_up(self):
        """Ends the connections of all listeners."""
        with self.lock:
            for events in self.listeners:
                events.put(None)
            self.listeners = []

    def close(self):
        self.hang_up()
        self.http.shutdown()
        self.http.server_close()
