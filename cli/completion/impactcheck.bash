# SPDX-License-Identifier: MIT
# Completion for bash. What there is to choose from, the command knows itself: `impactcheck complete WORD...`
# shellcheck shell=bash

_impactcheck() {
    # COMP_WORDS is broken at = and :, which values contain; the line is not
    local line=${COMP_LINE:0:COMP_POINT} words value begun
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=("")
    local typed=${words[${#words[@]} - 1]} candidates=()
    # bash replaces what is behind the last = or : only
    begun=${typed%"${typed##*[=:]}"}
    [[ $begun != --*= ]] || begun=
    COMPREPLY=()
    mapfile -t candidates < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    for value in "${candidates[@]}"; do
        value=${value%%$'\t'*}
        if [[ $value == @files ]]; then
            compopt -o filenames
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${typed#--*=}")
        else
            COMPREPLY+=("${value#"$begun"}")
        fi
    done
    # after NAME= comes a value
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -F _impactcheck impactcheck impactcheck-gsl
