module github.com/git-tasks/git-tasks

go 1.26.0
