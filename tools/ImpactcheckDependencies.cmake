# SPDX-License-Identifier: MIT
#
# External dependencies of the project, as the targets ic_flint, ic_jansson, PkgConfig::IC_HDF5,
# PkgConfig::IC_NLOPT, (with IC_TESTS) ic_cunit, (with IC_BENCH) ic_google_benchmark and (with
# IC_MPI) MPI::MPI_C. A missing package never reduces the build: all missing ones are reported
# together, with their Debian packages. Their headers are system headers, so that their warnings are
# not reported.

set(missing "")

# ic_need(WHAT PACKAGE VAR...): records PACKAGE as missing unless every VAR is true.
macro(ic_need what package)
    foreach(variable ${ARGN})
        if(NOT ${variable})
            list(APPEND missing "  ${what}: Debian package ${package}")
            break()
        endif()
    endforeach()
endmacro()

# ic_imported(TARGET INCLUDE_DIRS LIBRARIES)
function(ic_imported target include_dirs libraries)
    add_library(${target} INTERFACE IMPORTED)
    target_include_directories(${target} SYSTEM INTERFACE ${include_dirs})
    target_link_libraries(${target} INTERFACE ${libraries})
endfunction()

# FLINT 3 has the ball arithmetic in flint/arb.h; before, it was in the library Arb, with arb.h. The project
# includes <arb.h>, <fmpq.h>, ... and finds both, since the folder flint/ is on the path.
find_path(IC_FLINT_ROOT flint/flint.h)
find_library(IC_FLINT_LIBRARY flint)
ic_need("FLINT" libflint-dev IC_FLINT_ROOT IC_FLINT_LIBRARY)
if(IC_FLINT_ROOT)
    set(flint_includes "${IC_FLINT_ROOT}" "${IC_FLINT_ROOT}/flint")
    set(flint_libraries "${IC_FLINT_LIBRARY}")
    if(NOT EXISTS "${IC_FLINT_ROOT}/flint/arb.h")
        find_path(IC_ARB_ROOT arb.h)
        find_library(IC_ARB_LIBRARY NAMES flint-arb arb)
        ic_need("Arb (part of FLINT from version 3 on)" libflint-arb-dev IC_ARB_ROOT IC_ARB_LIBRARY)
        list(APPEND flint_includes "${IC_ARB_ROOT}")
        list(PREPEND flint_libraries "${IC_ARB_LIBRARY}")
    endif()
    # Inline functions in FLINT's headers call these two directly.
    find_library(IC_MPFR_LIBRARY mpfr)
    find_library(IC_GMP_LIBRARY gmp)
    ic_need("MPFR" libmpfr-dev IC_MPFR_LIBRARY)
    ic_need("GMP" libgmp-dev IC_GMP_LIBRARY)
    list(APPEND flint_libraries "${IC_MPFR_LIBRARY}" "${IC_GMP_LIBRARY}")
endif()

find_package(Threads REQUIRED)

find_package(PkgConfig QUIET)
ic_need("pkg-config" pkg-config PKG_CONFIG_FOUND)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(IC_JANSSON QUIET IMPORTED_TARGET jansson>=2.12)
    ic_need("Jansson 2.12 or later" libjansson-dev IC_JANSSON_FOUND)
    pkg_check_modules(IC_NLOPT QUIET IMPORTED_TARGET nlopt)
    ic_need("NLopt" libnlopt-dev IC_NLOPT_FOUND)
    # The serial library: the one for MPI would require MPI in every run.
    pkg_check_modules(IC_HDF5 QUIET IMPORTED_TARGET hdf5-serial)
    if(NOT IC_HDF5_FOUND)
        pkg_check_modules(IC_HDF5 QUIET IMPORTED_TARGET hdf5)
    endif()
    ic_need("HDF5" libhdf5-dev IC_HDF5_FOUND)
    pkg_check_modules(IC_YAML QUIET IMPORTED_TARGET yaml-0.1)
    ic_need("libyaml" libyaml-dev IC_YAML_FOUND)
    pkg_check_modules(IC_FFI QUIET IMPORTED_TARGET libffi)
    ic_need("libffi" libffi-dev IC_FFI_FOUND)
endif()

# UDUNITS-2 has no pkg-config file in Debian.
find_path(IC_UDUNITS_ROOT udunits2.h)
find_library(IC_UDUNITS_LIBRARY udunits2)
ic_need("UDUNITS-2" libudunits2-dev IC_UDUNITS_ROOT IC_UDUNITS_LIBRARY)

if(IC_MPI)
    find_package(MPI QUIET COMPONENTS C)
    ic_need("MPI (for IC_MPI)" "libopenmpi-dev and openmpi-bin" MPI_C_FOUND)
endif()

if(IC_TESTS)
    find_path(IC_CUNIT_ROOT CUnit/CUnit.h)
    find_library(IC_CUNIT_LIBRARY cunit)
    ic_need("CUnit (for IC_TESTS)" libcunit1-dev IC_CUNIT_ROOT IC_CUNIT_LIBRARY)
endif()

if(IC_BENCH)
    find_path(IC_BENCHMARK_ROOT benchmark/benchmark.h)
    find_library(IC_BENCHMARK_LIBRARY benchmark)
    ic_need("Google Benchmark (for IC_BENCH)" libbenchmark-dev IC_BENCHMARK_ROOT IC_BENCHMARK_LIBRARY)
endif()

if(missing)
    list(JOIN missing "\n" text)
    message(FATAL_ERROR "Missing:\n${text}\n`./run setup` installs what is missing on Debian.")
endif()

ic_imported(ic_flint "${flint_includes}" "${flint_libraries}")
add_library(ic_jansson ALIAS PkgConfig::IC_JANSSON)
ic_imported(ic_udunits "${IC_UDUNITS_ROOT}" "${IC_UDUNITS_LIBRARY}")
if(IC_TESTS)
    ic_imported(ic_cunit "${IC_CUNIT_ROOT}" "${IC_CUNIT_LIBRARY}")
endif()
if(IC_BENCH)
    ic_imported(ic_google_benchmark "${IC_BENCHMARK_ROOT}" "${IC_BENCHMARK_LIBRARY};Threads::Threads")
endif()
