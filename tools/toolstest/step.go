package toolstest

import (
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// ana is who calls where a case names nobody else.
var ana = tools.Who{Person: "ana", Folder: "/srv/work"}

// call is a call by ana, and its answer.
func call(tool, input, want string) step { return step{Tool: tool, Input: input, Want: want, Who: ana} }

// refuse is a call by ana of an input that cannot be taken; want is what
// follows the name of the tool.
func refuse(tool, input, want string) step {
	return step{Tool: tool, Input: input, Want: "Invalid " + tool + " input: " + want, Code: tools.Invalid, Who: ana}
}

// unknown is a call by ana about a record that is not there.
func unknown(tool, input, what string) step {
	s := refuse(tool, input, what+" must match the id of a known "+what+" (see "+what+"_list).")
	s.Code = tools.NotFound
	return s
}

// denied is a call that needs a grant.
func denied(tool, input, want string) step {
	return step{Tool: tool, Input: input, Want: want, Code: tools.Denied, Who: ana}
}

// conflict is a call by ana that the state of the list is in the way of.
func conflict(tool, input, want string) step {
	return step{Tool: tool, Input: input, Want: want, Code: tools.Conflict, Who: ana}
}

// held is a call by ana that changes a task which another holds.
func held(tool, input, want string) step {
	return step{Tool: tool, Input: input, Want: want, Code: tools.Held, Who: ana}
}

// unsigned is a call that needs a grant, by nobody who is known.
func unsigned(tool, input string) step {
	return step{Tool: tool, Input: input, Want: "Sign in to use this host.", Code: tools.Unauthenticated}
}

// put is a commit of another program.
func put(files ...repo.File) step { return step{Foreign: files} }

// file is a file for put, gone for an empty text.
func file(path, text string) repo.File {
	if text == "" {
		return repo.File{Path: path}
	}
	return repo.File{Path: path, Data: []byte(text)}
}

// task is the least that a task's file can say.
func task(id, more string) repo.File {
	return file("tasks/"+id+".md", "---\nid: "+id+"\ntitle: "+id+"\nstatus: todo\n"+more+"---\n")
}

// owned is a report that a session is somebody's.
func owned(session, owner string) step {
	return step{Report: &tools.Session{Session: session, Owner: owner}}
}

func (s step) by(person string) step {
	s.Who.Person = person
	return s
}

// nobody takes the person away.
func (s step) nobody() step { return s.by("") }

func (s step) in(session string) step {
	s.Who.Session = session
	return s
}

func (s step) agent(agent string) step {
	s.Who.Agent = agent
	return s
}

func (s step) folder(folder string) step {
	s.Who.Folder = folder
	return s
}

// has wants parts of the file at path.
func (s step) has(path string, parts ...string) step {
	s.File, s.Has = path, parts
	return s
}

// lacks wants parts not to be in the file at path.
func (s step) lacks(path string, parts ...string) step {
	s.File, s.Lacks = path, parts
	return s
}

func (s step) author(name string) step {
	s.Author = name
	return s
}

func (s step) quiet() step {
	s.Quiet = true
	return s
}
