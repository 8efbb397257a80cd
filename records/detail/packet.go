package detail

import (
	"fmt"
	"slices"
	"strings"
)

// scopes are how far the work that a packet orders may reach.
var scopes = []string{"workspace", "module", "single_file", "feature", "repository", "service", "custom"}

// located are the scopes of which a packet must say where they are.
var located = []string{"module", "single_file", "custom"}

// packetForm is a key of a packet that has a meaning, and what its value must be.
type packetForm struct {
	key   string
	check func(at string, value any) []string // what is wrong with a value that is there
	must  bool                                // it must be there
}

// packetForms are those keys, in the order in which they are checked and shown.
var packetForms = []packetForm{
	{"objective", faultsOfText, true},
	{"scope", faultsOfScope, true},
	{"scopePath", faultsOfText, false},
	{"repo", faultsOfText, true},
	{"worktree", faultsOfText, false},
	{"branchPolicy", faultsOfText, true},
	{"acceptanceTests", faultsOfTexts, false},
	{"acceptanceCriteria", faultsOfTexts, false},
	{"resources", faultsOfResources, false},
	{"commitPolicy", faultsOfText, true},
	{"reportingContract", faultsOfText, true},
	{"escalationPolicy", faultsOfText, false},
	{"recoveryPolicy", faultsOfText, false},
	{"verificationPlan", faultsOfTexts, false},
}

// PacketFaults gives all that a packet lacks to be a work order which somebody can
// go by without asking, in the order of its keys; none for one that is whole. Keys
// that have no meaning here may stand in it, whatever they hold. One in a file need
// not be whole to be read.
func PacketFaults(packet map[string]any) []string {
	var faults []string
	for _, form := range packetForms {
		value := packet[form.key]
		if value != nil || form.must {
			faults = append(faults, form.check(form.key, value)...)
		}
		switch {
		case form.key == "scopePath" && value == nil && slices.Contains(located, fmt.Sprint(packet["scope"])):
			faults = append(faults, fmt.Sprintf("scopePath must be there where scope is %s", packet["scope"]))
		case form.key == "acceptanceTests" && nothingIn(value) && nothingIn(packet["acceptanceCriteria"]):
			faults = append(faults, "acceptanceTests or acceptanceCriteria must say when it is done")
		case form.key == "escalationPolicy" && value == nil && packet["recoveryPolicy"] == nil:
			faults = append(faults, "escalationPolicy or recoveryPolicy must say what to do when it goes wrong")
		}
	}
	return faults
}

// nothingIn reports whether a list is not there, or is empty.
func nothingIn(value any) bool {
	list, isList := value.([]any)
	return value == nil || isList && len(list) == 0
}

func faultsOfText(at string, value any) []string {
	if text, ok := value.(string); ok && strings.TrimSpace(text) != "" {
		return nil
	}
	return []string{at + " must be a non-empty string"}
}

func faultsOfScope(at string, value any) []string {
	if text, ok := value.(string); ok && slices.Contains(scopes, text) {
		return nil
	}
	last := len(scopes) - 1
	return []string{at + " must be " + strings.Join(scopes[:last], ", ") + ", or " + scopes[last]}
}

func faultsOfTexts(at string, value any) []string {
	return faultsOfList(at, value, "strings", faultsOfText)
}

// faultsOfResources looks at what the work needs: a text, or what it is and where.
func faultsOfResources(at string, value any) []string {
	return faultsOfList(at, value, "strings, or of objects with kind and value", func(at string, one any) []string {
		resource, ok := one.(map[string]any)
		if !ok {
			return faultsOfText(at, one)
		}
		return slices.Concat(faultsOfText(at+".kind", resource["kind"]), faultsOfText(at+".value", resource["value"]))
	})
}

func faultsOfList(at string, value any, of string, check func(string, any) []string) []string {
	list, ok := value.([]any)
	if !ok {
		return []string{at + " must be an array of " + of}
	}
	var faults []string
	for i, one := range list {
		faults = append(faults, check(fmt.Sprintf("%s[%d]", at, i), one)...)
	}
	return faults
}
