package records

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestPacket writes whatever JSON can say and reads it as JSON would.
func TestPacket(t *testing.T) {
	t.Parallel()
	var packet map[string]any
	text := `{"a":null,"b":true,"c":false,"d":[],"e":{},"f":[[1,[2]],{"g":{"h":[{"i":"j","k":"yes"}]}}],"":"",
		"n":[0,-1,1.5,1e21,-2.5e-9,9007199254740993,1e300,0.1,123456789,1e-6],"s":"1e3","t":"2026-10-18T10:00:00.000Z"}`
	if err := json.Unmarshal([]byte(text), &packet); err != nil {
		t.Fatal(err)
	}
	task := &Task{ID: "t7", Title: "a", Status: Todo, Packet: packet}
	p := Parse("tasks/t7.md", task.Encode())
	if len(p.Faults) > 0 || !reflect.DeepEqual(p.Task, task) {
		t.Fatalf("%v\n%v\n%v\n%s", p.Faults, p.Task.Packet, packet, task.Encode())
	}
}

// TestPacketOfGo takes values that did not come out of JSON.
func TestPacketOfGo(t *testing.T) {
	t.Parallel()
	type word string
	task := &Task{ID: "t7", Title: "a", Status: Todo, Packet: map[string]any{
		"i": 3, "u": uint8(4), "f": float32(1.5), "w": word("x"), "inf": math.Inf(1), "z": math.Copysign(0, -1)}}
	p := Parse("tasks/t7.md", task.Encode())
	want := map[string]any{"i": 3.0, "u": 4.0, "f": 1.5, "w": "x", "inf": "+Inf", "z": 0.0}
	if len(p.Faults) > 0 || !reflect.DeepEqual(p.Task.Packet, want) {
		t.Fatalf("%v %v", p.Faults, p.Task)
	}
}

// TestSpliceUnknownInBraces keeps what is not ours when a map in braces has to
// be written on lines.
func TestSpliceUnknownInBraces(t *testing.T) {
	t.Parallel()
	old := "---\nid: t7\ntitle: a\nstatus: todo\nmetadata: {a: b}\ncreated: {at: 2026-10-18, by: ana,\n  via: [x, 1]} # c\n---\n"
	p := Parse("tasks/t7.md", []byte(old))
	if len(p.Faults) > 0 {
		t.Fatal(p.Faults)
	}
	p.Task.Created.By = "bob"
	p.Task.Metadata[strings.Repeat("k", longKey+1)] = "v"
	data, err := Splice([]byte(old), p.Task)
	if err != nil || !strings.Contains(string(data), "created: # c\n  at: 2026-10-18\n  by: bob\n  via:\n    - x\n    - 1\n") {
		t.Fatalf("%v\n%s", err, data)
	}
}
