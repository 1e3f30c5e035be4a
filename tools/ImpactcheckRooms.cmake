# SPDX-License-Identifier: MIT
#
# Functions that make a library of each room.

# ic_read_def(OUT DEF PATTERN FORM): sets OUT to the lines of DEF that match PATTERN. DEF is a list of such lines with C
# comments; anything else in it is an error, which shows FORM.
function(ic_read_def out def pattern form)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${def}")
    file(READ "${CMAKE_SOURCE_DIR}/${def}" text)
    string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" " " text "${text}")
    string(REGEX REPLACE "\n#[^\n]*" "\n" text "${text}")
    string(REGEX MATCHALL "${pattern}" lines "${text}")
    string(REGEX REPLACE "${pattern}" "" rest "${text}")
    string(STRIP "${rest}" rest)
    if(NOT rest STREQUAL "")
        message(FATAL_ERROR "${def}: \"${rest}\" is not understood; a line is ${form}")
    endif()
    set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# ic_case_source(OUT ROOM NAME): sets OUT to the C file that the program impactcheck-case makes of the case file
# ROOM/NAME.yaml when the tree is built; it exports ic_case_NAME.
function(ic_case_source out room name)
    set(text "${CMAKE_SOURCE_DIR}/${room}/${name}.yaml")
    set(made "${CMAKE_BINARY_DIR}/${room}/${name}.c")
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/${room}")
    add_custom_command(OUTPUT "${made}"
        COMMAND impactcheck-case "${text}" ic_case_${name} > "${made}"
        DEPENDS impactcheck-case "${text}"
        COMMENT "Making C of ${room}/${name}.yaml"
        VERBATIM)
    # not written by people: unused arguments are no mistakes
    set(options -w -fno-builtin -fno-tree-slp-vectorize)
    if(CMAKE_C_COMPILER_ID STREQUAL GNU) # passes that find nothing in long lists of products take a third of the time
        list(APPEND options -fno-gcse -fno-schedule-insns2 -fno-tree-pre -fno-tree-vrp -fno-expensive-optimizations
            -fno-rerun-cse-after-loop -fno-code-hoisting)
    endif()
    set_source_files_properties("${made}" PROPERTIES GENERATED TRUE COMPILE_OPTIONS "${options}")
    set(${out} "${made}" PARENT_SCOPE)
endfunction()

