# SPDX-License-Identifier: Apache-2.0
#
# Finds SuiteSparse, whose releases before 6 bring no CMake package.
#
#   find_package(SuiteSparse REQUIRED COMPONENTS UMFPACK CHOLMOD CAMD SPQR)
#
# makes an imported target SuiteSparse::NAME for each component NAME, and sets SuiteSparse_FOUND,
# SuiteSparse_VERSION and SuiteSparse_INCLUDE_DIR. Known components: UMFPACK, CHOLMOD, AMD, CAMD,
# COLAMD, CCOLAMD, SPQR. Headers are included as <umfpack.h>.

set(_SuiteSparse_UMFPACK_needs CHOLMOD AMD)
set(_SuiteSparse_CHOLMOD_needs AMD CAMD COLAMD CCOLAMD)
set(_SuiteSparse_SPQR_needs CHOLMOD)
set(_SuiteSparse_SPQR_header SuiteSparseQR.hpp)  # the others are named as their library

if(NOT SuiteSparse_FIND_COMPONENTS)
  set(SuiteSparse_FIND_COMPONENTS UMFPACK CHOLMOD AMD CAMD COLAMD CCOLAMD SPQR)
endif()

find_path(SuiteSparse_INCLUDE_DIR SuiteSparse_config.h PATH_SUFFIXES suitesparse)
find_library(SuiteSparse_CONFIG_LIBRARY suitesparseconfig)
mark_as_advanced(SuiteSparse_INCLUDE_DIR SuiteSparse_CONFIG_LIBRARY)

if(SuiteSparse_INCLUDE_DIR)
  set(SuiteSparse_VERSION "")
  foreach(_part MAIN SUB SUBSUB)
    file(STRINGS ${SuiteSparse_INCLUDE_DIR}/SuiteSparse_config.h _line
      REGEX "^#define SUITESPARSE_${_part}_VERSION +[0-9]+")
    string(REGEX MATCH "[0-9]+ *$" _number "${_line}")
    string(STRIP "${_number}" _number)
    list(APPEND SuiteSparse_VERSION ${_number})
  endforeach()
  list(JOIN SuiteSparse_VERSION "." SuiteSparse_VERSION)
endif()

# The components that are asked for, and what they need in turn.
set(_all ${SuiteSparse_FIND_COMPONENTS})
foreach(_name ${SuiteSparse_FIND_COMPONENTS})
  list(APPEND _all ${_SuiteSparse_${_name}_needs})
  foreach(_needed ${_SuiteSparse_${_name}_needs})
    list(APPEND _all ${_SuiteSparse_${_needed}_needs})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES _all)

foreach(_name ${_all})
  string(TOLOWER ${_name} _lower)
  find_library(SuiteSparse_${_name}_LIBRARY ${_lower})
  mark_as_advanced(SuiteSparse_${_name}_LIBRARY)
  set(_header ${_lower}.h)
  if(DEFINED _SuiteSparse_${_name}_header)
    set(_header ${_SuiteSparse_${_name}_header})
  endif()
  if(SuiteSparse_${_name}_LIBRARY AND EXISTS "${SuiteSparse_INCLUDE_DIR}/${_header}")
    set(SuiteSparse_${_name}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS SuiteSparse_CONFIG_LIBRARY SuiteSparse_INCLUDE_DIR
  VERSION_VAR SuiteSparse_VERSION
  HANDLE_COMPONENTS)

if(SuiteSparse_FOUND)
  foreach(_name ${_all})
    if(SuiteSparse_${_name}_FOUND AND NOT TARGET SuiteSparse::${_name})
      add_library(SuiteSparse::${_name} UNKNOWN IMPORTED)
      set_target_properties(SuiteSparse::${_name} PROPERTIES
        IMPORTED_LOCATION ${SuiteSparse_${_name}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${SuiteSparse_INCLUDE_DIR})
      set(_links ${_SuiteSparse_${_name}_needs})
      list(TRANSFORM _links PREPEND SuiteSparse::)
      set_property(TARGET SuiteSparse::${_name} PROPERTY
        INTERFACE_LINK_LIBRARIES ${_links} ${SuiteSparse_CONFIG_LIBRARY})
    endif()
  endforeach()
endif()

unset(_all)
unset(_name)
unset(_lower)
unset(_header)
unset(_needed)
unset(_links)
unset(_part)
unset(_line)
unset(_number)
