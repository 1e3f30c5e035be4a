# SPDX-License-Identifier: MIT
#
# Debian packages, one for each component. `./run package` builds them from the preset `package`;
# dpkg-shlibdeps finds their dependencies.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME impactcheck)
set(CPACK_PACKAGE_CONTACT "Impactcheck developers <impactcheck@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENTS_ALL "")

# ic_package(COMPONENT NAME SECTION SUMMARY DESCRIPTION [DEPENDENCY])
macro(ic_package component name section summary description)
    string(TOUPPER "${component}" upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}")
    install(FILES LICENSE RENAME copyright
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}" COMPONENT ${component})
endmacro()

set(same "(= ${PROJECT_VERSION})")
ic_package(command impactcheck science "verification suite for contact and impact integrators"
    "Solves canonical problems of contact and impact by independent solvers, holds\nthem against certified answers, and audits other code and its results.")
ic_package(library libimpactcheck${abi} libs "contact and impact integrators, shared library"
    "Cases, solvers and contact-force laws of impactcheck for other programs.")
ic_package(development libimpactcheck-dev libdevel "contact and impact integrators, development files"
    "Header, static library, CMake package and pkg-config file of impactcheck."
    "libimpactcheck${abi} ${same}")
ic_package(python python3-impactcheck python "contact and impact integrators, Python package"
    "Runs, certifies, sweeps and audits of contact and impact problems in Python,\nwith fixtures for pytest."
    "impactcheck ${same}, python3 (>= 3.9), python3-cffi, python3-numpy, python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/tools/package/python/prerm")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # programs built with the library depend on its package
if(TARGET impactcheck-gsl)
    ic_package(gsl impactcheck-gsl science "impactcheck with the solvers of the GNU Scientific Library"
        "The same command, linked with GSL, and so under the GNU General Public License.")
endif()
if(TARGET impactcheck-mpi)
    ic_package(mpi impactcheck-mpi science "sweeps of impactcheck by several ranks"
        "What the command loads where mpirun has launched it." "impactcheck ${same}")
endif()
if(IC_ENGINES)
    ic_package(engines impactcheck-engines science "programs of physics engines for impactcheck"
        "What `impactcheck audit --engine` runs." "impactcheck ${same}")
endif()

include(CPack)
