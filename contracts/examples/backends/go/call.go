package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strconv"
	"time"
)

// object is a JSON object.
type object map[string]any

func (o object) with(members object) object {
	joined := maps.Clone(o)
	maps.Copy(joined, members)
	return joined
}

// Refusal says why the service refused a call, or that another program responded, such as a gateway.
type Refusal struct {
	Status     int
	Code       string `json:"error_code"`
	Desc       string `json:"desc"`
	RetryAfter time.Duration
}

func (refusal *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", refusal.Status, refusal.Code, refusal.Desc)
}

func (refusal *Refusal) isTemporary() bool {
	switch refusal.Status {
	case 429, 502, 503, 504:
		return true
	}
	return refusal.Code == "session_busy"
}

var client = http.Client{Timeout: 40 * time.Second}

var baseURL = cmp.Or(os.Getenv("MUSTER_URL"), "http://127.0.0.1:3000")

const attempts = 5

// call sends a call and stores its data in result. Every call of this program is safe to repeat, even after a lost response.
func call(procedure string, input object, result any) error {
	for attempt := 1; ; attempt++ {
		err := send(procedure, input, result)
		wait := time.Second
		var refusal *Refusal
		if errors.As(err, &refusal) {
			if !refusal.isTemporary() {
				return err
			}
			wait = refusal.RetryAfter
		}
		if err == nil || attempt == attempts {
			return err
		}
		time.Sleep(wait)
	}
}

func send(procedure string, input object, result any) error {
	body, err := json.Marshal(input)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, baseURL+"/admin/trpc/"+procedure, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MUSTER_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return readRefusal(response)
	}
	var success struct {
		Result struct{ Data json.RawMessage }
	}
	if err := json.NewDecoder(response.Body).Decode(&success); err != nil || result == nil {
		return err
	}
	return json.Unmarshal(success.Result.Data, result)
}

func readRefusal(response *http.Response) *Refusal {
	// Errors of the HTTP layer, such as 429, have their members at the top.
	var body struct {
		Refusal
		Error struct{ Data Refusal }
	}
	refusal := &Refusal{Code: "unexpected_response", Desc: response.Status}
	if json.NewDecoder(response.Body).Decode(&body) == nil {
		if body.Error.Data.Code != "" {
			refusal = &body.Error.Data
		} else if body.Code != "" {
			refusal = &body.Refusal
		}
	}
	refusal.Status = response.StatusCode
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		seconds = 1
	}
	refusal.RetryAfter = time.Duration(seconds) * time.Second
	return refusal
}
