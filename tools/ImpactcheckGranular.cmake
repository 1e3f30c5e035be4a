# SPDX-License-Identifier: MIT
#
# Granular codes: lines IC_SCRIPT_ENGINE of adapters/engines/engines.def. Each is a Python program
# adapters/engines/granular/play_NAME.py that runs the code's command; the program
# impactcheck-engine-NAME is a shell script that starts it.

# ic_engine_launcher(FILE FOLDER START): FOLDER, as the shell reads it, has the Python programs.
function(ic_engine_launcher file folder start)
    file(WRITE "${file}" "#!/bin/sh\nfolder=${folder}\nexport PYTHONDONTWRITEBYTECODE=1\nexec ${start}\n")
    file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

# ic_script_engine(NAME): adds the program impactcheck-engine-NAME.
function(ic_script_engine name)
    set(program impactcheck-engine-${name})
    set(installed "${CMAKE_BINARY_DIR}/installed-engines/${program}")
    string(REPLACE FILE "\"$folder/play_${name}.py\"" start "${${name}_START}")
    ic_engine_launcher("${CMAKE_BINARY_DIR}/${program}" "\"${CMAKE_SOURCE_DIR}/adapters/engines/granular\"" "${start}")
    ic_engine_launcher("${installed}" "\"$(dirname \"$0\")/granular\"" "${start}")
    install(PROGRAMS "${installed}" DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/impactcheck" COMPONENT engines)
endfunction()

# ic_script_engines(): all whose command is installed; appends the Debian packages of others to `missing`.
macro(ic_script_engines)
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
