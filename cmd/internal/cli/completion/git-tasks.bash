# bash: completes git-tasks, and git tasks where git's own completion is loaded.

# Takes the words behind the program up to the one at the cursor.
__git_tasks_complete() {
    local word glued= last="${*: -1}"
    COMPREPLY=()
    case "$last" in --*=*) glued="${last%%=*}=" ;; esac
    while IFS=$'\t' read -r word _; do
        COMPREPLY+=("${word#"$glued"}") # bash keeps what stands before the sign
    done < <(git-tasks complete -- "$@" 2>/dev/null)
}

__git_tasks_program() {
    __git_tasks_complete "${COMP_WORDS[@]:1:COMP_CWORD}"
}

# git's completion calls this one, with words and cword set.
_git_tasks() {
    local at=0
    while [ "$at" -lt "$cword" ] && [ "${words[at]}" != tasks ]; do
        at=$((at + 1))
    done
    __git_tasks_complete "${words[@]:at + 1:cword - at}"
}

complete -o bashdefault -o default -F __git_tasks_program git-tasks
