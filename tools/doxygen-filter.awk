# SPDX-License-Identifier: MIT
#
# What Doxygen is to see of the public header, whose comments are written for people who read the file: one behind a field, or above it, is
# documentation; a heading of dashes begins a group; a line in capitals is a section. Lines keep their numbers.

# TYPE a, b; /* text */: the text is of each
function of_each(line,    at, text, declared, type, names, n, i, said) {
    at = match(line, /; +\/[*]/)
    text = substr(line, at + RLENGTH - 2)
    sub(/\/\* /, "/**< ", text)
    declared = substr(line, 1, at - 1)
    n = split(declared, names, /, /)
    type = names[1]
    sub(/[*]*[a-zA-Z_]+$/, "", type)
    sub(type, "", names[1])
    for (i = 1; i <= n; i++) said = said type names[i] "; " text " "
    return said
}

NR == 2 && /^\/\*\*$/ { print "/** @file"; next }
/^\/\* -+ .* \*\/$/ { # a heading
    gsub(/^\/\* -+ | \*\/$/, "")
    print (grouped++ ? "/**@}*/ " : "") "/** @name " toupper(substr($0, 1, 1)) substr($0, 2) " */ /**@{*/"
    next
}
/^#ifdef __cplusplus$/ && grouped { print "/**@}*/ " $0; next }
/^ \* [A-Z() ]+$/ { # a section of the prose
    sub(/^ \* /, "")
    print " * ## " substr($0, 1, 1) tolower(substr($0, 2))
    next
}
/^ \* 1[0-9]\. / { sub(/^ \* /, " *  ") } # of one list with those of one digit
# the table of statuses becomes what it makes: values with their texts
/^ +X\(IC_[A-Z_]+, "/ {
    split($0, quoted, "\"")
    name = $1
    gsub(/^X\(|,$/, "", name)
    values = values name ", /**< " quoted[2] " */ "
}
/^#define IC_STATUS_NAME/ { print values; next }
/^IC_STATUS_NAME|^    IC_STATUS_TABLE\(|^#undef IC_STATUS_NAME/ { print ""; next }
# attributes stand between a function and what is said of it
/^#if defined\(__GNUC__\)$/ { skipping = 1 }
skipping { skipping = !/^#endif/; print ""; next }
/^ +[a-z_ ]+ [*]?[a-zA-Z_]+(, [*]?[a-zA-Z_]+)+; +\/\* / { print of_each($0); next }
/[^ ].*[;,{)] *\/\* / { sub(/\/\* /, "/**< ") } # behind a field, a value, a brace
/^ +\/\* / { sub(/\/\* /, "/** ") }             # above one
/^ +\/\*$/ { sub(/\/\*/, "/**") }
{ print }
