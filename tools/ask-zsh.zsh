# SPDX-License-Identifier: MIT
#
# zsh -f tools/ask-zsh.zsh COMPLETION-FOLDER LINE...
#
# Types each LINE into an interactive zsh with only its own completion system and ours, presses Tab,
# and prints the resulting line followed by the status of the completion function: 0 if it offered
# anything.
zmodload zsh/zpty
folder=$1
shift
zpty shell zsh -f -i
zpty -w shell "unsetopt list_beep; PS1= PS2= RPS1=; stty -echo columns 400; fpath=(${(q)folder} \$fpath)
autoload -Uz compinit; compinit -u -D
watched() { _impactcheck; returned=\$?; return \$returned }
compdef watched impactcheck
asked() { zle complete-word; zle -I; print -r -- \"<<\$BUFFER \$returned>>\"; BUFFER=; zle .send-break }
zle -N asked; bindkey '^T' asked; print '<<ready''>>'"
zpty -r shell said '*<<ready>>*'
for line; do
    zpty -n -w shell "$line"$'\x14'
    zpty -r shell said '*<<*>>*'
    print -r -- ${${said##*<<}%%>>*}
done
zpty -d shell
