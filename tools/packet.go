package tools

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
)

// readPacket gives a packet that is whole, and of one that is not says all that it
// lacks at once: whoever wrote it mends it once. {} is taken too, and clears one.
func (f Field) readPacket(raw json.RawMessage) (any, error) {
	var packet map[string]any
	if json.Unmarshal(raw, &packet) != nil {
		return nil, f.must("an object")
	}
	if n := inexact(raw); n != "" {
		return nil, f.must("without the number " + n + ", which would be kept as another: make it a string")
	}
	for key, value := range packet {
		if value == nil { // null is "not named" here as everywhere
			delete(packet, key)
		}
	}
	if faults := detail.PacketFaults(packet); len(packet) > 0 && len(faults) > 0 {
		return nil, f.must("a whole work order: " + strings.Join(faults, "; "))
	}
	return packet, nil
}

// inexact gives the first whole number of a JSON text that no float64 is, "" for none.
func inexact(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil { // the end: the text was read once before
			return ""
		}
		number, ok := token.(json.Number)
		if !ok || strings.ContainsAny(number.String(), ".eE") {
			continue
		}
		whole, isWhole := new(big.Int).SetString(number.String(), 10)
		f, _ := number.Float64()
		if kept, _ := big.NewFloat(f).Int(nil); isWhole && whole.Cmp(kept) != 0 {
			return number.String()
		}
	}
}

// fields are what a call named of a task, its packet among them.
func (in *input) fields() records.Fields {
	fields := in.Fields
	if packet, ok := in.Packet.(map[string]any); ok {
		fields.Packet = &packet
	}
	return fields
}
