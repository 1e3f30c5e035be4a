# SPDX-License-Identifier: MIT
#
# The public header as Doxygen is to see it. Its comments are written for people who read the file: a comment above a field documents it, a heading of
# dashes begins a group, a line in capitals is a section. Lines keep their numbers.

# TYPE a, b;: the text documents each
function of_each(line, text,    declared, type, names, n, i, said) {
    declared = line
    sub(/;$/, "", declared)
    n = split(declared, names, /, /)
    type = names[1]
    sub(/[*]*[a-zA-Z_]+$/, "", type)
    names[1] = substr(names[1], length(type) + 1)
    for (i = 1; i <= n; i++) said = said "/** " text " */ " type names[i] "; "
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
/^ \* 1[01]\. / { sub(/^ \* /, " *  ") } # of one list with those of one digit
/^ \* 1[2-5]\. / { $0 = " * - **" $2 "**" substr($0, 7) } # a list that does not begin with 1
# the table of statuses becomes what it makes: values with their texts
/^ +X\(IC_[A-Z_]+, "/ {
    split($0, quoted, "\"")
    name = $1
    gsub(/^X\(|,$/, "", name)
    values = values name ", /**< " quoted[2] " */ "
}
# the table of operations likewise
/^ +X\([A-Z0-9]+, [0-3], "/ {
    name = $1
    gsub(/^X\(|,$/, "", name)
    arguments = $2 + 0
    operations = operations "IC_OP_" name ", /**< " (arguments == 0 ? "without operands" : arguments == 1 ? "of one operand" : "of " arguments " operands") " */ "
}
/^#define IC_OPERATION_NAME/ { print operations; next }
/^IC_OPERATION_NAME|^    IC_OPERATION_TABLE\(|^#undef IC_OPERATION_NAME/ { print ""; next }
/^#define IC_STATUS_NAME/ { print values; next }
/^IC_STATUS_NAME|^    IC_STATUS_TABLE\(|^#undef IC_STATUS_NAME/ { print ""; next }
# attributes are removed from between a function and its documentation
/^#if defined\(__GNUC__\)$/ { skipping = 1 }
skipping { skipping = !/^#endif/; print ""; next }
# a comment above a field or a value goes before it in its line; one above a blank line is about no single field
/^ +\/\*( |$)/ { within = 1; text = "" }
within {
    within = $0 !~ /\*\/$/
    gsub(/^ +(\/\*|\*)? ?|\*\/$/, "")
    text = text $0 " "
    print ""
    next
}
text != "" && /^ +[a-z_ ]+ [*]?[a-zA-Z_]+(, [*]?[a-zA-Z_]+)+;$/ { print of_each($0, text); text = ""; next }
text != "" && NF { $0 = "/** " text "*/ " $0 }
{ text = "" }
{ print }
