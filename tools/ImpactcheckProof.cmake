# SPDX-License-Identifier: MIT
#
# impactcheck-proof, the checker of proofs by `impactcheck certify --proof`: a program of its own in one file, on MPFI
# instead of FLINT, that includes no header of the project. Without MPFI it is not built.

find_path(IC_MPFI_ROOT mpfi.h)
# the archives, if there are some: calls across shared libraries cost a third of the time
find_library(IC_MPFI_LIBRARY NAMES libmpfi.a mpfi)
find_library(IC_MPFI_MPFR_LIBRARY NAMES libmpfr.a mpfr)
find_library(IC_MPFI_GMP_LIBRARY NAMES libgmp.a gmp)
if(IC_MPFI_ROOT AND IC_MPFI_LIBRARY)
    add_executable(impactcheck-proof proofs/checker/impactcheck-proof.c)
    target_compile_definitions(impactcheck-proof PRIVATE _XOPEN_SOURCE=700 _DEFAULT_SOURCE)
    # a proof is to be checked in less time than it took to write
    target_compile_options(impactcheck-proof PRIVATE $<$<CONFIG:Release>:-O3> -Wall -Wextra -Wpedantic -Wconversion $<$<BOOL:${IC_WERROR}>:-Werror>)
    target_include_directories(impactcheck-proof SYSTEM PRIVATE "${IC_MPFI_ROOT}")
    target_link_libraries(impactcheck-proof PRIVATE
        "${IC_MPFI_LIBRARY}" "${IC_MPFI_MPFR_LIBRARY}" "${IC_MPFI_GMP_LIBRARY}" m)
else()
    message(STATUS "impactcheck-proof is not built: MPFI is missing (Debian package libmpfi-dev)")
endif()
