# SPDX-License-Identifier: MIT
#
# Granular codes: lines IC_SCRIPT_ENGINE of adapters/engines/engines.def. Each is a Python program
# adapters/engines/granular/play_NAME.py that runs the code's command; the program
# impactcheck-engine-NAME is a shell script that starts it.

set(lammps_COMMAND lmp)
set(liggghts_COMMAND liggghts)
set(yade_COMMAND yade)
set(lammps_START "python3 \"$folder/play_lammps.py\"")
set(liggghts_START "python3 \"$folder/play_liggghts.py\"")
# Yade's own messages go to standard error, rows to standard output
set(yade_START "yade -x -n \"$folder/play_yade.py\" 3>&1 1>&2")

# ic_engine_launcher(FILE FOLDER START): FOLDER, as the shell reads it, has the Python programs.
function(ic_engine_launcher file folder start)
    file(WRITE "${file}" "#!/bin/sh\nfolder=${folder}\nexport PYTHONDONTWRITEBYTECODE=1\nexec ${start}\n")
    file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

# ic_script_engine(NAME): adds the program impactcheck-engine-NAME.
function(ic_script_engine name)
    set(program impactcheck-engine-${name})
    set(installed "${CMAKE_BINARY_DIR}/installed-engines/${program}")
    ic_engine_launcher("${CMAKE_BINARY_DIR}/${program}" "\"${CMAKE_SOURCE_DIR}/adapters/engines/granular\"" "${${name}_START}")
    ic_engine_launcher("${installed}" "\"$(dirname \"$0\")/granular\"" "${${name}_START}")
    install(PROGRAMS "${installed}" DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/impactcheck" COMPONENT engines)
endfunction()

# ic_script_engines(): all whose command is installed; appends the Debian packages of others to `missing`.
macro(ic_script_engines)
    ic_read_script_engines()
    foreach(name IN LISTS IC_SCRIPT_ENGINE_NAMES)
        find_program(IC_ENGINE_${name}_PROGRAM ${${name}_COMMAND})
        if(IC_ENGINE_${name}_PROGRAM)
            ic_script_engine(${name})
        else()
            message(STATUS "Not built: engine ${name} (Debian package ${${name}_DEBIAN})")
            string(APPEND missing " ${${name}_DEBIAN}")
        endif()
    endforeach()
    file(GLOB granular CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/adapters/engines/granular/*.py")
    install(FILES ${granular} DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/impactcheck/granular" COMPONENT engines)
endmacro()

# ic_read_script_engines(): IC_SCRIPT_ENGINE_NAMES, and for each NAME_DEBIAN.
function(ic_read_script_engines)
    set(line "IC_SCRIPT_ENGINE[(] *([a-z][a-z0-9_]*) *, *\"([^\"]*)\" *[)]")
    ic_read_def(lines adapters/engines/engines.def "IC_[A-Z_]*ENGINE[(][^)]*[)]" "IC_SCRIPT_ENGINE(name, \"PACKAGE\")")
    list(FILTER lines INCLUDE REGEX "${line}")
    set(names "")
    foreach(engine IN LISTS lines)
        string(REGEX REPLACE "${line}" "\\1" name "${engine}")
        string(REGEX REPLACE "${line}" "\\2" debian "${engine}")
        list(APPEND names ${name})
        set(${name}_DEBIAN "${debian}" PARENT_SCOPE)
    endforeach()
    set(IC_SCRIPT_ENGINE_NAMES "${names}" PARENT_SCOPE)
endfunction()
