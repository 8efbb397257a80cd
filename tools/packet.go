package tools

import (
	"encoding/json"
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

// fields are what a call named of a task, its packet among them.
func (in *input) fields() records.Fields {
	fields := in.Fields
	if packet, ok := in.Packet.(map[string]any); ok {
		fields.Packet = &packet
	}
	return fields
}
