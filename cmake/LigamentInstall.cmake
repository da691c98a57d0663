# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install` gives include/ligament, the library, the command, and the CMake package that
# find_package(Ligament) reads. tests/consumer proves it.

include(CMakePackageConfigHelpers)

set(LIGAMENT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Ligament)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ligament
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/generated/ligament/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ligament)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET ligament)
  install(TARGETS ligament EXPORT LigamentTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT LigamentTargets
    NAMESPACE Ligament::
    DESTINATION ${LIGAMENT_CMAKE_DIR})
endif()
if(TARGET ligament-cli)
  install(TARGETS ligament-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/LigamentConfig.cmake.in
  ${PROJECT_BINARY_DIR}/LigamentConfig.cmake
  INSTALL_DESTINATION ${LIGAMENT_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LigamentConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/LigamentConfig.cmake
  ${PROJECT_BINARY_DIR}/LigamentConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake
  DESTINATION ${LIGAMENT_CMAKE_DIR})