# ic_registered_sources(OUT ROOM MACRO [DEF])
#
# Sets OUT to the sources named by ROOM/ROOM.def, or by DEF, a list of lines MACRO(name) or MACRO(name, other) with C
# comments. The line MACRO(name) names ROOM/name.c; the line IC_CASE(name) may also name the case file ROOM/name.yaml.
# A line without its file is an error; a file without a line is not built.
function(ic_registered_sources out room macro)
    set(def "${room}/${room}.def")
    if(ARGC GREATER 3)
        set(def "${ARGV3}")
    endif()
    if(NOT EXISTS "${CMAKE_SOURCE_DIR}/${def}")
        message(FATAL_ERROR "${def} does not exist; it lists what is built, one ${macro}(name) a line")
    endif()
    set(pattern "${macro}[(] *([a-z][a-z0-9_]*) *(, *[a-z0-9_]+ *)?[)]")
    ic_read_def(lines "${def}" "${pattern}" "${macro}(name), where name is made of a-z, 0-9 and _")
    if(NOT lines)
        message(FATAL_ERROR "${def} names nothing; a line is ${macro}(name)")
    endif()

    set(sources "")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "${pattern}" "\\1" name "${line}")
        set(source "${CMAKE_SOURCE_DIR}/${room}/${name}.c")
        if("${macro}" STREQUAL IC_CASE AND EXISTS "${CMAKE_SOURCE_DIR}/${room}/${name}.yaml")
            ic_case_source(source "${room}" "${name}")
        endif()
        if(source IN_LIST sources)
            message(FATAL_ERROR "${def} names ${name} twice")
        endif()
        get_source_file_property(is_made "${source}" GENERATED)
        if(NOT is_made AND NOT EXISTS "${source}")
            message(FATAL_ERROR "${def} has the line ${macro}(${name}), but there is no ${room}/${name}.c: "
                "write it, or remove the line")
        endif()
        list(APPEND sources "${source}")
        list(APPEND names "${name}")
    endforeach()

    file(GLOB present CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${room}/*.c" "${CMAKE_SOURCE_DIR}/${room}/*.yaml")
    foreach(source IN LISTS present)
        cmake_path(GET source STEM name)
        cmake_path(GET source FILENAME file)
        if(NOT name IN_LIST names)
            message(STATUS "${room}/${file} is not built: ${def} has no line ${macro}(${name})")
        endif()
    endforeach()
    set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# ic_room(TARGET ROOM [OPTIONAL] [SOURCES FILE...] [EXTRA FILE...])
#
# Adds the static library TARGET from SOURCES, by default every .c file in ROOM, and from EXTRA. An OPTIONAL room
# that is empty has no library.
function(ic_room target room)
    cmake_parse_arguments(PARSE_ARGV 2 arg "OPTIONAL" "" "SOURCES;EXTRA")
    if(NOT arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${room}/*.c")
    endif()
    if(NOT arg_SOURCES)
        if(arg_OPTIONAL)
            return()
        endif()
        message(FATAL_ERROR "${room}/ has no .c file to build ${target} from")
    endif()
    add_library(${target} STATIC ${arg_SOURCES} ${arg_EXTRA})
    target_link_libraries(${target} PRIVATE ic_options)
endfunction()

# ic_embedded_sources(OUT BASE TYPE TABLE COUNT PATTERN...)
#
# Sets OUT to a generated C file with the text of every file that matches a PATTERN, including subfolders, as TABLE
# of TYPE with COUNT elements (BASE/embedded.h) and paths relative to BASE. It is generated again when a file
# changes, appears or disappears.
function(ic_embedded_sources out base type table count)
    set(files "")
    foreach(pattern IN LISTS ARGN)
        file(GLOB_RECURSE found CONFIGURE_DEPENDS LIST_DIRECTORIES false
            RELATIVE "${CMAKE_SOURCE_DIR}/${base}" "${CMAKE_SOURCE_DIR}/${pattern}")
        list(APPEND files ${found})
    endforeach()
    list(REMOVE_DUPLICATES files)
    list(SORT files)

    set(generated "${CMAKE_BINARY_DIR}/embedded_${base}.c")
    set(list_file "${CMAKE_BINARY_DIR}/embedded_${base}.list")
    string(REPLACE ";" "\n" text "${files}")
    file(CONFIGURE OUTPUT "${list_file}" CONTENT "${text}\n" @ONLY) # written only when it changes
    list(TRANSFORM files PREPEND "${CMAKE_SOURCE_DIR}/${base}/" OUTPUT_VARIABLE full_paths)
    add_custom_command(OUTPUT "${generated}"
        COMMAND "${CMAKE_COMMAND}" -D "BASE=${CMAKE_SOURCE_DIR}/${base}" -D "LIST=${list_file}"
            -D "OUT=${generated}" -D "HEADER=${base}/embedded.h" -D "TYPE=${type}" -D "TABLE=${table}" -D "COUNT=${count}" -P "${CMAKE_SOURCE_DIR}/tools/embed.cmake"
        DEPENDS ${full_paths} "${list_file}" "${CMAKE_SOURCE_DIR}/tools/embed.cmake"
        COMMENT "Embedding the data of ${base}"
        VERBATIM)
    set(${out} "${generated}" PARENT_SCOPE)
endfunction()

# ic_lane_kernel(TARGET ENGINE NAME BYTES OPTION...)
#
# Adds sweep/ENGINE/kernel.c to TARGET again for vectors of BYTES bytes, compiled with the options. Its symbol is
# ic_batch_NAME or ic_lanes_NAME.
function(ic_lane_kernel target engine name bytes)
    set(prefix "ic_batch")
    if(engine STREQUAL series)
        set(prefix "ic_lanes")
    endif()
    add_library(${prefix}_${name} OBJECT "${CMAKE_SOURCE_DIR}/sweep/${engine}/kernel.c")
    target_link_libraries(${prefix}_${name} PRIVATE ic_options)
    target_compile_definitions(${prefix}_${name} PRIVATE IC_VECTOR_BYTES=${bytes}
        IC_KERNEL_SYMBOL=${prefix}_${name} "IC_KERNEL_NAME=\"${name}\"")
    target_compile_options(${prefix}_${name} PRIVATE -Wno-psabi ${ARGN})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${prefix}_${name}>)
endfunction()

# ic_lane_kernels(TARGET): adds every kernel for processors of this architecture.
function(ic_lane_kernels target)
    if(IC_FUZZ) # kernels read no outside data, and with the fuzzer's counters take minutes to compile
        set_source_files_properties("${CMAKE_SOURCE_DIR}/sweep/batch/kernel.c" "${CMAKE_SOURCE_DIR}/sweep/series/kernel.c"
            PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
    endif()
    foreach(engine batch series)
        set(level -O2)
        if(engine STREQUAL batch) # whose loops over terms and columns are short and known
            set(level -O3)
            # gcc: the first finds nothing, and takes a third of the time; for a call of memset all vectors leave registers
            if(CMAKE_C_COMPILER_ID STREQUAL GNU)
                list(APPEND level -fno-gcse -fno-tree-loop-distribute-patterns)
            endif()
        elseif(IC_SANITIZE) # with the address sanitizer gcc 12 ends with an internal error at -O2
            set(level -O1)
        endif()
        ic_lane_kernel(${target} ${engine} plain 16 ${level})
        if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
            ic_lane_kernel(${target} ${engine} avx2 32 ${level} -mavx2 -mfma)
            ic_lane_kernel(${target} ${engine} avx512 64 ${level} -mavx512f -mavx2 -mfma)
        endif()
    endforeach()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        target_compile_definitions(${target} PRIVATE IC_BATCH_X86)
    endif()
endfunction()
