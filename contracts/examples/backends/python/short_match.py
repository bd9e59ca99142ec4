"""One match of two players, from its creation to its end.

python3 short_match.py <player_uuid> <player_uuid>; reads MUSTER_URL and MUSTER_KEY.
"""

import base64
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MUSTER_URL", "http://127.0.0.1:3000")
KEY = os.environ["MUSTER_KEY"]
ATTEMPTS = 5


class Refusal(Exception):
    """The service refused a call, or another program responded, such as a gateway."""

    def __init__(self, status, code, desc, retry_after):
        super().__init__(f"{status} {code}: {desc}")
        self.status, self.code, self.retry_after = status, code, retry_after

    def is_temporary(self):
        return self.code == "session_busy" or self.status in (429, 502, 503, 504)


def read_refusal(error):
    retry_after = int(error.headers.get("Retry-After", 1))
    try:
        body = json.load(error)
        # Errors of the HTTP layer, such as 429, have their members at the top.
        data = body["error"]["data"] if "error" in body else body
        return Refusal(error.code, data["error_code"], data["desc"], retry_after)
    except (ValueError, KeyError, TypeError):
        return Refusal(error.code, "unexpected_response", error.reason, retry_after)


def send(procedure, body):
    request = urllib.request.Request(
        f"{URL}/admin/trpc/{procedure}",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=40) as response:
            return json.load(response)["result"]["data"]
    except urllib.error.HTTPError as error:
        raise read_refusal(error) from None


def call(procedure, body):
    """Every call of this program is safe to repeat, even after a lost response."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return send(procedure, body)
        except Refusal as refusal:
            if attempt == ATTEMPTS or not refusal.is_temporary():
                raise
            time.sleep(refusal.retry_after)
        except (OSError, http.client.HTTPException):
            if attempt == ATTEMPTS:
                raise
            time.sleep(1)


def count_seated(session):
    players = [player for team in session["teams"] for player in team["players"]]
    return sum(player["status"] in ("leader", "member") for player in players)


def wait_for_players(match, count):
    """Returns whether all players have joined. A watch returns at once when the session changes."""
    etag, deadline = None, time.monotonic() + 120
    while time.monotonic() < deadline:
        seen = {"if_none_match": etag} if etag else {}
        found = call("sessions.watch", {**match, **seen, "wait_seconds": 10})
        if found is None or "ended" in found:
            return False
        if "unchanged" in found:
            continue
        etag = found["etag"]
        if count_seated(found["session"]) == count:
            return True
    return False


def main(players):
    match = {"type": "duel", "session_id": f"match-{uuid.uuid4()}"}
    lobby = base64.urlsafe_b64encode(match["session_id"].encode()).decode()

    # The session with its seats. `joinable: false`: only these players may join.
    call("sessions.create", {
        **match,
        "joinable": False,
        "teams": [{"max_size": 1}, {"max_size": 1}],
        "platform_session": [{
            "platform": "Steam",
            "platform_session_type": "lobby",
            "platform_session_id_base64": lobby,
        }],
        "players": [
            {"player_uuid": player, "team_id": team, "status": "reserved"}
            for team, player in enumerate(players)
        ],
    })
    print(f"created: {match['session_id']}")

    try:
        stranger = str(uuid.uuid4())
        call("sessions.invitePlayer", {**match, "player_uuid": stranger, "team_id": 0})
    except Refusal as refusal:
        print(f"refused: {refusal.status} {refusal.code}")

    # A server from the fleet. A client must have its version.
    call("sessions.setInstance", {**match, "instance": {
        "instance_id": f"server-{uuid.uuid4()}",
        "host_type": "dedicated",
        "join_status": "allocated",
        "version": "1.4.0",
        "join_params": {
            "public_conn_str": "203.0.113.7:7777",
            "private_conn_str": "203.0.113.7:7777?password=secret",
        },
    }})
    call("sessions.setInstanceStatus", {**match, "join_status": "joinable"})
    print(f"joinable: {lobby}", flush=True)

    is_complete = wait_for_players(match, len(players))
    print("seated: all players" if is_complete else "seated: some are missing")

    call("sessions.end", match)
    print("ended")
    return 0 if is_complete else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: python3 short_match.py <player_uuid> <player_uuid>")
    sys.exit(main(sys.argv[1:]))
