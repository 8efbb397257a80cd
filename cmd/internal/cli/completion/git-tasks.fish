# fish: completes git-tasks and git tasks.

function __git_tasks_complete
    set -l words (commandline -opc)
    if test "$words[1]" = git
        set -e words[1]
    end
    set -e words[1]
    set -l found (git-tasks complete -- $words (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end

function __git_tasks_of_git
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = tasks
end

complete -c git-tasks -f -k -a '(__git_tasks_complete)'
complete -c git -n __git_tasks_of_git -f -k -a '(__git_tasks_complete)'
