# SPDX-License-Identifier: MIT
#
# cmake -D BASE=FOLDER -D LIST=FILE -D OUT=FILE.c -D HEADER=ROOM/FILE.h -D TYPE=NAME -D TABLE=NAME \
#       -D COUNT=NAME -P embed.cmake
#
# Writes OUT, a C file with the text of the files listed in LIST (one path relative to BASE per
# line), as the table TABLE of TYPE with its length COUNT, which HEADER declares. The compiler
# checks every length, since CMake drops CR and NUL characters when reading.

foreach(variable BASE LIST OUT HEADER TYPE TABLE COUNT)
    if(NOT DEFINED ${variable})
        message(FATAL_ERROR "embed.cmake needs -D ${variable}=...")
    endif()
endforeach()

# Converts text to lines of a C string literal. A question mark could start a trigraph.
function(escape out text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "?" "\\?" text "${text}")
    string(REPLACE "\t" "\\t" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(part "${OUT}.part")
file(WRITE "${part}" "/* Made by tools/embed.cmake from the files that are named here: not to be edited. */
#include \"${HEADER}\"

/* ISO C promises literals of 4095 characters; gcc and clang take any length. */
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
")

file(STRINGS "${LIST}" paths ENCODING UTF-8)
set(table "")
set(count 0)
foreach(path IN LISTS paths)
    file(READ "${BASE}/${path}" text)
    file(SIZE "${BASE}/${path}" length)
    escape(literal "${text}")
    escape(name "${path}")
    file(APPEND "${part}" "
/* ${path} */
static const char text_${count}[] =
    \"${literal}\";
_Static_assert(sizeof text_${count} - 1 == ${length}, \"bytes were lost: data must be text with LF line ends\");
")
    string(APPEND table "    {\"${name}\", text_${count}, sizeof text_${count} - 1},\n")
    math(EXPR count "${count} + 1")
endforeach()

if(count EQUAL 0)
    set(table "    {\"\", \"\", 0}, /* there is no data; C has no empty arrays */\n")
endif()
file(APPEND "${part}" "
const ${TYPE} ${TABLE}[] = {
${table}};

const size_t ${COUNT} = ${count};
")
file(RENAME "${part}" "${OUT}")
