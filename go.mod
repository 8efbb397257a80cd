module github.com/git-tasks/git-tasks

go 1.26.0

require (
	charm.land/bubbletea/v2 v2.1.1 // drives a terminal: keys, sizes, what is drawn anew
	charm.land/lipgloss/v2 v2.0.6 // counts columns and colours lines
	github.com/coder/websocket v1.8.15 // speaks WebSocket
	github.com/fsnotify/fsnotify v1.10.1 // tells of changed files
	github.com/go-git/go-billy/v5 v5.9.2 // is how go-git is given a file system
	github.com/go-git/go-git/v5 v5.19.3 // reads and encodes git objects
	github.com/klauspost/compress v1.20.4 // compresses trees in a tenth of the time
	github.com/modelcontextprotocol/go-sdk v1.8.0 // speaks MCP
	github.com/robfig/cron/v3 v3.0.1 // keeps the hours
	github.com/urfave/cli/v2 v2.27.7 // reads the command line
	golang.org/x/crypto v0.59.0 // signs commits in SSH's form
	gopkg.in/yaml.v3 v3.0.1 // reads frontmatter
)

// In tests alone.
require (
	github.com/goccy/go-yaml v1.19.2 // is the second parser that must read the same
	github.com/pelletier/go-toml/v2 v2.4.3 // is the second parser of TOML
	github.com/rogpeppe/go-internal v1.16.0 // plays script tests
	pgregory.net/rapid v1.3.0 // makes the histories of property tests
)

require (
	github.com/charmbracelet/colorprofile v0.4.3 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20261008173134-6b8d4baf91b4 // indirect
	github.com/charmbracelet/x/ansi v0.11.9 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // indirect
	github.com/cyphar/filepath-securejoin v0.6.1 // indirect
	github.com/go-git/gcfg v1.5.1-0.20230307220236-3a3c6141e376 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/jbenet/go-context v0.0.0-20150711004518-d14ea06fba99 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/pjbgf/sha1cd v0.7.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/xo/terminfo v1.0.0 // indirect
	github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
	gopkg.in/warnings.v0 v0.1.2 // indirect
)
