// One match of two players, from its creation to its end.
//
// go run . <player_uuid> <player_uuid>; reads MUSTER_URL and MUSTER_KEY.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("Usage: go run . <player_uuid> <player_uuid>")
	}
	isComplete, err := playMatch(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	if !isComplete {
		os.Exit(1)
	}
}

func playMatch(players []string) (bool, error) {
	match := object{"type": "duel", "session_id": "match-" + newID()}
	lobby := base64.URLEncoding.EncodeToString([]byte(match["session_id"].(string)))

	// The session with its seats. `joinable: false`: only these players may join.
	seats := []object{}
	for team, player := range players {
		seats = append(seats, object{"player_uuid": player, "team_id": team, "status": "reserved"})
	}
	err := call("sessions.create", match.with(object{
		"joinable": false,
		"teams":    []object{{"max_size": 1}, {"max_size": 1}},
		"platform_session": []object{{
			"platform":                   "Steam",
			"platform_session_type":      "lobby",
			"platform_session_id_base64": lobby,
		}},
		"players": seats,
	}), nil)
	if err != nil {
		return false, err
	}
	fmt.Println("created:", match["session_id"])

	err = call("sessions.invitePlayer", match.with(object{"player_uuid": newID(), "team_id": 0}), nil)
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return false, fmt.Errorf("a full session took another player: %w", err)
	}
	fmt.Println("refused:", refusal.Status, refusal.Code)

	// A server from the fleet. A client must have its version.
	err = call("sessions.setInstance", match.with(object{"instance": object{
		"instance_id": "server-" + newID(),
		"host_type":   "dedicated",
		"join_status": "allocated",
		"version":     "1.4.0",
		"join_params": object{
			"public_conn_str":  "203.0.113.7:7777",
			"private_conn_str": "203.0.113.7:7777?password=secret",
		},
	}}), nil)
	if err != nil {
		return false, err
	}
	err = call("sessions.setInstanceStatus", match.with(object{"join_status": "joinable"}), nil)
	if err != nil {
		return false, err
	}
	fmt.Println("joinable:", lobby)

	isComplete, err := waitForPlayers(match, len(players))
	if err != nil {
		return false, err
	}
	if isComplete {
		fmt.Println("seated: all players")
	} else {
		fmt.Println("seated: some are missing")
	}

	if err := call("sessions.end", match, nil); err != nil {
		return false, err
	}
	fmt.Println("ended")
	return isComplete, nil
}

// Session has the members that this program reads.
type Session struct {
	Teams []struct {
		Players []struct {
			Status string `json:"status"`
		} `json:"players"`
	} `json:"teams"`
}

func (session Session) countSeated() int {
	count := 0
	for _, team := range session.Teams {
		for _, player := range team.Players {
			if player.Status == "leader" || player.Status == "member" {
				count++
			}
		}
	}
	return count
}

// waitForPlayers returns whether all players have joined. A watch returns at once when the session changes.
func waitForPlayers(match object, count int) (bool, error) {
	seen := object{"wait_seconds": 10}
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		var found *struct {
			Session   Session
			Etag      string
			Ended     string
			Unchanged bool
		}
		if err := call("sessions.watch", match.with(seen), &found); err != nil {
			return false, err
		}
		if found == nil || found.Ended != "" {
			return false, nil
		}
		if found.Unchanged {
			continue
		}
		seen["if_none_match"] = found.Etag
		if found.Session.countSeated() == count {
			return true, nil
		}
	}
	return false, nil
}

// newID returns a random UUID.
func newID() string {
	id := make([]byte, 16)
	rand.Read(id)
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
