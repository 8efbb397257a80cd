#compdef git-tasks
# zsh: completes git-tasks, and git tasks through git's own completion.

_git-tasks() {
    local -a found
    local word about
    while IFS=$'\t' read -r word about; do
        found+=("${word//:/\\:}${about:+:$about}")
    done < <(git-tasks complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( $#found )); then
        _describe -V 'git-tasks' found
    else
        _files
    fi
}

if [[ "$funcstack[1]" == _git-tasks ]]; then
    _git-tasks "$@"
else
    compdef _git-tasks git-tasks
fi
