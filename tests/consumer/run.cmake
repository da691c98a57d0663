# SPDX-License-Identifier: Apache-2.0
#
# Installs the build in `build_dir` to a folder below it, then configures, builds and runs the
# project beside this file against what was installed. Called by ctest; arguments by -D: build_dir,
# config, generator, make_program, compiler, version.

set(work ${build_dir}/consumer)
set(prefix ${work}/prefix)

function(run_step what)
  message(STATUS "consumer: ${what}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "consumer: ${what} failed (${result})\n${output}")
  endif()
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${work})
run_step(install ${CMAKE_COMMAND} --install ${build_dir} --config ${config} --prefix ${prefix})

# The package must carry all that it needs: no path of the source or build tree may be left in it.
file(GLOB_RECURSE package_files ${prefix}/*.cmake)
foreach(file ${package_files})
  file(READ ${file} text)
  string(REPLACE ${prefix} "" text "${text}")
  if(text MATCHES "${build_dir}|${CMAKE_CURRENT_LIST_DIR}")
    message(FATAL_ERROR "consumer: ${file} names a path of the build or source tree")
  endif()
endforeach()

# The README's lines are compiled, and its scene is run, as they stand there.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md readme)
foreach(language cpp json)
  if(NOT readme MATCHES "```${language}\n([^`]*)```")
    message(FATAL_ERROR "consumer: README.md has no ${language} block")
  endif()
  file(WRITE ${work}/readme.${language} "${CMAKE_MATCH_1}")
endforeach()

run_step(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${generator}
  -D CMAKE_MAKE_PROGRAM=${make_program} -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_BUILD_TYPE=${config} -D CMAKE_PREFIX_PATH=${prefix}
  -D readme_program=${work}/readme.cpp)
run_step(build ${CMAKE_COMMAND} --build ${work}/build)
run_step("run the program" ${work}/build/consumer)
message("${step_output}")
if(NOT step_output MATCHES "Ligament ${version}")
  message(FATAL_ERROR "consumer: the program does not report version ${version}")
endif()

run_step("run the README's program" ${work}/build/readme)
if(NOT step_output MATCHES "status        completed")
  message(FATAL_ERROR "consumer: the README's program did not complete:\n${step_output}")
endif()

if(EXISTS ${prefix}/bin/ligament)
  run_step("run the command" ${prefix}/bin/ligament --version)
  message("${step_output}")
  run_step("run the README's scene" ${prefix}/bin/ligament run ${work}/readme.json
    --out ${work}/results)
  message("${step_output}")
endif()
