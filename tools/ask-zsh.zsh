# SPDX-License-Identifier: MIT
#
# zsh -f tools/ask-zsh.zsh COMPLETION-FOLDER LINE...
#
# Types each LINE into an interactive zsh that has nothing but its own completion system and ours, presses the tabulator, and prints what then
# stands on the line, and behind it what the completion function returned: 0, if it has offered anything.
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
