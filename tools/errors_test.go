package tools_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCodes holds every code to what the fronts make of it, and the table to
// the constants that there are.
func TestCodes(t *testing.T) {
	t.Parallel()
	var want []tools.Code
	ofAHP := []int{-32001, -32007, -32009, -32011, -32602, -32603} // the protocol has no others that a refusal may be
	statuses := map[int]tools.Code{}
	for _, c := range []struct {
		code         tools.Code
		exit, status int
	}{
		{tools.Internal, 1, http.StatusInternalServerError}, {tools.Invalid, 2, http.StatusBadRequest},
		{tools.NotFound, 3, http.StatusNotFound}, {tools.Conflict, 4, http.StatusConflict},
		{tools.Held, 4, http.StatusLocked}, {tools.Busy, 4, http.StatusTooManyRequests}, {tools.Denied, 5, http.StatusForbidden},
		{tools.Unauthenticated, 5, http.StatusUnauthorized}, {tools.Unreachable, 6, http.StatusServiceUnavailable},
	} {
		if other, taken := statuses[c.code.Status()]; taken {
			t.Errorf("%s and %s are both %d", other, c.code, c.status)
		}
		statuses[c.code.Status()] = c.code
		if !slices.Contains(ofAHP, c.code.AHP()) || c.code.MCP() > -32600 || c.code.MCP() < -32603 {
			t.Errorf("%s is %d to MCP and %d to AHP", c.code, c.code.MCP(), c.code.AHP())
		}
		want = append(want, c.code)
		if c.code.Exit() != c.exit || c.code.Status() != c.status {
			t.Errorf("%s ends with %d and %d, want %d and %d", c.code, c.code.Exit(), c.code.Status(), c.exit, c.status)
		}
		e := &tools.Error{Code: c.code, Message: "a <b>", Next: "task_list", Err: http.ErrBodyNotAllowed}
		got, err := json.Marshal(e.Document())
		if document := `{"error":{"code":"` + string(c.code) + `","message":"a \u003cb\u003e","next":"task_list"}}`; string(got) != document || err != nil {
			t.Errorf("%s is %s, %v, want %s", c.code, got, err, document)
		}
	}
	if got := tools.Codes(); !slices.Equal(got, want) {
		t.Errorf("the table has %q, want %q", got, want)
	}
	if other := tools.Code("other"); other.Exit() != 1 || other.Status() != 500 {
		t.Errorf("a code of no row ends with %d and %d", other.Exit(), other.Status())
	}
	_, constants := constantsOf(t, "code.go", "Code")
	for _, c := range constants {
		if !slices.Contains(tools.Codes(), tools.Code(c)) {
			t.Errorf("%s has no row", c)
		}
	}
	if len(constants) != len(tools.Codes()) {
		t.Errorf("%d constants and %d rows", len(constants), len(tools.Codes()))
	}
}

// TestNext: a refusal names the tool that helps on, where there is one.
func TestNext(t *testing.T) {
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: &tools.Settings{Options: tools.Options{RequireApproval: true}}})
	ana, err := s.Caller(tools.Who{Person: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_add", `{"title":"A"}`)
	for _, c := range []struct{ tool, input, next string }{
		{"task_set", `{"task":"t9"}`, "task_list"}, {"task_set", `{}`, "task_list"}, {"task_approve", `{"task":"p1"}`, "task_list"},
		{"task_add", `{"title":"B","blockedBy":["t9"]}`, "task_list"}, {"task_set", `{"task":"t1","plan":"p9"}`, "plan_list"},
		{"plan_show", `{"plan":"p9"}`, "plan_list"}, {"task_set", `{"task":"t1","status":"doing"}`, "task_approve"},
		{"task_set", `{"task":"t1","status":"doing","body":1}`, "task_approve"},
		{"task_set", `{"task":"t1","status":"waiting"}`, ""}, {"task_add", `{"title":""}`, ""}, {"plan_create", `{"title":"P"}`, ""}, {"task_eat", `{}`, ""},
	} {
		_, err := tools.Call(t.Context(), s, ana, c.tool, json.RawMessage(c.input))
		if err == nil {
			t.Errorf("%s %s was not refused", c.tool, c.input)
		} else if got := tools.AsError(err).Next; got != c.next || got != "" && tools.Find(got) == nil {
			t.Errorf("%s %s: after %q comes %q, want %q", c.tool, c.input, err, got, c.next)
		}
	}
}

// constantsOf reads the constants of a type off the source: their names, and
// what stands behind each, nothing where it only counts on.
func constantsOf(t *testing.T, file, typ string) (names, values []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		list, ok := d.(*ast.GenDecl)
		if !ok || list.Tok != token.CONST {
			continue
		}
		of := ""
		for _, spec := range list.Specs {
			spec := spec.(*ast.ValueSpec)
			if id, ok := spec.Type.(*ast.Ident); ok {
				of = id.Name
			}
			if of != typ {
				continue
			}
			value := ""
			if len(spec.Values) > 0 {
				if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
					value, _ = strconv.Unquote(literal.Value)
				}
			}
			names, values = append(names, spec.Names[0].Name), append(values, value)
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s has no constants of the type %s", file, typ)
	}
	return names, values
}

// TestCodesOfTheRepository: every kind of trouble with the repository that there
// is has its row here, its code, and its words reach an agent.
func TestCodesOfTheRepository(t *testing.T) {
	t.Parallel()
	rows := map[string]struct {
		kind repo.Kind
		code tools.Code
		text string
	}{
		"Missing":     {repo.Missing, tools.NotFound, "main is in trouble"},
		"Unsupported": {repo.Unsupported, tools.Invalid, "main is in trouble"},
		"CheckedOut":  {repo.CheckedOut, tools.Invalid, "main is in trouble"},
		"Damaged":     {repo.Damaged, tools.Internal, "main is in trouble"},
		"Held":        {repo.Held, tools.Held, "conflict: main is in trouble."},
		"Busy":        {repo.Busy, tools.Busy, "conflict: main is in trouble."},
		"Unconfirmed": {repo.Unconfirmed, tools.Internal, "main is in trouble"},
	}
	names, _ := constantsOf(t, "../repo/errors.go", "Kind")
	for i, name := range names {
		row, ok := rows[name]
		if !ok {
			t.Errorf("repo.%s has no row", name)
			continue
		}
		delete(rows, name)
		err := fmt.Errorf("%w", &repo.Error{Kind: row.kind, Text: "main is in trouble"})
		if got := tools.AsError(err); got.Code != row.code || got.Message != row.text || row.kind != repo.Kind(i+1) {
			t.Errorf("repo.%s (%d) is %q, %q; want %q, %q", name, row.kind, got.Code, got.Message, row.code, row.text)
		}
	}
	for name := range rows {
		t.Errorf("there is no repo.%s", name)
	}
}

// TestExamples plays the example of every tool, on a list that holds p1 and t1.
func TestExamples(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, tool := range tools.All() {
		who := tools.Who{Person: "ana", Session: "one", Folder: "/srv/work"}
		if got := toolstest.Direct(t, toolstest.List{Store: s}, who, tool.Name, tool.Example); got.Code != "" {
			t.Errorf("%s %s: %s", tool.Name, tool.Example, got.Text)
		}
	}
}
